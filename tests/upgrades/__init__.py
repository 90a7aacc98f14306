"""Updates without downtime, tried on a release of the past: `make upgrade-check`, `make compat`."""

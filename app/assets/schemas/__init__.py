"""The register as JSON and files hold it."""

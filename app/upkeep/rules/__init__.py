"""Rules of upkeep; pure."""

"""Rules of the fleet: pure functions and values."""

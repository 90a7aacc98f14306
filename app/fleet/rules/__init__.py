"""Rules of the fleet; pure."""

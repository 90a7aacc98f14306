"""Rules of the register; pure."""

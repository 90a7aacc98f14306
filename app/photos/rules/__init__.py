"""Rules of photos: pure functions and values."""

"""Rules of due items and plans; pure."""

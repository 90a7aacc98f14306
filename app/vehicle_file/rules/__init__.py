"""Rules of vehicle files and costs; pure."""

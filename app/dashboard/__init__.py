"""The dashboard: reads only."""

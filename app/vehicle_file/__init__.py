"""The file of a vehicle: its record for the DVSA, its costs, and how long both are kept."""

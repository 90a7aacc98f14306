"""The names of the data versions of the fleet (app/versions.py); its lists have their own."""

CHECKS = "checks"
CHECK_TEMPLATES = "check-templates"
VAN_HISTORY = "van-history"

UPKEEP = "upkeep"
"""The version of all data of upkeep, on which fleet's pages depend, too."""

"""The names of the data versions of the fleet (app/versions.py); its lists have their own."""

CHECKS = "checks"
CHECK_TEMPLATES = "check-templates"
VAN_HISTORY = "van-history"

UPKEEP = "upkeep"
"""Of all that upkeep stores, on which fleet's pages depend, too."""

"""What a vehicle is; pure."""

from enum import StrEnum

LONGEST_MAKE = 60
LONGEST_STATUS = 40
LONGEST_CLASSIFICATION = 60
LONGEST_LOCATION = 100

UNKNOWN_STATUS = "Unknown"
OFF_THE_ROAD = "Off the road"
STATUSES = ("Available", "In use", "In repair", OFF_THE_ROAD, UNKNOWN_STATUS)
"""What the screens offer beside the statuses that are in use; any other text may be given."""


class FleetList(StrEnum):
    """The two lists of the seed's calls; the screens show vans where there are no vehicles."""

    VEHICLES = "vehicles"
    VANS = "vans"

"""The acts of upkeep, and who may do them: Fleet and GPM share its pages."""

from app.divisions import Division
from app.web import access

DIVISIONS = (Division.FLEET, Division.GPM)
for_fleet = access.division(*DIVISIONS)

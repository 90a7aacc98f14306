"""The registration that a list is filtered by."""

from collections.abc import Sequence

from app.errors import Invalid
from app.fleet.rules.plates import clean_plate, describe_missing, plate_key
from app.upkeep.queries.vehicles import is_on_record


def vehicle_problems(vehicle: str) -> Sequence[str]:
    """Return the errors in a typed registration; '' is right and filters nothing.

    A vehicle that left the lists is found as long as it has any record.
    """
    if not vehicle:
        return []
    try:
        reg = clean_plate(vehicle)
    except Invalid as error:
        return [error.message]
    if is_on_record(plate_key(reg)):
        return []
    return [f"{describe_missing(reg)} Check the number plate."]

"""Registrations: how they are written, and what makes two the same (design §4); pure."""

from app import names
from app.errors import Invalid

LONGEST_PLATE = 20

PLATE_REQUIRED = "Vehicle number plate is required."


def clean_plate(text: str) -> str:
    """Return a registration as it is shown: upper-case with single spaces.

    Raises Invalid when there is none, and over LONGEST_PLATE characters.
    """
    # Some letters become several in upper case, and all have to fit.
    plate = names.clean(text.upper(), limit=LONGEST_PLATE, what="Number plate")
    plate = " ".join(plate.split())
    if not plate:
        raise Invalid(PLATE_REQUIRED, "reg")
    return plate


def plate_key(plate: str) -> str:
    """Return what two registrations share when they are the same: spaces and case don't count."""
    return names.key(plate).replace(" ", "")

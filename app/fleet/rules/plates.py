"""Registrations: how they are written, and when two are the same."""

from app import names
from app.errors import Invalid

MAX_PLATE_LENGTH = 20

MAX_PLATES = 300
"""The most registrations that a form or filter offers; where there are more, they are typed."""

PLATE_REQUIRED = "Vehicle number plate is required."


def clean_plate(text: str) -> str:
    """Return a registration as it is displayed: upper-case with single spaces.

    Raises Invalid when it is empty or longer than MAX_PLATE_LENGTH.
    """
    # Upper-casing can lengthen a text ('ß' becomes 'SS'), so the limit applies to the result.
    plate = names.clean(text.upper(), limit=MAX_PLATE_LENGTH, what="Number plate")
    plate = " ".join(plate.split())
    if not plate:
        raise Invalid(PLATE_REQUIRED, "reg")
    return plate


def describe_missing(plate: str) -> str:
    """Return that no list has a vehicle with a registration."""
    return f"There is no vehicle {plate}."


def plate_key(plate: str) -> str:
    """Return the key that equal registrations share; it ignores spaces and case."""
    return names.key(plate).replace(" ", "")

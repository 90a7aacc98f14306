"""Generated assets, the same in every run."""

from datetime import date, timedelta

from app.assets.rules import AssetState

COUNT = 50_000

_KINDS = ("Chair", "Desk", "Laptop", "Monitor", "Drill", "Ladder", "Café table", "Phone", "Van kit")
_MAKES = ("", "Herman Miller", "Dell", "Bosch", "3M", "Apple")
_CATEGORIES = ("Furniture", "IT", "Tools", "", "Vehicles", "Kitchen", "Safety")
_STATUSES = ("In use", "In store", "", "In repair", "On loan")

FEWER = 6_000
"""More assets than fit in one API reply."""


def states(count: int = COUNT) -> list[AssetState]:
    """Return assets of which some have no location or date, and some spell one name two ways."""
    return [_state(number) for number in range(count)]


def _state(number: int) -> AssetState:
    kind = _KINDS[number % 9]
    place = number * 7919 % 61
    room = f"Room {place:02d}"
    return AssetState(
        id=f"A/{number:05d}",
        item=f"{kind} {number * 31 % 211}",
        make=_MAKES[number % 6],
        model=f"M{number % 113}" if number % 4 else "",
        serial=f"SN-{number * 7:07d}",
        supplier=f"Supplier {number % 41}" if number % 10 else "",
        location="" if place == 60 else room.upper() if number % 17 == 0 else room,
        purchase_date=None if number % 13 == 0 else date(2010, 1, 1) + timedelta(number % 5500),
        purchase_price=number * 104_729 % 250_000,
        category=_CATEGORIES[number % 7],
        status=_STATUSES[number % 5],
        quantity=1 + number * 13 % 40,
    )

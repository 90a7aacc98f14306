"""The demo's deliveries, its fleet and moves as files hold them: days are so many days ago."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from app import dates, money
from app.assets.services.moves import PastMove
from app.deliveries.rules import OFFICES, Order
from app.demo.rules import drawn_photo
from app.demo.services import PastAssetMove, PastChange, PastCheck
from app.fleet.rules.templates import BUILT_IN
from app.fleet.rules.vehicles import VehicleState
from app.fleet.services.checks import SubmittedCheck
from app.fleet.services.photos import SubmittedPhoto
from app.fleet.services.pictures import prepare_picture
from app.tables.csv_files import Cells, Table

_DELIVERY_COLUMNS = (
    "item",
    "amount",
    "unitCost",
    "supplier",
    "orderedBy",
    "orderedDaysAgo",
    "deliveredDaysAgo",
    "confirmation",
    "recipient",
)
_CHANGE_COLUMNS = (
    "daysAgo",
    "reg",
    "make",
    "model",
    "status",
    "classification",
    "currentLocation",
)
_SAID_APART = ("Date", "Notes")
_ASKED = [field.name for form in BUILT_IN for field in form.fields]
_FIELDS = tuple(name for name in dict.fromkeys(_ASKED) if name not in _SAID_APART)
_CHECK_COLUMNS = ("daysAgo", "formType", *_FIELDS, "Notes", "costGBP", "photos", "remark")
_MOVE_COLUMNS = ("daysAgo", "time", "id", "endPosition", "user")


@dataclass(frozen=True)
class PastDelivery:
    """An order, and the day when it came; None while it is pending."""

    order: Order
    came_on: date | None


def read_deliveries(file: Path, today: date) -> Sequence[PastDelivery]:
    """Return the demo's deliveries."""
    table = Table(file, _DELIVERY_COLUMNS)
    found = []
    for cells in table:
        order = Order(
            item=cells.read("item", str),
            amount=cells.read("amount", money.parse_whole_number),
            unit_cost=cells.read("unitCost", money.parse_pounds),
            supplier=cells.read("supplier", str),
            office=OFFICES[0],
            ordered_by=cells.read("orderedBy", str),
            ordered_on=_day(cells, "orderedDaysAgo", today),
            recipient=cells.read("recipient", str),
            confirmation=cells.read("confirmation", str),
        )
        has_come = cells.read("deliveredDaysAgo", bool)
        came_on = _day(cells, "deliveredDaysAgo", today) if has_come else None
        found.append(PastDelivery(order, came_on))
    table.check()
    return found


def read_changes(file: Path, today: date) -> Sequence[PastChange]:
    """Return what the demo's vehicles were and became; an empty cell says nothing."""
    table = Table(file, _CHANGE_COLUMNS)
    found = []
    for cells in table:
        reg, make, model, status, classification, location = (
            cells.read(column, str) or None for column in _CHANGE_COLUMNS[1:]
        )
        on = _day(cells, "daysAgo", today)
        at = dates.noon_in_london(on)
        state = VehicleState(
            reg or "", make, model, status, classification, location, last_event_at=at
        )
        found.append(PastChange(on, state))
    table.check()
    return found


def read_checks(file: Path, today: date) -> Sequence[PastCheck]:
    """Return the demo's checks, their photos drawn and made ready."""
    table = Table(file, _CHECK_COLUMNS)
    found = []
    for cells in table:
        day = _day(cells, "daysAgo", today)
        items = {name: cells.read(name, str) for name in _FIELDS}
        photos = [
            SubmittedPhoto.with_data(name, drawn_photo(name))
            for name in cells.read("photos", str).split(";")
            if name
        ]
        check = SubmittedCheck(
            reg=None,
            odometer=None,
            day=day,
            items={"Date": day.isoformat()} | {name: said for name, said in items.items() if said},
            notes=cells.read("Notes", str),
            cost=cells.read("costGBP", _pounds),
            form_type=cells.read("formType", str),
            photos=photos,
        )
        pictures = [prepare_picture(photo.data) for photo in photos if photo.data]
        found.append(PastCheck(check, pictures, cells.read("remark", str)))
    table.check()
    return found


def read_moves(file: Path, today: date) -> Sequence[PastAssetMove]:
    """Return how the demo's assets moved, each from where it was."""
    table = Table(file, _MOVE_COLUMNS)
    found = []
    for cells in table:
        day = _day(cells, "daysAgo", today)
        at = cells.read("time", partial(_moment, day))
        move = PastMove(cells.read("id", str), cells.read("endPosition", str), at=at)
        found.append(PastAssetMove(cells.read("user", str), move))
    table.check()
    return found


def _day(cells: Cells, column: str, today: date) -> date:
    days_ago: int = cells.read(column, money.parse_whole_number, 0)
    return today - timedelta(days=days_ago)


def _moment(day: date, time: str) -> datetime:
    return dates.parse_moment(f"{day} {time}")


def _pounds(text: str) -> int:
    return money.parse_pounds(text) if text else 0

"""The demo's deliveries, fleet and moves as CSV files; days are given as days ago."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from app import dates, money
from app.assets.services.moves import PastMove
from app.deliveries.rules import OFFICES, DeliveryOrder
from app.demo.rules import draw_photo
from app.demo.services.filling import PastAssetMove, PastChange, PastCheck
from app.directory.services.keys import PastHandover
from app.fleet.rules.templates import BUILT_IN
from app.fleet.rules.vehicles import VehicleState
from app.fleet.services.checks import SubmittedCheck
from app.photos.services.photos import prepare_picture
from app.sent_files import SentFile
from app.tables.csv_files import Cells, Table

_DELIVERY_COLUMNS = (
    "item",
    "amount",
    "unitCost",
    "supplier",
    "orderedBy",
    "orderedDaysAgo",
    "expectedInDays",
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
_HANDOVER_COLUMNS = ("daysAgo", "key", "holder")
_SEPARATE_FIELDS = ("Date", "Notes")
_FORM_FIELDS = [field.name for form in BUILT_IN for field in form.fields]
_FIELDS = tuple(name for name in dict.fromkeys(_FORM_FIELDS) if name not in _SEPARATE_FIELDS)
_CHECK_COLUMNS = ("daysAgo", "formType", *_FIELDS, "Notes", "costGBP", "photos", "remark")
_MOVE_COLUMNS = ("daysAgo", "time", "id", "endPosition", "user")


@dataclass(frozen=True)
class PastDelivery:
    """An order, and the day when it was delivered; None while it is pending."""

    order: DeliveryOrder
    delivered_on: date | None


def read_deliveries(file: Path, today: date) -> Sequence[PastDelivery]:
    """Read the demo's deliveries."""
    table = Table(file, _DELIVERY_COLUMNS)
    records = []
    for cells in table:
        order = DeliveryOrder(
            item=cells.read("item", str),
            amount=cells.read("amount", money.parse_whole_number),
            unit_cost=cells.read("unitCost", money.parse_pounds),
            supplier=cells.read("supplier", str),
            office=OFFICES[0],
            ordered_by=cells.read("orderedBy", str),
            ordered_on=_day(cells, "orderedDaysAgo", today),
            recipient=cells.read("recipient", str),
            confirmation=cells.read("confirmation", str),
            expected_on=cells.read("expectedInDays", partial(_parse_days_ahead, today)),
        )
        is_delivered = cells.read("deliveredDaysAgo", bool)
        delivered_on = _day(cells, "deliveredDaysAgo", today) if is_delivered else None
        records.append(PastDelivery(order, delivered_on))
    table.check()
    return records


def read_changes(file: Path, today: date) -> Sequence[PastChange]:
    """Read the states of the demo's vehicles; an empty cell leaves a value unchanged."""
    table = Table(file, _CHANGE_COLUMNS)
    records = []
    for cells in table:
        reg, make, model, status, classification, location = (
            cells.read(column, str) or None for column in _CHANGE_COLUMNS[1:]
        )
        on = _day(cells, "daysAgo", today)
        at = dates.noon_in_london(on)
        state = VehicleState(
            reg or "", make, model, status, classification, location, last_event_at=at
        )
        records.append(PastChange(on, state))
    table.check()
    return records


def read_checks(file: Path, today: date) -> Sequence[PastCheck]:
    """Read the demo's checks and draw their photos."""
    table = Table(file, _CHECK_COLUMNS)
    records = []
    for cells in table:
        day = _day(cells, "daysAgo", today)
        items = {name: cells.read(name, str) for name in _FIELDS}
        photos = [
            SentFile.with_data(name, draw_photo(name))
            for name in cells.read("photos", str).split(";")
            if name
        ]
        check = SubmittedCheck(
            reg=None,
            odometer=None,
            day=day,
            items={"Date": day.isoformat()} | {name: text for name, text in items.items() if text},
            notes=cells.read("Notes", str),
            cost=cells.read("costGBP", _parse_cost),
            form_type=cells.read("formType", str),
            photos=photos,
        )
        pictures = [prepare_picture(photo.data) for photo in photos if photo.data]
        records.append(PastCheck(check, pictures, cells.read("remark", str)))
    table.check()
    return records


def read_handovers(file: Path, today: date) -> Sequence[PastHandover]:
    """Read the handovers of the demo's keys, oldest first."""
    table = Table(file, _HANDOVER_COLUMNS)
    records = []
    for cells in table:
        at = dates.noon_in_london(_day(cells, "daysAgo", today))
        records.append(PastHandover(cells.read("key", str), cells.read("holder", str), at=at))
    table.check()
    return records


def read_moves(file: Path, today: date) -> Sequence[PastAssetMove]:
    """Read the moves of the demo's assets."""
    table = Table(file, _MOVE_COLUMNS)
    records = []
    for cells in table:
        day = _day(cells, "daysAgo", today)
        at = cells.read("time", partial(_parse_time, day))
        move = PastMove(cells.read("id", str), cells.read("endPosition", str), at=at)
        records.append(PastAssetMove(cells.read("user", str), move))
    table.check()
    return records


def _day(cells: Cells, column: str, today: date) -> date:
    days_ago: int = cells.read(column, money.parse_whole_number, 0)
    return today - timedelta(days=days_ago)


def _parse_days_ahead(today: date, days: str) -> date | None:
    return today + timedelta(days=int(days)) if days else None


def _parse_time(day: date, time: str) -> datetime:
    return dates.parse_moment(f"{day} {time}")


def _parse_cost(text: str) -> int:
    return money.parse_pounds(text) if text else 0

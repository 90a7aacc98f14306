"""The demo's deliveries, fleet and moves from its CSV files; days are given as days ago."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from app import dates, money
from app.assets.services.moves import PastMove
from app.deliveries.rules import DeliveryOrder
from app.demo.rules import draw_photo
from app.demo.services.filling import PastCheck
from app.directory.services.keys import PastHandover
from app.divisions import Site
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.vehicles import VehicleState
from app.photos.services.photos import prepare_picture
from app.sent_files import SentFile

DATA = Path(__file__).parent / "data"
_NO_FIELDS = ("daysAgo", "formType", "Notes", "costGBP", "photos", "remark")


def read_deliveries(today: date) -> Iterator[tuple[DeliveryOrder, date | None]]:
    """Read the demo's orders, each with the day of its delivery, None while it is pending."""
    for row in _rows("gpm-deliveries.csv"):
        expected_in = row["expectedInDays"]
        order = DeliveryOrder(
            item=row["item"],
            amount=money.parse_whole_number(row["amount"]),
            unit_cost=money.parse_pounds(row["unitCost"]),
            supplier=row["supplier"],
            office=Site.MAIN,
            ordered_by=row["orderedBy"],
            ordered_on=_ago(row["orderedDaysAgo"], today),
            recipient=row["recipient"],
            confirmation=row["confirmation"],
            expected_on=today + timedelta(days=int(expected_in)) if expected_in else None,
        )
        delivered = row["deliveredDaysAgo"]
        yield order, _ago(delivered, today) if delivered else None


def read_changes(today: date) -> Iterator[VehicleState]:
    """Read the states of the demo's vehicles; an empty cell leaves a value unchanged."""
    for row in _rows("fleet-vehicles.csv"):
        days_ago, reg, *values = row.values()
        make, model, status, kind, location = (value or None for value in values)
        at = dates.noon_in_london(_ago(days_ago, today))
        yield VehicleState(reg, make, model, status, kind, location, last_event_at=at)


def read_checks(today: date) -> Sequence[PastCheck]:
    """Read the demo's checks and draw their photos."""
    return [_check(row, _ago(row["daysAgo"], today)) for row in _rows("fleet-checks.csv")]


def _check(row: Mapping[str, str], day: date) -> PastCheck:
    names = filter(None, row["photos"].split(";"))
    photos = [SentFile.with_data(name, draw_photo(name)) for name in names]
    items = {name: text for name, text in row.items() if text and name not in _NO_FIELDS}
    check = SubmittedCheck(
        reg=None,
        odometer=None,
        day=day,
        items={"Date": day.isoformat()} | items,
        notes=row["Notes"],
        cost=money.parse_pounds(row["costGBP"] or "0"),
        form_type=row["formType"],
        photos=photos,
    )
    pictures = [prepare_picture(photo.data) for photo in photos if photo.data]
    return PastCheck(check, pictures, row["remark"])


def read_handovers(today: date) -> Iterator[PastHandover]:
    """Read the handovers of the demo's keys, oldest first."""
    for row in _rows("gpm-handovers.csv"):
        at = dates.noon_in_london(_ago(row["daysAgo"], today))
        yield PastHandover(row["key"], row["holder"], at=at)


def read_moves(today: date) -> Iterator[tuple[str, PastMove]]:
    """Read the moves of the demo's assets, each with its user; '' is the terminal."""
    for row in _rows("asset-moves.csv"):
        at = dates.parse_moment(f"{_ago(row['daysAgo'], today)} {row['time']}")
        yield row["user"], PastMove(row["id"], row["endPosition"], at=at)


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _ago(days: str, today: date) -> date:
    return today - timedelta(days=int(days))

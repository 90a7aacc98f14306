"""Odometer readings as JSON."""

from operator import attrgetter
from typing import ClassVar

from app.api import replies
from app.api.fields import JsonFlag, json_field
from app.api.schemas import Body
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.schemas.vehicles import PLATE_ALIASES, OfVehicle, Plate, read_plate
from app.mileage import rules
from app.mileage.models import OdometerReading
from app.mileage.services import ReadingLine
from app.records.record import Column, Record
from app.tables.columns import Prepared
from app.tables.csv_files import FileLines, Table, cell_reader


class ReadingBody(Body):
    """An odometer reading."""

    aliases: ClassVar = PLATE_ALIASES

    reg = Plate()
    day = json_field(rules.READ_ON)
    miles = json_field(rules.MILES)


class VoidBody(Body):
    """Why a reading isn't used."""

    reason = json_field(rules.VOID_REASON)


class AcceptBody(Body):
    """Whether the readings that contradict an accepted one are void with it."""

    void_others = JsonFlag(load_default=False, metadata={"example": False})


class ReadingReply(replies.Reply):
    """An odometer reading, and how it stands."""

    id = replies.number(12)
    reg = replies.text("LK19 VTE")
    day = replies.day("2026-01-15")
    miles = replies.number(48210)
    source = replies.choice(rules.ReadingSource, "check")
    state = replies.choice(["accepted", "doubtful", "void"], "accepted")
    doubt = replies.choice(
        rules.Doubt,
        None,
        null=True,
        description="Why it wasn't used when it was recorded; null if it was.",
    )
    void_reason = replies.text("")


READING_LIST = Record[OdometerReading](
    name="reading",
    plural="readings",
    list_name=UPKEEP,
    model=OdometerReading,
    filters=[OfVehicle(column=OdometerReading.reg_key)],
    columns=(),
    order=[OdometerReading.id],
    key=OdometerReading.id,
)

READING_FILE = [
    Column[OdometerReading]("reg", attrgetter("reg"), heading="Registration"),
    Column[OdometerReading]("day", attrgetter("day"), field=rules.READ_ON),
    Column[OdometerReading]("miles", attrgetter("miles"), field=rules.MILES),
]


def read_readings(source: Prepared) -> FileLines[ReadingLine]:
    """Read a file of odometer readings. Raises FileErrors for any other file."""
    table = Table(source)
    day, miles = cell_reader(rules.READ_ON), cell_reader(rules.MILES)
    lines = [
        ReadingLine(cells, read_plate(cells), cells.read("day", day), cells.read("miles", miles))
        for cells in table
    ]
    return FileLines(table, lines)

"""Odometer readings as JSON."""

from typing import ClassVar

from app.api import replies
from app.api.fields import JsonFlag, json_field
from app.api.replies import Reply
from app.api.schemas import Body
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.schemas.vehicles import PLATE_ALIASES, Plate
from app.records.record import Record
from app.upkeep.models.readings import OdometerReading
from app.upkeep.queries.reading_lists import ReadingRow
from app.upkeep.rules import next_due as due_fields
from app.upkeep.rules.kinds import Doubt, ReadingSource
from app.upkeep.schemas.vehicle_filter import OfVehicle


class ReadingBody(Body):
    """An odometer reading."""

    aliases: ClassVar = PLATE_ALIASES

    reg = Plate()
    day = json_field(due_fields.READ_ON)
    miles = json_field(due_fields.MILES)


class VoidBody(Body):
    """Why a reading isn't used."""

    reason = json_field(due_fields.VOID_REASON)


class AcceptBody(Body):
    """Whether the readings that contradict an accepted one are void with it."""

    void_others = JsonFlag(load_default=False, metadata={"example": False})


class ReadingReply(Reply):
    """An odometer reading, and how it stands."""

    id = replies.number(12)
    reg = replies.text("LK19 VTE")
    day = replies.day("2026-01-15")
    miles = replies.number(48210)
    source = replies.choice(ReadingSource, "check")
    state = replies.choice(
        ["accepted", "doubtful", "void"],
        "accepted",
        lambda reading: ReadingRow(reading, "", "").state,
    )
    doubt = replies.choice(
        Doubt,
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

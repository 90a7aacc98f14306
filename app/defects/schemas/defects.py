"""Defects and their timelines as JSON, their list with its parts, and their CSV files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar

from marshmallow import missing

from app import dates
from app.api import replies
from app.api.fields import FullMessage, json_field
from app.api.schemas import AtLeastOne, Body, body_of
from app.attachments.schemas import AttachmentReply, attachments_field
from app.defects.models import Defect
from app.defects.queries import defects as queries
from app.defects.queries.timeline import Happening, TimelineEntry
from app.defects.rules import fields as entity
from app.defects.rules.defects import ClosingChoice
from app.defects.rules.fields import TABS, Closing, DefectState
from app.defects.services.decisions import DefectLine
from app.defects.services.defects import DefectReport
from app.errors import Invalid
from app.fields import Choice, Field, camel_case
from app.fleet.rules.findings import MAX_TITLE_LENGTH, Severity, SightingAnswer
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.schemas.numbers import DEFECTS, REPAIRS, JsonNumber
from app.fleet.schemas.vehicles import PLATE_ALIASES, OfVehicle, Plate, read_plate
from app.records.filters import OneOf, Search
from app.records.record import Column, Record, columns_at
from app.reference_numbers import ReferenceNumber, Series, parse_reference
from app.sorting import SortKind, SortOrder
from app.tables.columns import Prepared
from app.tables.csv_files import FileLines, Table, cell_reader

_MOMENT, _DAY = "2026-01-15T12:50:00Z", "2026-01-15"

_STATE = OneOf(
    name="state",
    choices={tab.value: tab.label for tab in TABS},
    conditions=lambda tab: queries.is_in_tab(DefectState(tab)),
    refusal="There is no such state.",
    description="Where they stand; all of them without it",
)

_FILTERS = [
    OfVehicle(column=Defect.reg_key),
    OneOf(
        name="severity",
        choices={value: value for value in (*map(str, Severity), queries.NOT_ASSESSED)},
        conditions=queries.is_as_bad,
        refusal="There is no such severity.",
    ),
    Search(column=Defect.search_key, refer=queries.named_defects),
]

_COLUMNS = [
    Column[Any]("title", heading="Defect", by=[Defect.title], stays=True),
    Column[Any]("reg", heading="Vehicle", by=[Defect.reg_key]),
    Column[Any]("severity", heading="Severity", by=[queries.BY_SEVERITY], kind=SortKind.NUMBER),
    Column[Any]("day", heading="Since", by=[Defect.day], kind=SortKind.DAY),
    Column[Any]("seen", heading="Seen", css_class="num"),
    Column[Any](
        "standing", heading="Where it stands", by=[Defect.state, Defect.booked_for, Defect.garage]
    ),
    Column[Any](
        "closed",
        heading="Closed",
        by=[Defect.closed_at],
        kind=SortKind.DAY,
        indexed=True,
        within=("state", DefectState.CLOSED),
    ),
]

DEFECT_LIST = Record[Any](
    name="defect",
    plural="defects",
    list_name=UPKEEP,
    model=Defect,
    filters=[_STATE, *_FILTERS],
    columns=_COLUMNS,
    order=[Defect.id],
    default=SortOrder("closed", descending=True),
    key=Defect.id,
)


def _tab_list(tab: DefectState) -> Record[Any]:
    """Return a part of the list as its page has it; its filter of states filters nothing more."""
    is_closed = tab is DefectState.CLOSED
    columns = _COLUMNS if is_closed else _COLUMNS[:-1]
    return replace(
        DEFECT_LIST,
        scope=lambda: queries.is_in_tab(tab),
        read=queries.listed,
        filters=[replace(_STATE, conditions=lambda _: ()), *_FILTERS],
        columns=columns,
        listed=["severity", "title", "reg", *(column.name for column in columns[3:])],
        order=queries.default_order(tab),
        default=DEFECT_LIST.default if is_closed else SortOrder("severity", descending=True),
        is_capped=True,
    )


TAB_LISTS: Mapping[DefectState, Record[Any]] = {tab: _tab_list(tab) for tab in TABS}
"""The parts of the list, which its page shows one at a time."""


@body_of(DefectReport)
class DefectBody(Body):
    """A defect that somebody reports; without a severity it isn't assessed."""

    aliases: ClassVar = PLATE_ALIASES

    reg = Plate()
    day = json_field(
        entity.DAY,
        load_default=dates.today,
        allow_none=False,
        metadata={"description": "When it was seen; today if missing"},
    )
    attachments = attachments_field()


class DefectChangeBody(Body):
    """An assessment, a booking, or both; a field that is missing stays as it is."""

    field_rules = (
        AtLeastOne(
            ("severity", "garage", "bookedFor"),
            FullMessage("Send a severity, a garage or a day. A note alone goes to its notes."),
        ),
    )

    severity = json_field(
        entity.SEVERITY,
        load_default=missing,
        allow_none=False,
        metadata={"description": "Assesses it, which managers may"},
    )
    garage = json_field(
        entity.GARAGE,
        load_default=missing,
        metadata={"description": "Books it in; needed unless it is booked in already"},
    )
    booked_for = json_field(entity.BOOKED_FOR, load_default=missing)
    note = json_field(entity.NOTE)


class NoteBody(Body):
    """A note on a defect."""

    text = json_field(entity.NOTE_TEXT)
    attachments = attachments_field()


@body_of(ClosingChoice)
class ClosingBody(Body):
    """How a defect closes: `repaired` signs it off, the others close it without a repair."""

    closing = json_field(
        replace(entity.CLOSING, offered=(Closing.REPAIRED, *entity.CHOSEN_CLOSINGS)),
        required=True,
        load_default=missing,
        allow_none=False,
    )
    duplicate_of = JsonNumber(
        DEFECTS, load_default=None, allow_none=True, metadata={"example": None}
    )
    accepted_until = json_field(entity.ACCEPTED_UNTIL, metadata={"example": None})


class DefectReply(replies.Reply):
    """A defect of a vehicle; `timesSeen` counts its report and who saw it again."""

    number = DEFECTS.reply("", "reference")
    reg = replies.text("LK19 VTE")
    part = replies.text("Mirrors")
    title = replies.text("Nearside mirror cracked")
    detail = replies.text("Glass loose, still usable")
    severity = replies.choice(Severity, null=True, description="Null while it isn't assessed")
    state = replies.choice(DefectState)
    since = replies.day(_DAY, "day")
    check_id = replies.number(1042, null=True)
    odometer = replies.number(47604, null=True)
    reported_by = replies.text("r.amos")
    reported_at = replies.moment(_MOMENT)
    times_seen = replies.number(5)
    last_seen = replies.day(_DAY)
    last_answer = replies.choice(SightingAnswer, null=True)
    assessed_by = replies.text("k.lee", null=True)
    assessed_at = replies.moment(_MOMENT, null=True)
    garage = replies.text("Kwik-Fix Guildford")
    booked_for = replies.day(_DAY, null=True)
    repeat_of = DEFECTS.reply(null=True)
    duplicate_of = DEFECTS.reply(null=True)
    closing = replies.choice(Closing, null=True)
    closing_reason = replies.text("")
    accepted_until = replies.day(_DAY, null=True)
    closed_by = replies.text(None, null=True)
    closed_at = replies.moment(_MOMENT, null=True)
    attachments = replies.rows(AttachmentReply)


class ReportedReply(DefectReply):
    """The defect that a report opened, or saw again, and what became of it in words."""

    is_new = replies.flag(True)
    message = replies.text("Reported: Nearside mirror cracked (D-0142).")


def _repair_of(entry: TimelineEntry) -> str | None:
    number = entry.repair.number if entry.repair else entry.undone
    return None if number is None else str(ReferenceNumber(Series.REPAIR, number))


class HappeningReply(replies.Reply):
    """Something that happened to a defect; what doesn't apply to it is null or empty."""

    what = replies.choice(Happening, "seen", "happening")
    at = replies.moment(_MOMENT)
    by = replies.texts(["r.amos"], "who", description="Several for sightings that tell the same")
    days = replies.texts(
        ["2026-01-15"],
        lambda entry: [day.isoformat() for day in entry.days],
        description="When it was reported or seen",
    )
    text = replies.text("Glass loose", description="The note, what was seen, or the files")
    check_id = replies.number(1042, null=True)
    answer = replies.choice(SightingAnswer, "yes", null=True)
    severity = replies.choice(
        Severity,
        None,
        null=True,
        description="Of an assessment, or stop where it was seen to be one",
    )
    is_before_repair = replies.flag(False, description="Seen before it was repaired or closed")
    garage = replies.text("")
    booked_for = replies.day(None, null=True)
    repair = REPAIRS.reply(
        "Of what was reported, the repair whose undo opened the defect", _repair_of, null=True
    )
    closing = replies.choice(Closing, None, null=True)


class DefectItemReply(DefectReply):
    """A defect with what happened to it, the newest first."""

    timeline = replies.rows(HappeningReply)


def _user(name: str) -> Column[queries.FiledDefect]:
    return Column(camel_case(name), lambda row: row.users[getattr(row.defect, name)])


DEFECT_FILE: Sequence[Column[queries.FiledDefect]] = (
    Column("number", lambda row: ReferenceNumber(Series.DEFECT, row.defect.number)),
    *columns_at("defect.reg", "defect.part", "defect.title", "defect.detail"),
    Column("severity", lambda row: entity.SEVERITY.show(row.defect.severity)),
    Column("state", lambda row: row.defect.state.label),
    Column("since", lambda row: row.defect.day),
    *columns_at("defect.odometer"),
    _user("reported_by"),
    Column("timesSeen", lambda row: row.seen.times),
    Column("lastSeen", lambda row: row.seen.last_seen(row.defect.day)),
    _user("assessed_by"),
    *columns_at("defect.garage", "defect.booked_for"),
    Column("closing", lambda row: row.defect.closing and row.defect.closing.label),
    *columns_at("defect.closing_reason", "defect.accepted_until"),
    _user("closed_by"),
    Column(
        "closedAt",
        lambda row: row.defect.closed_at and dates.format_local_time(row.defect.closed_at),
    ),
)

REQUIRED, _OPTIONAL = ["reg", "part", "title", "severity", "day"], ["detail", "odometer"]
ALIASES = {"since": "day"}
_STORED_PART = replace(entity.PART, limit=MAX_TITLE_LENGTH)
"""The part of a check's defect, which may be longer than what people enter."""

_DAY_READ = replace(entity.DAY, required="Day is required.")
_DEFECT_FIELDS = (entity.TITLE, entity.SEVERITY, _DAY_READ, entity.DETAIL, entity.ODOMETER)
_READ: Sequence[Field[Any]] = (_STORED_PART, *_DEFECT_FIELDS)
OPEN_DEFECT_FILE = [
    Column[Defect]("reg", attrgetter("reg"), heading="Registration"),
    *(Column[Defect](each.name, attrgetter(each.name), field=each) for each in _READ),
]
_NOT_READ = {column.name for column in DEFECT_FILE} - {*REQUIRED, *_OPTIONAL, *ALIASES}
IMPORTED_FILE = [*OPEN_DEFECT_FILE, *map(Column[Defect], sorted(_NOT_READ))]
"""The columns that an imported file may have: those of a whole export too."""


def read_defects(source: Prepared) -> FileLines[DefectLine]:
    """Read a file or an export of open defects; raises FileErrors for any other file."""
    table = Table(source)
    state = cell_reader(Choice(kind=DefectState))
    lines = []
    for cells in table:
        number = cells.read("number", _number)
        part = entity.PART if number is None else _STORED_PART
        reg, read = read_plate(cells), {}
        for each in (part, *_READ[1:]):
            read[each.name] = cells.read(each.name, cell_reader(each), each.default)
        report = DefectReport(reg, **read)
        is_closed = cells.read("state", state) is DefectState.CLOSED
        lines.append(DefectLine(cells, report, number, is_closed=is_closed))
    return FileLines(table, lines)


def _number(text: str) -> int | None:
    if not text.strip():
        return None
    reference = parse_reference(text.strip())
    if reference is None or reference.series is not Series.DEFECT:
        raise Invalid(f'"{text[:40]}" is no number of a defect, such as D-0142')
    return reference.number

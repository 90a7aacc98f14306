"""JSON of defects and their timelines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from marshmallow import fields, missing, post_load, validate

from app import dates
from app.api import replies
from app.api.field_rules import AtLeastOne
from app.api.fields import FullMessage, json_field, json_moment
from app.api.replies import Reply
from app.api.schemas import Body, body_of
from app.attachments.queries import AttachmentRow
from app.attachments.schemas import AttachmentReply, attachments_field
from app.fleet.rules.findings import Severity, SightingAnswer
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.schemas.numbers import DEFECTS, REPAIRS, DefectNumber
from app.fleet.schemas.vehicles import PLATE_ALIASES, Plate
from app.records.filters import OneOf, Search
from app.records.record import Record, sort_columns
from app.reference_numbers import ReferenceNumber, Series
from app.sent_files import SentFile
from app.upkeep.models.defects import Defect
from app.upkeep.queries import defect_list
from app.upkeep.queries.defect_list import NOT_ASSESSED, ListedDefect, SeenAgain
from app.upkeep.queries.defect_timeline import Happening, TimelineEntry
from app.upkeep.rules import defect_fields as entity
from app.upkeep.rules.defect_fields import DEFECT_ORDERS, DefectTab
from app.upkeep.rules.defects import CHOSEN_CLOSINGS, ClosingChoice
from app.upkeep.rules.kinds import Closing, DefectState
from app.upkeep.schemas.vehicle_filter import OfVehicle
from app.upkeep.services.defect_reports import ReportedByHand

_SEVERITIES = [severity.value for severity in Severity]
_MOMENT = {"format": "date-time", "example": "2026-01-15T12:50:00Z"}
_DAY = {"format": "date", "example": "2026-01-15"}


_STATE = OneOf(
    name="state",
    choices={tab.value: tab.label for tab in DefectTab},
    conditions=lambda tab: defect_list.is_in_tab(DefectTab(tab)),
    refusal="There is no such state.",
    description="Where they stand; all of them without it",
)
_FILTERS = [
    OfVehicle(column=Defect.reg_key),
    OneOf(
        name="severity",
        choices={value: value for value in (*_SEVERITIES, NOT_ASSESSED)},
        conditions=defect_list.is_as_bad,
        refusal="There is no such severity.",
    ),
    Search(column=Defect.search_key, refer=defect_list.named_defects),
]
_ORDERS = DEFECT_ORDERS[DefectTab.CLOSED]

DEFECT_LIST = Record[Defect](
    name="defect",
    plural="defects",
    list_name=UPKEEP,
    model=Defect,
    filters=[_STATE, *_FILTERS],
    columns=sort_columns(_ORDERS, defect_list.SORTED_BY, {"closed": ("state", DefectTab.CLOSED)}),
    listed=list(_ORDERS.columns),
    order=[Defect.id],
    default=_ORDERS.default,
    key=Defect.id,
)


def tab_list(tab: DefectTab) -> Record[ListedDefect]:
    """Return a part of the list as its page has it; its filter of states filters nothing more."""
    orders = DEFECT_ORDERS[tab]
    return Record(
        name="defect",
        plural="defects",
        list_name=UPKEEP,
        model=Defect,
        scope=lambda: defect_list.is_in_tab(tab),
        rows=defect_list.listed,
        filters=[replace(_STATE, conditions=lambda _: ()), *_FILTERS],
        columns=sort_columns(orders, defect_list.SORTED_BY),
        listed=list(orders.columns),
        order=defect_list.default_order(tab),
        default=orders.default,
        key=Defect.id,
        is_capped=True,
    )


@body_of(ReportedByHand)
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

    def made(self, data: Mapping[str, Any]) -> tuple[ReportedByHand, Sequence[SentFile]]:
        """Return the report and its files."""
        return super().made(data), data["attachments"]


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
    bookedFor = json_field(entity.BOOKED_FOR, load_default=missing)  # noqa: N815 (the API's name)
    note = json_field(entity.NOTE)


class NoteBody(Body):
    """A note on a defect."""

    text = json_field(entity.NOTE_TEXT)
    attachments = attachments_field()


class ClosingBody(Body):
    """How a defect closes: `repaired` signs it off, the others close it without a repair."""

    closing = fields.String(
        required=True,
        validate=validate.OneOf(
            [closing.value for closing in (Closing.REPAIRED, *CHOSEN_CLOSINGS)]
        ),
        metadata={"example": "no_fault"},
    )
    reason = json_field(entity.REASON)
    duplicateOf = DefectNumber(  # noqa: N815 (the API's name)
        load_default=None, allow_none=True, metadata={"example": None}
    )
    acceptedUntil = json_field(  # noqa: N815 (the API's name)
        entity.ACCEPTED_UNTIL, metadata={"example": None}
    )

    @post_load
    def _choice(self, data: dict[str, Any], **_: Any) -> ClosingChoice:
        return ClosingChoice(
            Closing(data["closing"]), data["reason"], data["duplicateOf"], data["acceptedUntil"]
        )


class DefectReply(Reply):
    """A defect of a vehicle; `timesSeen` counts its report and who saw it again."""

    number = DEFECTS.reply()
    reg = fields.String(metadata={"example": "LK19 VTE"})
    part = fields.String(metadata={"example": "Mirrors"})
    title = fields.String(metadata={"example": "Nearside mirror cracked"})
    detail = fields.String(metadata={"example": "Glass loose, still usable"})
    severity = fields.String(
        allow_none=True,
        metadata={"enum": [*_SEVERITIES, None], "description": "Null while it isn't assessed"},
    )
    state = fields.String(metadata={"enum": [state.value for state in DefectState]})
    since = fields.String(metadata=_DAY)
    checkId = fields.Integer(allow_none=True, metadata={"example": 1042})  # noqa: N815
    odometer = fields.Integer(allow_none=True, metadata={"example": 47604})
    reportedBy = fields.String(metadata={"example": "r.amos"})  # noqa: N815
    reportedAt = fields.String(metadata=_MOMENT)  # noqa: N815
    timesSeen = fields.Integer(metadata={"example": 5})  # noqa: N815
    lastSeen = fields.String(metadata=_DAY)  # noqa: N815
    lastAnswer = fields.String(  # noqa: N815
        allow_none=True, metadata={"enum": ["yes", "worse", "gone", None]}
    )
    assessedBy = fields.String(allow_none=True, metadata={"example": "k.lee"})  # noqa: N815
    assessedAt = fields.String(allow_none=True, metadata=_MOMENT)  # noqa: N815
    garage = fields.String(metadata={"example": "Kwik-Fix Guildford"})
    bookedFor = fields.String(allow_none=True, metadata=_DAY)  # noqa: N815
    repeatOf = DEFECTS.reply(null=True)  # noqa: N815
    duplicateOf = DEFECTS.reply(null=True)  # noqa: N815
    closing = fields.String(
        allow_none=True, metadata={"enum": [*(closing.value for closing in Closing), None]}
    )
    closingReason = fields.String(metadata={"example": ""})  # noqa: N815
    acceptedUntil = fields.String(allow_none=True, metadata=_DAY)  # noqa: N815
    closedBy = fields.String(allow_none=True, metadata={"example": None})  # noqa: N815
    closedAt = fields.String(allow_none=True, metadata=_MOMENT)  # noqa: N815
    attachments = replies.rows(AttachmentReply)


class ReportedReply(DefectReply):
    """The defect that a report opened, or saw again, and what became of it in words."""

    isNew = fields.Boolean(metadata={"example": True})  # noqa: N815
    message = fields.String(metadata={"example": "Reported: Nearside mirror cracked (D-0142)."})


def defect_json(
    defect: Defect,
    seen: SeenAgain,
    users: Mapping[int | None, str],
    references: Mapping[int | None, str | None],
    attachments: Sequence[AttachmentRow],
) -> dict[str, Any]:
    """Return a defect as JSON; `references` are numbers such as 'D-0142' by the ids of defects."""
    return {
        "number": defect.reference,
        "reg": defect.reg,
        "part": defect.part,
        "title": defect.title,
        "detail": defect.detail,
        "severity": defect.severity,
        "state": defect.state,
        "since": defect.day.isoformat(),
        "checkId": defect.check_id,
        "odometer": defect.odometer,
        "reportedBy": users[defect.reported_by],
        "reportedAt": json_moment(defect.reported_at),
        "timesSeen": seen.times,
        "lastSeen": seen.last_seen(defect.day).isoformat(),
        "lastAnswer": seen.answer,
        "assessedBy": users[defect.assessed_by] if defect.assessed_at else None,
        "assessedAt": json_moment(defect.assessed_at),
        "garage": defect.garage,
        "bookedFor": defect.booked_for.isoformat() if defect.booked_for else None,
        "repeatOf": references[defect.repeat_of_id],
        "duplicateOf": references[defect.duplicate_of_id],
        "closing": defect.closing,
        "closingReason": defect.closing_reason,
        "acceptedUntil": defect.accepted_until.isoformat() if defect.accepted_until else None,
        "closedBy": users[defect.closed_by] if defect.closed_at else None,
        "closedAt": json_moment(defect.closed_at),
        "attachments": [AttachmentReply.write(each) for each in attachments],
    }


_EVENT_DAY = {"format": "date", "example": None}


class HappeningReply(Reply):
    """Something that happened to a defect; what doesn't apply to it is null or empty."""

    what = fields.String(metadata={"enum": list(Happening), "example": "seen"})
    at = fields.String(metadata={"format": "date-time", "example": "2026-01-15T12:50:00Z"})
    by = fields.List(
        fields.String(),
        metadata={"description": "Several for sightings that tell the same", "example": ["r.amos"]},
    )
    days = fields.List(
        fields.String(),
        metadata={"description": "When it was reported or seen", "example": ["2026-01-15"]},
    )
    text = fields.String(
        metadata={
            "description": "The note, what was seen, or the files",
            "example": "Glass loose",
        }
    )
    checkId = fields.Integer(allow_none=True, metadata={"example": 1042})  # noqa: N815
    answer = fields.String(
        allow_none=True, metadata={"enum": [*SightingAnswer, None], "example": "yes"}
    )
    severity = fields.String(
        allow_none=True,
        metadata={
            "enum": [*Severity, None],
            "description": "Of an assessment, or stop where it was seen to be one",
            "example": None,
        },
    )
    isBeforeRepair = fields.Boolean(  # noqa: N815
        metadata={"description": "Seen before it was repaired or closed", "example": False}
    )
    garage = fields.String(metadata={"example": ""})
    bookedFor = fields.String(allow_none=True, metadata=_EVENT_DAY)  # noqa: N815
    repair = REPAIRS.reply(
        "Of what was reported, the repair whose undo opened the defect", null=True
    )
    closing = fields.String(allow_none=True, metadata={"enum": [*Closing, None], "example": None})


class DefectItemReply(DefectReply):
    """A defect with what happened to it, the newest first."""

    timeline = fields.List(fields.Nested(HappeningReply))


def happening_json(entry: TimelineEntry) -> dict[str, Any]:
    """Return an entry of a defect's timeline as JSON."""
    repair = entry.repair.number if entry.repair else entry.undone
    return {
        "what": entry.happening.value,
        "at": json_moment(entry.at),
        "by": list(entry.who),
        "days": [day.isoformat() for day in entry.days],
        "text": entry.text,
        "checkId": entry.check_id,
        "answer": entry.answer,
        "severity": entry.severity,
        "isBeforeRepair": entry.is_before_repair,
        "garage": entry.garage,
        "bookedFor": entry.booked_for.isoformat() if entry.booked_for else None,
        "repair": None if repair is None else str(ReferenceNumber(Series.REPAIR, repair)),
        "closing": entry.closing,
    }

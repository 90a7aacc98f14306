"""JSON of due items and plans."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from marshmallow import fields, missing, validate

from app.api import replies
from app.api.fields import FullMessage, json_field
from app.api.lists import FilteredPaging
from app.api.replies import Reply, reply_of
from app.api.schemas import Body, NotEmpty, body_of
from app.attachments.schemas import AttachmentReply, attachments_field
from app.due.models import DuePlan
from app.due.queries.due import DueRow
from app.due.queries.plans import plan_rows
from app.due.rules import fields as due_fields
from app.due.rules.due import DueGroup, DueState
from app.due.rules.fields import Blocks, DoneResult, DueClosing, DueKind
from app.due.rules.next_due import NextDue, Proposed
from app.due.rules.plans import PlanDraft
from app.due.services.done import DoneValues
from app.due.services.due import DueValues
from app.due.services.imports import DueLine
from app.errors import Invalid
from app.fields import fields_of
from app.fleet.rules.vehicles import UPKEEP
from app.fleet.schemas.numbers import DEFECTS
from app.fleet.schemas.vehicles import Plate, VehicleFilter, read_plate
from app.records.record import Column, Record
from app.tables.columns import Prepared
from app.tables.csv_files import FileLines, Table, cell_reader

CLOSED = "closed"
"""The state of an item that isn't open any more."""

_REGS: dict[str, Any] = {"example": ["LK19 VTE"]}


class DuePaging(FilteredPaging):
    """The filters of items, and the part of the list; without `limit` the whole list is sent."""

    vehicle = VehicleFilter()
    kind = fields.String(validate=validate.OneOf(list(DueKind)))
    group = fields.String(
        validate=validate.OneOf(list(DueGroup)),
        metadata={"description": "How urgent they are", "example": "overdue"},
    )


@body_of(DueValues)
class DueBody(Body):
    """A new item of a vehicle, or one that several share."""

    regs = fields.List(Plate(), required=True, validate=validate.Length(1, 1000), metadata=_REGS)


class ChangeBody(Body):
    """What changes of a record; a field that is missing stays as it is."""

    field_rules = (NotEmpty(FullMessage("Send what changes.")),)

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:  # noqa: ARG002
        """Take a field's default away: without the field nothing changes."""
        field_obj.load_default = missing

    def made(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that change."""
        return self.values(data)


@body_of(DueValues, without=("kind",))
class DueChangeBody(ChangeBody):
    """What changes of an item; a field that is missing stays as it is."""

    regs = fields.List(
        Plate(),
        validate=validate.Length(1, 1000),
        metadata=_REGS | {"description": "Which vehicles share it; an item of one stays with it"},
    )


class SnoozeBody(Body):
    """Until when an item is quiet, and why."""

    until = json_field(due_fields.UNTIL)
    reason = json_field(due_fields.REASON)


_NEXT: dict[str, Any] = {
    "load_default": missing,
    "metadata": {"description": "As the rules propose it if it is missing, never if it is null"},
}


@body_of(DoneValues)
class DoneBody(Body):
    """What was done about an item, and when it is due again."""

    next_due_on = json_field(fields_of(DoneValues)["next_due_on"], **_NEXT)
    next_due_miles = json_field(fields_of(DoneValues)["next_due_miles"], **_NEXT)
    defects = fields.List(
        fields.String(validate=validate.Length(1, 200), metadata={"example": "Front tyre worn"}),
        load_default=list,
        validate=validate.Length(max=50),
        metadata={"description": "Advisories, or what failed", "example": []},
    )
    attachments = attachments_field()

    def made(self, data: Mapping[str, Any]) -> Any:
        """Return what was done and its files; what isn't sent of the next item is proposed."""
        return super().made({"next_due_on": Proposed(), "next_due_miles": Proposed(), **data})


class DueReply(Reply):
    """An open item as it stands today."""

    id = replies.number(12)
    regs = replies.texts(["LK19 VTE"], lambda row: row.vehicles.values())
    kind = replies.choice(DueKind, "mot", "terms.kind")
    label = replies.text("MOT", "terms.label")
    due_on = replies.of(due_fields.DUE_ON, "terms.due_on")
    due_miles = replies.of(due_fields.DUE_MILES, "terms.due_miles")
    state = replies.choice(DueState, "soon", "standing.state")
    expected_on = replies.day(
        "2027-01-12",
        "standing.expected_on",
        null=True,
        description="When its mileage is reached by the forecast",
    )
    miles_left = replies.number(1200, "standing.miles_left", null=True)
    forecast = replies.text("about 12 Jan, from 8 readings", "standing.basis")
    blocks = replies.choice(Blocks, "block", "terms.blocks")
    plan = replies.number(3, "plan_id", null=True)
    snoozed_until = replies.day(None, "terms.snoozed_until", null=True)


class DoneReply(Reply):
    """What was done, and the item that follows."""

    id = replies.number(7, "done_id")
    item = replies.number(12, "item_id")
    result = replies.choice(DoneResult, "pass")
    next_item = replies.number(13, "next_item_id", null=True)
    defects = fields.List(DEFECTS.reply(), metadata={"example": []})
    is_reading_doubtful = replies.flag(False, "has_doubtful_reading")


@reply_of(DoneValues, at="done")
class DoneEntryReply(Reply):
    """What was done of an item's kind for its vehicle; taken back if `undoneAt` isn't null."""

    id = replies.number(7, "done.id")
    item = replies.number(12, "done.due_item_id")
    next_item = replies.number(13, "done.next_item_id", null=True)
    defect = DEFECTS.reply("The first defect that it opened", null=True)
    recorded_by = replies.text("k.lee")
    recorded_at = replies.moment("2026-01-15T12:50:00Z", "done.recorded_at")
    undone_by = replies.text("")
    undone_at = replies.moment(None, "done.undone_at", null=True)
    attachments = replies.rows(AttachmentReply)


class DueItemReply(DueReply):
    """An item, also one that is closed, with what was done of its kind, the last first."""

    state = replies.choice([*DueState, CLOSED], "soon", "standing.state")
    snooze_reason = replies.text("")
    closing = replies.choice(
        DueClosing, None, null=True, description="Why it is closed; null while it is open"
    )
    closed_by = replies.text("")
    closed_at = replies.moment(None, null=True)
    done = replies.rows(DoneEntryReply, convert=list)


_PLAN_REGS: dict[str, Any] = {"description": "Where it applies to vehicles", **_REGS}


@body_of(PlanDraft)
class PlanBody(Body):
    """A plan; without `firstDueOn` its first days follow earlier work, or are spread."""

    regs = fields.List(
        Plate(), load_default=list, validate=validate.Length(max=5000), metadata=_PLAN_REGS
    )


class PlanChangeBody(ChangeBody, PlanBody):
    """What changes of a plan; a field that is missing stays as it is."""


@reply_of(PlanDraft, without=("first_due_on",), at="plan")
class PlanReply(Reply):
    """A plan, and how many open items it has."""

    id = replies.number(3, "plan.id")
    label = replies.text("8-weekly inspection", "plan.label")
    classification = replies.text("", "plan.classification")
    regs = replies.texts(**_PLAN_REGS)
    is_active = replies.flag(True, "plan.is_active")
    open_items = replies.number(14)


class PlanChangeReply(PlanReply):
    """A plan that was saved, and what that did to items."""

    effects = replies.text("Makes 14 items, the first on 3 Dec 2026.")


PLAN_LIST = Record(
    name="plan",
    plural="plans",
    list_name=UPKEEP,
    model=DuePlan,
    rows=plan_rows,
    columns=(),
    order=[DuePlan.id],
    key=DuePlan.id,
)

DueOfVehicle = tuple[DueRow, str]
"""An item, and the registration of one of its vehicles."""

DUE_FILE: Sequence[Column[DueOfVehicle]] = (
    Column("reg", lambda line: line[1], heading="Registration"),
    Column("kind", lambda line: line[0].terms.kind, field=due_fields.KIND),
    Column("due_on", lambda line: line[0].terms.due_on, field=due_fields.DUE_ON),
    Column("due_miles", lambda line: line[0].terms.due_miles, field=due_fields.DUE_MILES),
    Column("label", lambda line: line[0].terms.label, field=due_fields.LABEL),
)


def read_due(source: Prepared) -> FileLines[DueLine]:
    """Read a file of due items. Raises FileErrors for any other file."""
    table, lines = Table(source), []
    for cells in table:
        due_on: date | None = cells.read("due_on", cell_reader(due_fields.DUE_ON))
        due_miles: int | None = cells.read("due_miles", cell_reader(due_fields.DUE_MILES))
        reg = read_plate(cells)
        kind: DueKind = cells.read("kind", cell_reader(due_fields.KIND), DueKind.OTHER)
        try:
            if cells.is_valid:
                due_fields.check_due(kind, due_on, due_miles)
        except Invalid as error:
            cells.refuse(error.field or "due_on", error.message)
        label: str = cells.read("label", cell_reader(due_fields.LABEL), "")
        lines.append(DueLine(cells, reg, kind, NextDue(due_on, due_miles), label))
    return FileLines(table, lines)


def due_lines(items: Iterable[DueRow]) -> Iterator[DueOfVehicle]:
    """Yield items once for each vehicle that shares them."""
    return ((item, reg) for item in items for _, reg in sorted(item.vehicles.items()))

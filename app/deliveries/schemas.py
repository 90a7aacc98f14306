"""JSON bodies and replies of deliveries."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar

from marshmallow import fields, validate
from sqlalchemy import ColumnElement

from app import dates
from app.api import replies
from app.api.fields import FullMessage, JsonFlag, JsonMoment, JsonText, JsonWholeNumber, json_field
from app.api.schemas import Body, body_of
from app.day_counts import Days
from app.deliveries import queries, rules
from app.deliveries.models import Delivery
from app.deliveries.rules import DeliveryOrder, DeliveryStatus, list_of
from app.deliveries.services.imports import DeliveryLine
from app.divisions import Division, Site
from app.fields import Day, Pounds, WholeNumber, fields_of
from app.money import MAX_AMOUNT
from app.paging import MAX_ID
from app.records.filters import OneOf, Search
from app.records.record import Column, Query, Record, columns_at, columns_of
from app.sorting import SortOrder
from app.stock.rules.items import NAME
from app.tables.columns import Prepared
from app.tables.csv_files import FileLines, Table, cell_reader

_NUMBER = WholeNumber(label="Delivery", minimum=1, maximum=MAX_ID, default=None)

_ORDER: Sequence[Column[Delivery]] = [*columns_of(DeliveryOrder, lambda delivery: delivery)]

DELIVERY_FILE: Sequence[Column[Delivery]] = [
    Column("delivery", attrgetter("id"), field=_NUMBER),
    *(column for column in _ORDER if column.name not in rules.NOTED_LATER),
]
"""The columns of pending deliveries; a new one has no `delivery`, which is our number of it."""

WHOLE_FILE: Sequence[Column[Delivery]] = [
    *DELIVERY_FILE,
    *(column for column in _ORDER if column.name in rules.NOTED_LATER),
    Column("orderNumber", attrgetter("reference")),
    *columns_at("delivered_at", "cancelled_at", "cancel_reason"),
]
"""The columns of deliveries of any status."""


def read_deliveries(source: Prepared) -> FileLines[DeliveryLine]:
    """Read a file of pending deliveries. Raises FileErrors for any other file."""
    table, number = Table(source), DELIVERY_FILE[0].name
    fields = [column.field for column in DELIVERY_FILE[1:] if column.field]
    readers = [(field.name, field.json, cell_reader(field)) for field in fields]
    lines = []
    for cells in table:
        read = {name: cells.read(column, reader, ...) for name, column, reader in readers}
        values = {name: value for name, value in read.items() if value is not ...}
        id_ = cells.read(number, cell_reader(_NUMBER))
        cells.refuse_repeated(number, str(id_), str(id_ or ""))
        lines.append(DeliveryLine(cells, id_, values))
    return FileLines(table, lines)


_SITES = [site.value for site in Site]

_UNCHANGED: dict[str, Any] = {"load_default": None, "allow_none": True}


@body_of(DeliveryOrder, without=rules.NOTED_LATER)
class OrderBody(Body):
    """The order of a delivery; its cost is in pounds for one."""

    aliases: ClassVar = {"name": "item", "qty": "amount"}

    item = JsonText(limit=NAME.limit, what="Item", required=True, metadata={"example": "GLASS"})
    amount = JsonWholeNumber(
        required=True,
        validate=[
            validate.Range(min=1, error=FullMessage("Amount must be at least 1")),
            validate.Range(max=MAX_AMOUNT),
        ],
        metadata={"example": 79},
    )
    office = fields.String(
        load_default=Site.MAIN.value,
        allow_none=True,
        validate=validate.OneOf(["", *_SITES], error=f"Must be one of: {', '.join(_SITES)}."),
        metadata={
            "description": f"A site of the division; empty or null is {Site.MAIN}",
            "example": Site.MAIN.value,
        },
    )
    ordered_on = json_field(
        fields_of(DeliveryOrder)["ordered_on"],
        required=False,
        load_default=dates.today,
        metadata={"description": "The day; today if missing"},
    )
    expected_on = json_field(
        fields_of(DeliveryOrder)["expected_on"],
        metadata={"description": "The day on which it should come; null if nobody has said"},
    )

    def values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the order, with the main office for none."""
        return super().values(data) | {"office": Site(data["office"] or Site.MAIN)}

    def made(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the order, and what a body has besides it."""
        others = {name: data[name] for name in data if name not in fields_of(DeliveryOrder)}
        return {"values": super().made(data), **others}


@body_of(DeliveryOrder)
class DeliveryBody(OrderBody):
    """A new delivery, maybe a further line of an order."""

    order_number = fields.String(
        load_default="",
        data_key="orderNumber",
        validate=validate.Regexp(
            "^(O-[0-9]{4,9})?$", error="Must be the number of an order such as O-0031."
        ),
        metadata={"description": "A new order if missing", "example": ""},
    )


class OrderEditBody(OrderBody):
    """Another order for a pending delivery; a field that is missing gets its default."""

    revision = JsonWholeNumber(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The delivery's revision that this is based on; if it has changed "
            "since, the reply is 409",
            "example": 0,
        },
    )


class CancellationBody(Body):
    """Whether a delivery is cancelled, and why."""

    cancelled = JsonFlag(
        required=True, metadata={"description": "false schedules it again", "example": True}
    )
    reason = json_field(rules.CANCEL_REASON)


class ArrivalBody(Body):
    """When a delivery arrived; a confirmation or recipient that is missing stays as it was."""

    delivered_date = JsonMoment(
        required=True,
        allow_none=True,
        metadata={
            "description": "A time or a day. null keeps it pending.",
            "example": "2011-12-09T12:50:00Z",
        },
    )
    received = json_field(rules.RECEIVED)
    confirmation = json_field(rules.CONFIRMATION, **_UNCHANGED)
    recipient = json_field(rules.RECIPIENT, **_UNCHANGED)


@replies.reply_of(DeliveryOrder)
class DeliveryReply(replies.Reply):
    """A delivery; it is pending while deliveredDate and cancelledDate are null."""

    id_ = replies.number(12, "id", data_key="_id")
    amount = replies.number(79)
    delivered_date = replies.moment("2011-12-09T12:50:00Z", "delivered_at", null=True)
    revision = replies.number(0, description="Counts its edits")
    order_number = replies.text("O-0031", "reference", description="Lines of an order share it")
    ordered_amount = replies.number(79, "ordered", description="`amount` is what came of it")
    rest_of = replies.number(None, "rest_of_id", null=True, description="What came in part")
    cancelled_date = replies.moment(None, "cancelled_at", null=True)
    cancel_reason = replies.text("")


def _column(name: str, heading: str, column: Any, **options: Any) -> Column[Delivery]:
    return Column(name, heading=heading, by=[column], **options)


_COLUMNS = [
    _column("item", "Item", Delivery.item),
    _column("amount", "Amount", Delivery.amount, field=rules.AMOUNT),
    _column("cost", "Unit Cost", Delivery.unit_cost, field=Pounds()),
    _column("supplier", "Supplier", Delivery.supplier),
    _column("office", "Office", Delivery.office),
    _column("by", "Ordered By", Delivery.ordered_by),
]
_ORDERED = _column("ordered", "Ordered", Delivery.ordered_on, field=Day())
_DUE = _column("expected", "Due", Delivery.due_on, field=Day(), indexed=True)
_DELIVERED = _column("delivered", "Delivered", Delivery.delivered_at, field=Day(), indexed=True)
_CANCELLED = _column("cancelled", "Cancelled", Delivery.cancelled_at, field=Day(), indexed=True)


def _delivery_list(
    name: str,
    days: Sequence[Column[Delivery]],
    default: SortOrder,
    scope: ColumnElement[bool],
    *filters: OneOf,
) -> Record[Delivery]:
    return Record(
        name="delivery",
        plural=name,
        list_name=list_of(Division.GPM),
        model=Delivery,
        scope=lambda: [scope],
        filters=[Search(column=Delivery.search_key, example="cloche"), *filters],
        columns=[*_COLUMNS, *days],
        order=[Delivery.id],
        default=default,
        key=Delivery.id,
    )


_BY_STATUS = {
    DeliveryStatus.PENDING: (
        [replace(_ORDERED, indexed=True), _DUE, Column("came", heading="Delivered")],
        SortOrder("expected"),
    ),
    DeliveryStatus.DELIVERED: ([_ORDERED, _DELIVERED], SortOrder("delivered", descending=True)),
    DeliveryStatus.CANCELLED: ([_ORDERED, _CANCELLED], SortOrder("cancelled", descending=True)),
}
"""The days of the deliveries of each status, and the order of their page."""

# The index of each day holds the deliveries of one status alone.
_PENDING: dict[str, Any] = {"indexed": True, "within": ("status", DeliveryStatus.PENDING.value)}

DELIVERY_LIST = _delivery_list(
    "deliveries",
    [
        replace(_ORDERED, **_PENDING),
        replace(_DUE, **_PENDING),
        replace(_DELIVERED, within=("status", DeliveryStatus.DELIVERED.value)),
    ],
    SortOrder("expected"),
    Delivery.cancelled_at.is_(None),
    OneOf(
        name="status",
        choices={"pending": "Pending", "delivered": "Delivered"},
        conditions=lambda value: [queries.IS_OF[DeliveryStatus(value)]],
        description="What has become of it; all of them without it",
        example="pending",
    ),
)
CANCELLED_LIST = _delivery_list(
    "cancelled-deliveries",
    *_BY_STATUS[DeliveryStatus.CANCELLED],
    queries.IS_OF[DeliveryStatus.CANCELLED],
)


def list_for(division: Division, record: Record[Delivery]) -> Record[Delivery]:
    """Return a list of deliveries with a division's alone."""
    scope = [Delivery.division == division, *record.scope()]
    return replace(record, list_name=list_of(division), scope=lambda: scope)


def status_list(division: Division, status: DeliveryStatus) -> Record[Delivery]:
    """Return the deliveries of a status as their page lists them."""
    days, default = _BY_STATUS[status]
    actions = Column[Delivery]("actions", heading="Actions", css_class="acts", changes=True)
    listed = list_for(
        division, _delivery_list("deliveries", [*days, actions], default, queries.IS_OF[status])
    )

    def counted(query: Query) -> Days | None:
        order = query.order if query.order and listed.has_index(query) else default
        return None if query else Days([list_of(division, queries.COUNTED_BY[order.by])])

    # Pending deliveries can be imported again.
    file = DELIVERY_FILE if status is DeliveryStatus.PENDING else WHOLE_FILE
    return replace(listed, order=listed.order_by(default), days=counted, file=file)

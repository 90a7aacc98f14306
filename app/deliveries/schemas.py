"""JSON bodies and replies of deliveries."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from marshmallow import fields, validate

from app import dates
from app.api import replies
from app.api.fields import (
    FullMessage,
    JsonDay,
    JsonFlag,
    JsonMoment,
    JsonText,
    JsonWholeNumber,
    json_field,
    json_moment,
    json_writer,
)
from app.api.replies import Reply, reply_of
from app.api.schemas import Body, body_of
from app.day_counts import Days
from app.deliveries import queries, rules, services
from app.deliveries.models import Delivery
from app.deliveries.rules import ORDERS, DeliveryOrder, DeliveryStatus
from app.divisions import Site
from app.fields import Day, fields_of
from app.money import MAX_AMOUNT
from app.records.filters import OneOf, Search
from app.records.record import Query, Record, sort_columns
from app.sorting import SortColumn, SortColumns
from app.stock.rules.items import NAME

_OFFICES = [office.value for office in rules.OFFICES]

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
        load_default=rules.OFFICES[0].value,
        allow_none=True,
        validate=validate.OneOf(["", *_OFFICES], error=f"Must be one of: {', '.join(_OFFICES)}."),
        metadata={
            "description": f"Empty or null is {rules.OFFICES[0]}",
            "example": rules.OFFICES[0].value,
        },
    )
    ordered_on = JsonDay(
        days_ahead=rules.MAX_DAYS_AHEAD,
        load_default=dates.today,
        metadata={"description": "The day; today if missing", "example": "2011-12-09"},
    )
    expected_on = json_field(
        fields_of(DeliveryOrder)["expected_on"],
        metadata={"description": "The day on which it should come; null if nobody has said"},
    )

    def values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of the order, with the first office for none."""
        return super().values(data) | {"office": Site(data["office"] or rules.OFFICES[0])}


@body_of(DeliveryOrder)
class DeliveryBody(OrderBody):
    """A new delivery."""


@dataclass(frozen=True)
class OrderEdit:
    """Another order for a delivery, and the revision of the delivery that it is based on."""

    order: DeliveryOrder
    revision: int | None


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

    def made(self, data: Mapping[str, Any]) -> OrderEdit:
        """Return the order, and the revision that it is based on."""
        return OrderEdit(super().made(data), data["revision"])


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
    confirmation = json_field(rules.CONFIRMATION, **_UNCHANGED)
    recipient = json_field(rules.RECIPIENT, **_UNCHANGED)


_WRITE_DAY = json_writer(Day())


@reply_of(DeliveryOrder)
class DeliveryReply(Reply):
    """A delivery; it is pending while deliveredDate and cancelledDate are null."""

    id_ = replies.number(12, "id", data_key="_id")
    item = replies.text("HAND WARMER UNION JACK")
    amount = replies.number(79)
    office = replies.text("main", "office.value")
    ordered_date = replies.text("2011-12-09", "ordered_on", convert=_WRITE_DAY)
    delivered_date = replies.text(
        "2011-12-09T12:50:00Z", "delivered_at", null=True, convert=json_moment
    )
    expected_date = replies.text("2011-12-16", "expected_on", null=True, convert=_WRITE_DAY)
    revision = replies.number(0, description="Counts its edits")
    cancelled_date = replies.text(None, "cancelled_at", null=True, convert=json_moment)
    cancel_reason = replies.text("")


def _delivery_list(name: str, *statuses: DeliveryStatus) -> Record[Delivery]:
    """Return the list of the deliveries of some statuses, as its call has it."""
    first = ORDERS[statuses[0]]
    status = OneOf(
        name="status",
        choices={each.value: each.value.capitalize() for each in statuses},
        conditions=lambda value: [queries.is_of(DeliveryStatus(value))],
        description="What has become of it; all of them without it",
        example=statuses[0].value,
    )
    has_choice = len(statuses) > 1
    orders: dict[str, SortColumn] = {}
    within: dict[str, tuple[str, str]] = {}
    for each in statuses:
        for column, sort in ORDERS[each].columns.items():
            orders[column] = sort if sort.indexed else orders.get(column, sort)
            if sort.indexed and has_choice:
                # The index holds the deliveries of this status alone.
                within[column] = ("status", each.value)
    by = {column: [queries.SORTED_BY[column]] for column in orders}
    is_cancelled = Delivery.cancelled_at.is_not(None)
    return Record(
        name="delivery",
        plural=name,
        list_name=services.LIST,
        model=Delivery,
        scope=lambda: [~is_cancelled if has_choice else is_cancelled],
        filters=[
            Search(column=Delivery.search_key, example="cloche"),
            *([status] if has_choice else []),
        ],
        columns=sort_columns(SortColumns(orders, first.default), by, within),
        listed=list(orders),
        order=[Delivery.id],
        default=first.default,
        key=Delivery.id,
    )


DELIVERY_LIST = _delivery_list("deliveries", DeliveryStatus.PENDING, DeliveryStatus.DELIVERED)
CANCELLED_LIST = _delivery_list("cancelled-deliveries", DeliveryStatus.CANCELLED)


def status_list(status: DeliveryStatus) -> Record[Delivery]:
    """Return the deliveries of a status as their page lists them."""
    of_status, orders = _delivery_list("deliveries", status), ORDERS[status]

    def days(query: Query) -> Days | None:
        order = query.order if query.order and of_status.has_index(query) else orders.default
        return None if query else Days([queries.COUNTED_BY[order.by]])

    return replace(
        of_status,
        scope=lambda: [queries.is_of(status)],
        order=of_status.order_by(orders.default),
        days=days,
    )

"""Schedule deliveries, note details of them, and receive them into stock."""

from dataclasses import dataclass
from datetime import date, datetime

from app import dates, names
from app.accounts import queries as accounts
from app.audit.rules import Event
from app.audit.services import record
from app.day_counts import change_counts
from app.db import advisory_lock, db
from app.deliveries import queries, rules
from app.deliveries.models import Delivery
from app.deliveries.rules import DeliveryOrder
from app.errors import AlreadyUndone, Conflict
from app.stock.queries.locks import lock_items
from app.stock.services.ledger import OperationDetails, Step, record_operation
from app.versions import increment_version

LIST = "deliveries"
"""The data version of the list, which every change here increments."""


@dataclass(frozen=True)
class ScheduleResult:
    """A delivery that was scheduled."""

    id: int
    item: str
    amount: int


@dataclass(frozen=True)
class MarkDeliveredResult:
    """A delivery that was received, with its item's amount in stock before and after."""

    id: int
    item: str
    amount: int
    before: int
    after: int
    operation: int


class AlreadyDelivered(Conflict):
    """The delivery was marked delivered before."""


class NotUndone(Conflict):
    """The stock of the delivery wasn't undone, so it can't be taken in again."""


def schedule(order: DeliveryOrder, *, by: int | None) -> ScheduleResult:
    """Schedule a delivery; stock doesn't change."""
    delivery = Delivery(
        item=order.item,
        amount=order.amount,
        unit_cost=order.unit_cost,
        supplier=order.supplier,
        office=order.office,
        ordered_by=order.ordered_by,
        ordered_on=order.ordered_on,
        scheduled_by=by,
    )
    _set_details(delivery, order.confirmation, order.recipient)
    db.session.add(delivery)
    db.session.flush()
    increment_version(LIST)
    change_counts({(queries.PENDING, delivery.ordered_on): 1})
    return ScheduleResult(delivery.id, delivery.item, delivery.amount)


def mark_delivered(
    delivery_id: int,
    *,
    confirmation: str | None,
    recipient: str | None,
    at: datetime | None = None,
    by: int | None,
) -> MarkDeliveredResult:
    """Mark a delivery delivered, now or `at` a time, and receive it into stock.

    A confirmation or recipient of None stays as it was. Raises NotFound, AlreadyDelivered, and
    Conflict when the item's amount would exceed its limit.
    """
    delivery = queries.lock_delivery(delivery_id)
    if delivery.delivered_at is not None:
        raise AlreadyDelivered(f"{describe_delivered(delivery)} Nothing was added again.")
    at = at or dates.utc_now()
    result = _receive(delivery, dates.london_day(at), by)
    delivery.delivered_at = at
    delivery.delivered_by = by
    delivery.operation_id = result.operation
    _set_details(delivery, confirmation, recipient)
    db.session.flush()
    increment_version(LIST)
    received = (queries.RECEIVED, dates.london_day(at))
    change_counts({(queries.PENDING, delivery.ordered_on): -1, received: 1})
    return result


def deliver_again(delivery_id: int, *, by: int | None) -> MarkDeliveredResult:
    """Take the stock of a delivery in again after it was undone; the delivery stays delivered.

    The operation undoes the undo, so the stock comes back once: here or by Undo in the history.
    Raises NotFound, NotUndone, and Conflict when the item's amount would exceed its limit.
    """
    delivery = queries.lock_delivery(delivery_id)
    undoing = queries.undone_stock([delivery]).get(delivery.id)
    if undoing is None:
        raise NotUndone(f"{describe_not_undone(delivery)} Nothing was added.")
    try:
        result = _receive(delivery, dates.today(), by, undoes=undoing.operation_id)
    except AlreadyUndone as error:
        raise NotUndone(f"{rules.IN_STOCK} Nothing was added.") from error
    delivery.operation_id = result.operation
    db.session.flush()
    increment_version(LIST)
    undone = f"gpm operation {undoing.operation_id}"
    record(Event.UNDO, undone, by=by, operation=result.operation)
    return result


def note_delivery(delivery_id: int, *, confirmation: str | None, recipient: str | None) -> None:
    """Store the confirmation or recipient of a pending delivery; None leaves one as it was.

    Raises NotFound, and Conflict for a delivered one, which never goes back to pending.
    """
    delivery = queries.lock_delivery(delivery_id)
    if delivery.delivered_at is not None:
        raise Conflict("A delivery never goes back to pending.")
    _set_details(delivery, confirmation, recipient)
    db.session.flush()
    increment_version(LIST)


def describe_delivered(delivery: Delivery) -> str:
    """Return a sentence on when and by whom a delivery was marked delivered, '' if pending."""
    if delivery.delivered_at is None:
        return ""
    day = dates.format_day(dates.london_day(delivery.delivered_at))
    usernames = accounts.usernames([delivery.delivered_by]) if delivery.delivered_by else {}
    by = "".join(f" by {username}" for username in usernames.values())
    return f"This delivery was marked delivered already, on {day}{by}."


def describe_not_undone(delivery: Delivery) -> str:
    """Return a sentence on why a delivery can't be delivered again."""
    return rules.NOT_DELIVERED if delivery.delivered_at is None else rules.IN_STOCK


def _receive(
    delivery: Delivery, on: date, by: int | None, *, undoes: int | None = None
) -> MarkDeliveredResult:
    store = rules.store_of(delivery.office)
    # Of two deliveries of one new item the second waits here, and then finds it in stock.
    advisory_lock(f"item of {store.division} {store.site}: {names.key(delivery.item)}")
    stock = lock_items([store], [delivery.item])
    existing = next(iter(stock.at(store)), None)
    receipt = rules.plan_receipt(delivery.item, delivery.amount, delivery.unit_cost, existing, on)
    details = OperationDetails(by=by, on=on, team=rules.TEAM, reason=receipt.reason)
    recorded = record_operation(stock, [Step(store, receipt.operations)], details, undoes=undoes)
    line = recorded.lines[0]
    return MarkDeliveredResult(
        id=delivery.id,
        item=line.after.name,
        amount=delivery.amount,
        before=line.before.amount,
        after=line.after.amount,
        operation=recorded.id,
    )


def _set_details(delivery: Delivery, confirmation: str | None, recipient: str | None) -> None:
    """Set the details that aren't None, and with them the text that is searched."""
    if confirmation is not None:
        delivery.confirmation = confirmation
    if recipient is not None:
        delivery.recipient = recipient
    delivery.search_key = rules.search_key(
        delivery.item,
        delivery.supplier,
        delivery.office,
        delivery.ordered_by,
        delivery.recipient,
        delivery.confirmation,
    )

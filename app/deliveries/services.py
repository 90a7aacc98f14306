"""Schedule, edit and cancel deliveries, note details of them, and receive them into stock."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, datetime

from app import dates, fields, names
from app.accounts import queries as accounts
from app.day_counts import Changes, change_counts
from app.db import advisory_lock, db
from app.deliveries import queries, rules
from app.deliveries.models import Delivery, DeliveryUndo
from app.deliveries.rules import ChangeKind, DeliveryOrder
from app.divisions import Division
from app.errors import Conflict, EditConflict
from app.events.rules import OTHER_FIELDS, EventKind, Values, differences, values_of
from app.events.services import record_event
from app.idempotency import UNSTAMPED, Stamp
from app.search import search_key
from app.stock.queries import operations
from app.stock.queries.locks import lock_items
from app.stock.services.ledger import OperationDetails, Step, record_operation
from app.stock.services.movements import operation_undone, undo_requested
from app.versions import increment_version

_RECORDED_TEXTS = ("item", "supplier")
"""The texts of an order that its events have; the others can be names of people."""

_SEARCHED_TEXTS = ("item", "supplier", "office", "ordered_by", "recipient", "confirmation")


@dataclass(frozen=True)
class MarkDeliveredResult:
    """A delivery that was received, with its item's amount in stock before and after."""

    id: int
    item: str
    amount: int
    before: int
    after: int
    operation: int


@dataclass(frozen=True)
class OrderChange:
    """A delivery whose order was scheduled, edited, cancelled or scheduled again."""

    id: int
    item: str
    amount: int


def schedule(division: Division, values: DeliveryOrder, *, by: int | None) -> OrderChange:
    """Schedule a delivery; stock doesn't change. Raises Invalid."""
    rules.check_order(division, values)
    delivery = Delivery(division=division, scheduled_by=by)
    _set_order(delivery, values)
    db.session.add(delivery)
    db.session.flush()
    after = values_of(values, texts=_RECORDED_TEXTS)
    _record(EventKind.DELIVERY_SCHEDULED, delivery, by, after=after)
    increment_version(rules.list_of(division))
    change_counts(_pending(delivery, 1))
    return _order_change(delivery)


def edit(
    division: Division,
    delivery_id: int,
    values: DeliveryOrder,
    *,
    revision: int | None,
    by: int | None,
) -> OrderChange:
    """Give a pending delivery another order; its confirmation and recipient stay.

    Raises NotFound, Conflict, Invalid, and EditConflict when it has changed since `revision`.
    """
    rules.check_order(division, values)
    delivery = _lock_pending(division, delivery_id, "Nothing was changed.")
    if revision is not None and delivery.revision != revision:
        raise EditConflict("delivery")
    before = fields.state_of(DeliveryOrder, delivery)
    order = replace(values, confirmation=before.confirmation, recipient=before.recipient)
    if order != before:
        counts = Counter(_pending(delivery, -1))
        _set_order(delivery, order)
        counts.update(_pending(delivery, 1))
        changed = differences(before, order, texts=_RECORDED_TEXTS)
        _record(EventKind.DELIVERY_EDITED, delivery, by, before=changed[0], after=changed[1])
        edits = rules.differences(before, order)
        detail = ", ".join(f"{label} {old} → {new}" for label, old, new in edits)
        _add_change(delivery, ChangeKind.EDITED, detail, by)
        change_counts(counts)
    return _order_change(delivery)


def cancel(
    division: Division, delivery_id: int, *, cancel_reason: str, by: int | None
) -> OrderChange:
    """Cancel a pending delivery. Raises NotFound and Conflict."""
    delivery = _lock_pending(division, delivery_id, "Nothing was changed.")
    delivery.cancelled_at, delivery.cancelled_by = dates.utc_now(), by
    delivery.cancel_reason = cancel_reason
    _record(EventKind.DELIVERY_CANCELLED, delivery, by)
    _add_change(delivery, ChangeKind.CANCELLED, cancel_reason, by)
    cancelled = _counted(delivery, queries.CANCELLED, delivery.cancelled_at)
    change_counts({**_pending(delivery, -1), cancelled: 1})
    return _order_change(delivery)


def schedule_again(division: Division, delivery_id: int, *, by: int | None) -> OrderChange:
    """Make a cancelled delivery pending again. Raises NotFound, and Conflict for any other."""
    delivery = queries.lock_delivery(division, delivery_id)
    if delivery.cancelled_at is None:
        pending = "This delivery isn't cancelled, so it can't be scheduled again."
        raise Conflict(describe_closed(delivery) or pending)
    cancelled = _counted(delivery, queries.CANCELLED, delivery.cancelled_at)
    delivery.cancelled_at = delivery.cancelled_by = None
    delivery.cancel_reason = ""
    _record(EventKind.DELIVERY_SCHEDULED_AGAIN, delivery, by)
    _add_change(delivery, ChangeKind.SCHEDULED_AGAIN, "", by)
    change_counts({**_pending(delivery, 1), cancelled: -1})
    return _order_change(delivery)


def mark_delivered(
    division: Division,
    delivery_id: int,
    *,
    confirmation: str | None,
    recipient: str | None,
    at: datetime | None = None,
    by: int | None,
    stamp: Stamp = UNSTAMPED,
) -> MarkDeliveredResult:
    """Mark a delivery delivered, now or `at` a time, and receive it into stock.

    A confirmation or recipient of None stays as it was. Raises NotFound, and Conflict when it isn't
    pending or the item's amount would exceed its limit.
    """
    delivery = _lock_pending(division, delivery_id, "Nothing was added again.")
    at = at or dates.utc_now()
    result = _receive(delivery, dates.london_day(at), by, stamp)
    delivery.delivered_at, delivery.delivered_by = at, by
    delivery.operation_id = result.operation
    _set_details(delivery, confirmation, recipient)
    db.session.flush()
    _record(EventKind.DELIVERY_RECEIVED, delivery, by, after={"operation": result.operation})
    increment_version(rules.list_of(division))
    received = _counted(delivery, queries.RECEIVED, at)
    change_counts({**_pending(delivery, -1), received: 1})
    return result


def refuse_redo(operation_id: int) -> None:
    """Refuse to undo the undo of a delivery, whose stock would be added twice. Raises Conflict."""
    if queries.is_of_undone_delivery(operation_id):
        raise Conflict("Mark the delivery as delivered.")


def make_pending_again(operation_id: int, *, by: int | None) -> None:
    """Make the delivery that an undone operation received pending again, with its details."""
    delivery = queries.lock_delivery_of(operation_id)
    if delivery is None or delivery.operation_id is None or delivery.delivered_at is None:
        return
    received, at = delivery.operation_id, delivery.delivered_at
    # A redo leaves it delivered.
    if not operations.undoings([received]):
        return
    delivery.delivered_at = delivery.delivered_by = delivery.operation_id = None
    db.session.add(DeliveryUndo(operation_id=received, delivery_id=delivery.id))
    _record(EventKind.DELIVERY_SCHEDULED_AGAIN, delivery, by, before={"operation": received})
    detail = f"delivery of {dates.format_day(dates.london_day(at))} undone, operation {received}"
    _add_change(delivery, ChangeKind.SCHEDULED_AGAIN, detail, by)
    change_counts({**_pending(delivery, 1), _counted(delivery, queries.RECEIVED, at): -1})


def note_delivery(
    division: Division, delivery_id: int, *, confirmation: str | None, recipient: str | None
) -> None:
    """Store the confirmation or recipient of a pending delivery; None leaves one unchanged.

    Raises NotFound, and Conflict for any other; a delivered one never goes back to pending.
    """
    delivery = queries.lock_delivery(division, delivery_id)
    if delivery.delivered_at is not None:
        raise Conflict("A delivery never goes back to pending.")
    if not delivery.is_pending:
        raise Conflict(f"{describe_closed(delivery)} Nothing was changed.")
    _set_details(delivery, confirmation, recipient)
    db.session.flush()
    noted = {"confirmation": confirmation, "recipient": recipient}
    fields = [name for name, value in noted.items() if value is not None]
    _record(EventKind.DELIVERY_NOTED, delivery, None, after={OTHER_FIELDS: fields})
    increment_version(rules.list_of(division))


def describe_closed(delivery: Delivery) -> str:
    """Return when and by whom a delivery was delivered or cancelled; '' if it is pending."""
    if delivery.delivered_at is not None:
        what = "marked delivered already,"
        at, user = delivery.delivered_at, delivery.delivered_by
    elif delivery.cancelled_at is not None:
        what, at, user = "cancelled", delivery.cancelled_at, delivery.cancelled_by
    else:
        return ""
    day = dates.format_day(dates.london_day(at))
    username = accounts.usernames([user])[user]
    by = f" by {username}" if username else ""
    reason = f": {delivery.cancel_reason}" if delivery.cancel_reason else ""
    return f"This delivery was {what} on {day}{by}{reason}."


def _lock_pending(division: Division, delivery_id: int, refused: str) -> Delivery:
    """Lock a pending delivery; another one raises Conflict, with its state and `refused`."""
    delivery = queries.lock_delivery(division, delivery_id)
    if not delivery.is_pending:
        raise Conflict(f"{describe_closed(delivery)} {refused}")
    return delivery


def _add_change(delivery: Delivery, kind: ChangeKind, detail: str, by: int | None) -> None:
    """Note a change of a delivery, and increment its revision and the list's version."""
    at = dates.utc_now().isoformat(timespec="seconds")
    change = {"kind": kind, "at": at, "by": by, "detail": detail}
    delivery.changes = [*(delivery.changes or []), change]
    delivery.revision += 1
    db.session.flush()
    increment_version(rules.list_of(delivery.division))


def _record(kind: EventKind, delivery: Delivery, by: int | None, **values: Values) -> None:
    division = delivery.division
    record_event(kind, "delivery", delivery.id, division=division, by=by, **values)


def _order_change(delivery: Delivery) -> OrderChange:
    return OrderChange(delivery.id, delivery.item, delivery.amount)


def _receive(delivery: Delivery, on: date, by: int | None, stamp: Stamp) -> MarkDeliveredResult:
    store = delivery.store
    # Of two deliveries of one new item the second waits here, and then finds it in stock.
    advisory_lock(f"item of {store.division} {store.site}: {names.key(delivery.item)}")
    stock = lock_items([store], [delivery.item])
    existing = stock.by_key(store).get(names.key(delivery.item))
    operation, reason = rules.plan_receipt(
        delivery.item, delivery.amount, delivery.unit_cost, existing, on
    )
    details = OperationDetails(by=by, on=on, team=rules.TEAM, reason=reason, stamp=stamp)
    recorded = record_operation(stock, [Step(store, [operation])], details)
    line = recorded.lines[0]
    return MarkDeliveredResult(
        id=delivery.id,
        item=line.after.name,
        amount=delivery.amount,
        before=line.before.amount,
        after=line.after.amount,
        operation=recorded.id,
    )


def _pending(delivery: Delivery, number: int) -> Changes:
    """Return the changes of the pending numbers when this delivery's number changes."""
    division = delivery.division
    return {
        (rules.list_of(division, queries.PENDING), delivery.ordered_on): number,
        (rules.list_of(division, queries.DUE), delivery.due_on): number,
    }


def _counted(delivery: Delivery, name: str, at: datetime) -> tuple[str, date]:
    """Return the list and the day of which it is counted since a moment."""
    return rules.list_of(delivery.division, name), dates.london_day(at)


def _set_order(delivery: Delivery, order: DeliveryOrder) -> None:
    for name, value in fields.values_of(order).items():
        setattr(delivery, name, value)
    delivery.item_key = names.key(order.item)
    delivery.due_on = rules.due_on(order.ordered_on, order.expected_on)
    _set_details(delivery, None, None)


def _set_details(delivery: Delivery, confirmation: str | None, recipient: str | None) -> None:
    if confirmation is not None:
        delivery.confirmation = confirmation
    if recipient is not None:
        delivery.recipient = recipient
    delivery.search_key = search_key(names.key(getattr(delivery, name)) for name in _SEARCHED_TEXTS)


undo_requested.connect(refuse_redo)
operation_undone.connect(make_pending_again)

"""Receive deliveries into stock, whole or in part, and make them pending again."""

from dataclasses import dataclass, replace
from datetime import date, datetime

from app import dates, fields
from app.db import advisory_lock, db
from app.deliveries import queries, rules
from app.deliveries import services as orders
from app.deliveries.models import Delivery, DeliveryUndo
from app.deliveries.rules import ChangeKind, DeliveryOrder
from app.divisions import Division
from app.errors import Conflict
from app.events.rules import EventKind, values_of
from app.idempotency import UNSTAMPED, Stamp
from app.money import MAX_AMOUNT
from app.number_counter import next_number
from app.reference_numbers import Series
from app.stock.queries import operations
from app.stock.queries.locks import lock_items
from app.stock.services.ledger import OperationDetails, Step, record_operation
from app.stock.services.movements import operation_undone, undo_requested
from app.versions import increment_version


@dataclass(frozen=True)
class MarkDeliveredResult:
    """A received delivery, its item's amount in stock before and after, and the `rest` to come."""

    id: int
    item: str
    amount: int
    before: int
    after: int
    operation: int
    rest: int = 0


def mark_delivered(
    division: Division,
    delivery_id: int,
    *,
    received: int | None = None,
    confirmation: str | None,
    recipient: str | None,
    at: datetime | None = None,
    by: int | None,
    stamp: Stamp = UNSTAMPED,
) -> MarkDeliveredResult:
    """Mark a delivery delivered, now or `at` a time, and receive it into stock.

    Of a smaller amount `received` the rest stays pending as a line of the same order. A
    confirmation or recipient of None stays as it was. Raises NotFound, and Conflict when it isn't
    pending or the item's amount would exceed its limit.
    """
    delivery = orders.lock_pending(division, delivery_id, "Nothing was added again.")
    at = at or dates.utc_now()
    ordered = delivery.amount
    with orders.counted_anew(delivery) as changed:
        if received is not None and received != ordered:
            delivery.amount, delivery.ordered_amount = received, ordered
        result = _receive(delivery, dates.london_day(at), by, stamp)
        delivery.delivered_at, delivery.delivered_by = at, by
        delivery.operation_id = result.operation
        orders.set_details(delivery, confirmation=confirmation, recipient=recipient)
        db.session.flush()
        after = {"operation": result.operation}
        orders.record(EventKind.DELIVERY_RECEIVED, delivery, by, after=after)
        if rest := max(0, ordered - delivery.amount):
            changed.append(_add_rest(delivery, rest, by))
        increment_version(rules.list_of(division))
    return replace(result, rest=rest)


def refuse_redo(operation_id: int) -> None:
    """Refuse to undo the undo of a delivery, whose stock would be added twice. Raises Conflict."""
    if queries.is_of_undone_delivery(operation_id):
        raise Conflict("Mark the delivery as delivered.")


def make_pending_again(operation_id: int, *, by: int | None) -> None:
    """Make the delivery that an undone operation received pending again, with its pending rest.

    A rest that was cancelled, or is of another item or office, stays as it is. Raises Conflict if
    the rest was received, too.
    """
    delivery = queries.lock_delivery_of(operation_id)
    if delivery is None or delivery.operation_id is None or delivery.delivered_at is None:
        return
    received, at = delivery.operation_id, delivery.delivered_at
    # A redo leaves it delivered.
    if not operations.undoings([received]):
        return
    rest, whole = queries.lock_rest(delivery.id), delivery.ordered
    with orders.counted_anew(delivery, *([rest] if rest else [])):
        if rest:
            if rest.delivered_at:
                day = dates.format_day(dates.london_day(rest.delivered_at))
                raise Conflict(f"The rest of this delivery came on {day}. Undo that first.")
            whole, is_for = delivery.amount, (rest.item_key, rest.office)
            if rest.is_pending and is_for == (delivery.item_key, delivery.office):
                whole += rest.amount
                orders.cancel_line(rest, "The part before it was undone", by)
                rest.ordered_amount = 0
            else:
                # Somebody has decided about it: from now on it is a line of its own.
                rest.rest_of_id = None
        if whole > MAX_AMOUNT:
            raise Conflict("With its rest this delivery is too large. Edit the rest first.")
        delivery.amount, delivery.ordered_amount = whole, None
        delivery.delivered_at = delivery.delivered_by = delivery.operation_id = None
        db.session.add(DeliveryUndo(operation_id=received, delivery_id=delivery.id))
        before = {"operation": received}
        orders.record(EventKind.DELIVERY_SCHEDULED_AGAIN, delivery, by, before=before)
        day = dates.format_day(dates.london_day(at))
        detail = f"delivery of {day} undone, operation {received}"
        orders.add_change(delivery, ChangeKind.SCHEDULED_AGAIN, detail, by)


def _add_rest(delivery: Delivery, amount: int, by: int | None) -> Delivery:
    order = fields.state_of(DeliveryOrder, delivery)
    order = replace(order, amount=amount, confirmation="", recipient="")
    number = delivery.order_number = delivery.order_number or next_number(Series.ORDER)
    shared = {"division": delivery.division, "order_number": number, "scheduled_by": by}
    rest = Delivery(**shared, **orders.columns_of(order, number), rest_of_id=delivery.id)
    db.session.add(rest)
    db.session.flush()
    after = {**values_of(order, texts=orders.RECORDED_TEXTS), "rest_of": delivery.id}
    orders.record(EventKind.DELIVERY_SCHEDULED, rest, by, after=after)
    return rest


def _receive(delivery: Delivery, on: date, by: int | None, stamp: Stamp) -> MarkDeliveredResult:
    store = delivery.store
    # Of two deliveries of one new item the second waits here, and then finds it in stock.
    advisory_lock(f"item of {store.division} {store.site}: {delivery.item_key}")
    item = queries.item_of(delivery)
    stock = lock_items([store], [delivery.item], ids=[item.id] if item else ())
    existing = stock.by_key(store).get(delivery.item_key)
    if existing is None and item and item.id in stock.items:
        existing = stock.items[item.id].state
    operation = rules.plan_receipt(delivery.item, delivery.amount, delivery.unit_cost, existing)
    reason = rules.receipt_reason(store.division, delivery.reference, on, is_new=existing is None)
    details = OperationDetails(by=by, on=on, team=rules.TEAM, reason=reason, stamp=stamp)
    recorded = record_operation(stock, [Step(store, [operation])], details)
    before, after = recorded.lines[0].before, recorded.lines[0].after
    amounts = (delivery.amount, before.amount, after.amount)
    return MarkDeliveredResult(delivery.id, after.name, *amounts, recorded.id)


undo_requested.connect(refuse_redo)
operation_undone.connect(make_pending_again)

"""Schedule deliveries, and take them into stock when they have come."""

from dataclasses import dataclass
from datetime import date, datetime

from app import dates, names
from app.accounts import queries as accounts
from app.db import advisory_lock, db
from app.deliveries import queries, rules
from app.deliveries.models import Delivery
from app.deliveries.rules import Order
from app.divisions import Store
from app.errors import Conflict
from app.stock.queries import levels
from app.stock.rules.operations import ItemState
from app.stock.services.ledger import Context, apply_operations, locked
from app.versions import increment_version

LIST = "deliveries"
"""The list whose version rises with every change here."""


@dataclass(frozen=True)
class Scheduled:
    """A delivery that was scheduled, in plain values that a replay can repeat."""

    id: int
    item: str
    amount: int


@dataclass(frozen=True)
class Delivered:
    """A delivery that went into stock, in plain values that a replay can repeat."""

    id: int
    item: str
    amount: int
    before: int
    after: int
    operation: int


class AlreadyDelivered(Conflict):
    """A delivery that is in stock was to be marked delivered again."""


def schedule_delivery(order: Order, *, by: int | None) -> Scheduled:
    """Note that something was ordered; nothing comes into stock yet."""
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
    _note(delivery, order.confirmation, order.recipient)
    db.session.add(delivery)
    db.session.flush()
    increment_version(LIST)
    return Scheduled(delivery.id, delivery.item, delivery.amount)


def mark_delivered(
    delivery_id: int,
    *,
    confirmation: str | None,
    recipient: str | None,
    at: datetime | None = None,
    by: int | None,
) -> Delivered:
    """Take a delivery into stock: more of the item of its name, or a new one.

    What is None of confirmation and recipient stays as it was. Raises AlreadyDelivered, and
    Conflict where stock can't take it; then nothing has changed.
    """
    delivery = queries.locked_delivery(delivery_id)
    if delivery.delivered_at is not None:
        raise AlreadyDelivered(f"{said_of_delivered(delivery)} Nothing was added again.")
    at = at or dates.utc_now()
    on = dates.london_day(at)
    booked = _take_in(delivery, on, by)
    delivery.delivered_at = at
    delivery.delivered_by = by
    delivery.operation_id = booked.operation
    _note(delivery, confirmation, recipient)
    db.session.flush()
    increment_version(LIST)
    return booked


def note_delivery(delivery_id: int, *, confirmation: str | None, recipient: str | None) -> None:
    """Store the note or recipient of a pending delivery; None leaves one as it was.

    Raises Conflict for one that has come: it would go back to pending.
    """
    delivery = queries.locked_delivery(delivery_id)
    if delivery.delivered_at is not None:
        raise Conflict("A delivery never goes back to pending.")
    _note(delivery, confirmation, recipient)
    db.session.flush()
    increment_version(LIST)


def said_of_delivered(delivery: Delivery) -> str:
    """Say when a delivery was marked delivered, and by whom."""
    if delivery.delivered_at is None:
        return ""
    day = dates.format_day(dates.london_day(delivery.delivered_at))
    who = accounts.usernames([delivery.delivered_by]) if delivery.delivered_by else {}
    said = "".join(f" by {name}" for name in who.values())
    return f"This delivery was marked delivered already, on {day}{said}."


def _take_in(delivery: Delivery, on: date, by: int | None) -> Delivered:
    store = rules.store_of(delivery.office)
    # Two deliveries of one new item wait for each other here, so that both find or make it.
    advisory_lock(f"item of {store.division} {store.site}: {names.key(delivery.item)}")
    arrival = rules.plan_arrival(
        delivery.item, delivery.amount, delivery.unit_cost, _present(store, delivery.item), on
    )
    context = Context(by=by, on=on, team=rules.TEAM, reason=arrival.reason)
    booked = apply_operations(store, arrival.operations, context)
    line = booked.lines[0]
    return Delivered(
        id=delivery.id,
        item=line.after.name,
        amount=delivery.amount,
        before=line.before.amount,
        after=line.after.amount,
        operation=booked.operation_id,
    )


def _present(store: Store, name: str) -> ItemState | None:
    """Return the live item of a name, held; one that is being removed or renamed isn't it."""
    found = levels.item_named(store, name)
    if found is None:
        return None
    item = locked(found.id)
    is_it = item.removed_at is None and item.name_key == names.key(name)
    return levels.state_of(item) if is_it else None


def _note(delivery: Delivery, confirmation: str | None, recipient: str | None) -> None:
    """Store what is known of the arrival, and what a search looks at with it."""
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

"""Schedule, edit and cancel deliveries, and note details of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from itertools import zip_longest
from typing import Any

from flask import current_app
from sqlalchemy import insert

from app import dates, fields, names
from app.accounts import queries as accounts
from app.config import Settings
from app.day_counts import change_counts
from app.db import db
from app.deliveries import queries, rules
from app.deliveries.models import Delivery
from app.deliveries.rules import ChangeKind, DeliveryOrder
from app.divisions import Division, Store
from app.errors import Conflict, check_revision
from app.events.rules import OTHER_FIELDS, EventKind, Values, differences, values_of
from app.events.services import ChangedSubject, record_event, record_events
from app.number_counter import next_number
from app.reference_numbers import ReferenceNumber, Series
from app.search import search_key
from app.versions import increment_version

RECORDED_TEXTS = ("item", "supplier")
"""The texts of an order that its events have; the others can be names of people."""

RETURNED = "It is part of the delivery before it again, so it can't be scheduled."
NOT_SWITCHED_ON = "GFM's deliveries aren't switched on yet. Ask an administrator."

_SEARCHED_TEXTS = ("item", "supplier", "office", "ordered_by", "recipient", "confirmation")


@dataclass(frozen=True)
class OrderChange:
    """A delivery whose order was scheduled, edited, cancelled or scheduled again."""

    id: int
    item: str
    amount: int
    order_number: int | None = None


def schedule(
    division: Division, values: DeliveryOrder, *, number: int | None = None, by: int | None
) -> OrderChange:
    """Schedule a delivery, maybe as a line of the order with a number; stock doesn't change.

    Raises Invalid, NotFound for an order without a pending line, and Conflict as `order` does.
    """
    if number:
        queries.last_line(division, number)
    store = Store(division, values.office)
    return _order_change(add_lines(store, [values], number=number, by=by)[0])


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
    delivery = lock_pending(division, delivery_id, "Nothing was changed.")
    check_revision("delivery", delivery.revision, revision)
    before = fields.state_of(DeliveryOrder, delivery)
    order = replace(values, confirmation=before.confirmation, recipient=before.recipient)
    if order == before:
        return _order_change(delivery)
    with counted_anew(delivery):
        for name, value in columns_of(order, delivery.order_number).items():
            setattr(delivery, name, value)
        old, new = differences(before, order, texts=RECORDED_TEXTS)
        record(EventKind.DELIVERY_EDITED, delivery, by, before=old, after=new)
        edits = rules.differences(before, order)
        detail = ", ".join(f"{label} {old} → {new}" for label, old, new in edits)
        add_change(delivery, ChangeKind.EDITED, detail, by)
    return _order_change(delivery)


def cancel(
    division: Division, delivery_id: int, *, cancel_reason: str, by: int | None
) -> OrderChange:
    """Cancel a pending delivery. Raises NotFound and Conflict."""
    delivery = lock_pending(division, delivery_id, "Nothing was changed.")
    with counted_anew(delivery):
        cancel_line(delivery, cancel_reason, by)
    return _order_change(delivery)


def schedule_again(division: Division, delivery_id: int, *, by: int | None) -> OrderChange:
    """Make a cancelled delivery pending again. Raises NotFound, and Conflict for any other."""
    delivery = queries.lock_delivery(division, delivery_id)
    if delivery.cancelled_at is None:
        pending = "This delivery isn't cancelled, so it can't be scheduled again."
        raise Conflict(describe_closed(delivery) or pending)
    if delivery.ordered_amount == 0:
        raise Conflict(RETURNED)
    with counted_anew(delivery):
        delivery.cancelled_at = delivery.cancelled_by = None
        delivery.cancel_reason = ""
        record(EventKind.DELIVERY_SCHEDULED_AGAIN, delivery, by)
        add_change(delivery, ChangeKind.SCHEDULED_AGAIN, "", by)
    return _order_change(delivery)


def note_delivery(
    division: Division, delivery_id: int, *, confirmation: str | None, recipient: str | None
) -> None:
    """Store what isn't None of a pending delivery. Raises NotFound, and Conflict for any other."""
    delivery = queries.lock_delivery(division, delivery_id)
    if delivery.delivered_at is not None:
        raise Conflict("A delivery never goes back to pending.")
    if not delivery.is_pending:
        raise Conflict(f"{describe_closed(delivery)} Nothing was changed.")
    noted = set_details(delivery, confirmation=confirmation, recipient=recipient)
    db.session.flush()
    record(EventKind.DELIVERY_NOTED, delivery, None, after={OTHER_FIELDS: noted})
    increment_version(rules.list_of(division))


def describe_closed(delivery: Delivery) -> str:
    """Return when and by whom a delivery was delivered or cancelled; '' if it is pending."""
    at = delivery.delivered_at or delivery.cancelled_at
    if at is None:
        return ""
    what = "marked delivered already," if delivery.delivered_at else "cancelled"
    user = delivery.delivered_by or delivery.cancelled_by
    day, username = dates.format_day(dates.london_day(at)), accounts.usernames([user])[user]
    by = f" by {username}" if username else ""
    reason = f": {delivery.cancel_reason}" if delivery.cancel_reason else ""
    return f"This delivery was {what} on {day}{by}{reason}."


def add_lines(
    store: Store,
    lines: Sequence[DeliveryOrder],
    *,
    number: int | None = None,
    proposals: Sequence[Mapping[str, Any]] = (),
    by: int | None,
) -> Sequence[Delivery]:
    """Schedule the lines of one order, each with what it was proposed for; return them.

    Raises Invalid, and Conflict while an earlier release could take them for GPM's.
    """
    for line in lines:
        rules.check_order(store.division, line)
    settings: Settings = current_app.config["QUARTERMASTER"]
    is_safe = store.division is Division.GPM or settings.gfm_deliveries
    if not (is_safe or queries.takes_deliveries(store)):
        raise Conflict(NOT_SWITCHED_ON)
    number = number or next_number(Series.ORDER)
    shared = {"division": store.division, "order_number": number, "scheduled_by": by}
    values = [
        {**shared, **columns_of(line, number), "proposal": proposal}
        for line, proposal in zip_longest(lines, proposals)
    ]
    rows = db.session.scalars(insert(Delivery).returning(Delivery), values).all()
    orders = [(row.id, fields.state_of(DeliveryOrder, row)) for row in rows]
    events = [ChangedSubject(id_, None, values_of(o, texts=RECORDED_TEXTS)) for id_, o in orders]
    kind = EventKind.DELIVERY_SCHEDULED
    record_events(kind, "delivery", events, division=store.division, by=by)
    increment_version(rules.list_of(store.division))
    change_counts(_days_of(rows))
    return rows


def cancel_line(delivery: Delivery, reason: str, by: int | None) -> None:
    """Cancel a delivery."""
    delivery.cancelled_at, delivery.cancelled_by = dates.utc_now(), by
    delivery.cancel_reason = reason
    record(EventKind.DELIVERY_CANCELLED, delivery, by)
    add_change(delivery, ChangeKind.CANCELLED, reason, by)


def lock_pending(division: Division, delivery_id: int, refused: str) -> Delivery:
    """Lock a pending delivery; another one raises Conflict, with its state and `refused`."""
    delivery = queries.lock_delivery(division, delivery_id)
    if not delivery.is_pending:
        raise Conflict(f"{describe_closed(delivery)} {refused}")
    return delivery


def add_change(delivery: Delivery, kind: ChangeKind, detail: str, by: int | None) -> None:
    """Note a change of a delivery, and increment its revision and the list's version."""
    at = dates.utc_now().isoformat(timespec="seconds")
    change = {"kind": kind, "at": at, "by": by, "detail": detail}
    delivery.changes = [*(delivery.changes or []), change]
    delivery.revision += 1
    db.session.flush()
    increment_version(rules.list_of(delivery.division))


def record(kind: EventKind, delivery: Delivery, by: int | None, **values: Values) -> None:
    """Record the event of a delivery, with what changed."""
    record_event(kind, "delivery", delivery.id, division=delivery.division, by=by, **values)


def _order_change(delivery: Delivery) -> OrderChange:
    return OrderChange(delivery.id, delivery.item, delivery.amount, delivery.order_number)


@contextmanager
def counted_anew(*deliveries: Delivery) -> Iterator[list[Delivery]]:
    """Change the counts by day as deliveries change; new ones are added to the yielded list."""
    before, changed = _days_of(deliveries), [*deliveries]
    yield changed
    counts = _days_of(changed)
    counts.subtract(before)
    change_counts(counts)


def _days_of(deliveries: Sequence[Delivery]) -> Counter[tuple[str, date]]:
    counts: Counter[tuple[str, date]] = Counter()
    for each in deliveries:
        if each.delivered_at:
            days = {queries.RECEIVED: dates.london_day(each.delivered_at)}
        elif each.cancelled_at:
            days = {queries.CANCELLED: dates.london_day(each.cancelled_at)}
        else:
            days = {queries.PENDING: each.ordered_on, queries.DUE: each.due_on}
        counts.update((rules.list_of(each.division, name), day) for name, day in days.items())
    return counts


def columns_of(order: DeliveryOrder, number: int | None) -> dict[str, Any]:
    """Return the columns of an order's line."""
    return {
        **fields.values_of(order),
        "item_key": names.key(order.item),
        "due_on": rules.due_on(order.ordered_on, order.expected_on),
        "search_key": _search_key(order, number),
    }


def _search_key(order: DeliveryOrder | Delivery, number: int | None) -> str:
    reference = str(ReferenceNumber(Series.ORDER, number)) if number else ""
    texts = (reference, *(getattr(order, name) for name in _SEARCHED_TEXTS))
    return search_key(map(names.key, texts))


def set_details(delivery: Delivery, **details: str | None) -> Sequence[str]:
    """Give a delivery its confirmation and recipient, except None; return the names of the set."""
    sent = {name: text for name, text in details.items() if text is not None}
    for name, text in sent.items():
        setattr(delivery, name, text)
    delivery.search_key = _search_key(delivery, delivery.order_number)
    return [*sent]

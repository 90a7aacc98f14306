"""The kinds of events, and the values of a change that they record; pure.

docs/events.md lists the kinds.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from app.divisions import Division
from app.identity import Channel

OTHER_FIELDS = "other_fields"
"""The name under which an event lists the fields with omitted texts."""


class EventKind(StrEnum):
    """The kinds of events, written as subject and change."""

    STOCK_DELIVERED = "stock.delivered"
    STOCK_WITHDRAWN = "stock.withdrawn"
    STOCK_TRANSFERRED = "stock.transferred"
    STOCK_COUNTED = "stock.counted"
    STOCK_ITEM_ADDED = "stock.item_added"
    STOCK_ITEM_EDITED = "stock.item_edited"
    STOCK_ITEM_REMOVED = "stock.item_removed"
    STOCK_CHANGED = "stock.changed"
    STOCK_UNDONE = "stock.undone"
    STOCK_IMPORTED = "stock.imported"
    STOCK_REPLACED = "stock.replaced"
    STOCK_HISTORY_IMPORTED = "stock.history_imported"
    STOCK_CHECK_OFFERED = "stock.check_offered"
    STOCK_CHECK_HIDDEN = "stock.check_hidden"
    STOCK_LOW = "stock.low"
    STOCK_RECOVERED = "stock.recovered"
    LEVEL_SET = "level.set"
    DELIVERY_SCHEDULED = "delivery.scheduled"
    DELIVERY_EDITED = "delivery.edited"
    DELIVERY_NOTED = "delivery.noted"
    DELIVERY_CANCELLED = "delivery.cancelled"
    DELIVERY_SCHEDULED_AGAIN = "delivery.scheduled_again"
    DELIVERY_RECEIVED = "delivery.received"
    DELIVERY_RECEIVED_AGAIN = "delivery.received_again"
    TEAM_ADDED = "team.added"
    TEAM_RENAMED = "team.renamed"
    TEAM_REMOVED = "team.removed"
    TEAMS_IMPORTED = "teams.imported"
    SUPPLIER_ADDED = "supplier.added"
    SUPPLIER_RENAMED = "supplier.renamed"
    SUPPLIER_REMOVED = "supplier.removed"
    SUPPLIERS_IMPORTED = "suppliers.imported"
    SERVICE_ADDED = "service.added"
    SERVICE_RENAMED = "service.renamed"
    SERVICE_REMOVED = "service.removed"
    SERVICES_IMPORTED = "services.imported"
    KEY_HANDED_OVER = "key.handed_over"
    KEY_REMOVED = "key.removed"
    KEYS_IMPORTED = "keys.imported"
    KEYS_REPLACED = "keys.replaced"
    HANDOVERS_RECORDED = "handovers.recorded"
    VEHICLE_ADDED = "vehicle.added"
    VEHICLE_EDITED = "vehicle.edited"
    VEHICLES_IMPORTED = "vehicles.imported"
    VEHICLES_REPLACED = "vehicles.replaced"
    VAN_HISTORY_RECORDED = "van_history.recorded"
    CHECK_SUBMITTED = "check.submitted"
    CHECK_REVIEWED = "check.reviewed"
    CHECK_REVIEW_UNDONE = "check.review_undone"
    CHECK_TEMPLATES_REPLACED = "check_templates.replaced"
    ASSET_ADDED = "asset.added"
    ASSET_EDITED = "asset.edited"
    ASSETS_IMPORTED = "assets.imported"
    ASSETS_REPLACED = "assets.replaced"
    ASSETS_MOVED = "assets.moved"
    ASSET_MOVES_UNDONE = "asset_moves.undone"
    ASSET_MOVES_RECORDED = "asset_moves.recorded"
    ACCOUNT_CREATED = "account.created"
    ACCOUNT_GRANTED = "account.granted"
    ACCOUNT_REVOKED = "account.revoked"
    ACCOUNT_DISABLED = "account.disabled"
    ACCOUNT_ENABLED = "account.enabled"
    ACCOUNT_PASSWORD_CHANGED = "account.password_changed"  # noqa: S105 (the name of an event)
    DEFECT_OPENED = "defect.opened"
    DEFECT_SEEN = "defect.seen"
    DEFECT_ASSESSED = "defect.assessed"
    DEFECT_BOOKED = "defect.booked"
    DEFECT_NOTED = "defect.noted"
    DEFECT_REPAIRED = "defect.repaired"
    DEFECT_UNREPAIRED = "defect.unrepaired"
    DEFECT_CLOSED = "defect.closed"
    REPAIR_RECORDED = "repair.recorded"
    REPAIR_REVERSED = "repair.reversed"
    VEHICLE_OFF_ROAD = "vehicle.off_road"
    VEHICLE_OFF_ROAD_CHANGED = "vehicle.off_road_changed"
    VEHICLE_RETURNED = "vehicle.returned"
    READING_RECORDED = "reading.recorded"
    READING_ACCEPTED = "reading.accepted"
    READING_VOIDED = "reading.voided"
    PLAN_ADDED = "plan.added"
    PLAN_CHANGED = "plan.changed"
    PLAN_WITHDRAWN = "plan.withdrawn"
    DUE_OPENED = "due.opened"
    DUE_CHANGED = "due.changed"
    DUE_SNOOZED = "due.snoozed"
    DUE_DONE = "due.done"
    DUE_UNDONE = "due.undone"
    DUE_CLOSED = "due.closed"
    RECORDS_PRUNED = "records.pruned"
    ATTACHMENT_ADDED = "attachment.added"
    ATTACHMENT_REMOVED = "attachment.removed"
    CALENDAR_MADE = "calendar.made"
    CALENDAR_REVOKED = "calendar.revoked"
    BOOKING_MADE = "booking.made"
    BOOKING_CHANGED = "booking.changed"
    BOOKING_MOVED = "booking.moved"
    BOOKING_OUT = "booking.out"
    BOOKING_BACK = "booking.back"
    BOOKING_CANCELLED = "booking.cancelled"
    BOOKING_NO_SHOW = "booking.no_show"
    BOOKABLE_CHANGED = "bookable.changed"
    BOOKING_RULE_CHANGED = "booking_rule.changed"
    VIEW_SAVED = "view.saved"
    VIEW_CHANGED = "view.changed"
    VIEW_SHARED = "view.shared"
    VIEW_REMOVED = "view.removed"


Values = Mapping[str, Any]
"""Values that changed, by name, as JSON has them."""


@dataclass(frozen=True)
class StoredEvent:
    """An event as it is stored; without an actor it was the terminal or a stranger."""

    id: int
    at: datetime
    kind: str
    division: Division | None
    subject_kind: str
    subject_id: str
    actor_id: int | None
    channel: Channel
    request_id: str | None
    before: Values | None
    after: Values | None


def values_of(state: object, *, texts: Collection[str] = ()) -> dict[str, Any]:
    """Return the values of a new state, a dataclass, that an event may record.

    Texts may name people, so only the fields in `texts` are among them.
    """
    return {
        name: _plain(value)
        for name, value in vars(state).items()
        if value not in (None, "") and _is_recorded(name, value, texts)
    }


def differences(
    before: object, after: object, *, texts: Collection[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values before and after in which two states, both dataclasses, differ.

    Texts outside `texts` are only listed by the names of their fields (OTHER_FIELDS).
    """
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    others: list[str] = []
    for field in fields(after):  # type: ignore[arg-type]
        pair = getattr(before, field.name), getattr(after, field.name)
        if pair[0] == pair[1]:
            continue
        if all(_is_recorded(field.name, value, texts) for value in pair):
            old[field.name], new[field.name] = map(_plain, pair)
        else:
            others.append(field.name)
    return old, new | ({OTHER_FIELDS: others} if others else {})


def counts(change: object) -> dict[str, int]:
    """Return the non-zero numbers of a change of many entries, such as a ListChange."""
    return {name: number for name, number in vars(change).items() if number}


def runs(ids: Iterable[int]) -> list[list[int]]:
    """Return ids as runs of consecutive ids, each as its first and last."""
    found: list[list[int]] = []
    for id_ in sorted(ids):
        if found and id_ == found[-1][1] + 1:
            found[-1][1] = id_
        else:
            found.append([id_, id_])
    return found


def _is_recorded(name: str, value: object, texts: Collection[str]) -> bool:
    return name in texts or not isinstance(value, str) or isinstance(value, StrEnum)


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value

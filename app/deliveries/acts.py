"""The acts on a delivery: schedule, edit, cancel, and receive it into stock."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from flask import request, url_for

from app.deliveries import forms, queries, rules, services
from app.deliveries.forms import division_here, store_for
from app.deliveries.models import Delivery
from app.deliveries.schemas import DELIVERY_FILE, read_deliveries
from app.deliveries.services import imports, receipts
from app.directory import queries as directory
from app.divisions import SITES, Division, Store
from app.fields import state_of
from app.records.acts import Act, Outcome, Target, Then
from app.records.targets import ImportTarget
from app.stock.queries import levels
from app.stock.rules.filters import StockFilters
from app.versions import version_of
from app.web import access
from app.web.forms import UndoForm

DELIVERY = "/<row_id:delivery_id>"
MAX_ITEMS_OFFERED = 20


_list_url = partial(url_for, "deliveries.deliveries")

NEW = Target[None](read=lambda division: None, page=lambda _: _list_url())  # noqa: ARG005
ON_DELIVERY = Target[Delivery](
    read=queries.delivery,
    page=lambda _: _list_url(),
    then=Then.RETURN,
    style="deliveries.css",
    reload_event="deliveries-changed",
)
ON_CANCELLED = replace(ON_DELIVERY, page=lambda _: _list_url(status="cancelled"))


def offers(store: Store, typed: str) -> Mapping[str, Any]:
    """Return the order form's context for the typed item and the chosen office."""
    typed = typed.strip()
    if not typed:
        return {}
    return {
        "typed": typed,
        "existing": levels.find_item(store, typed),
        "last": queries.last_order(store.division, typed),
        "offered": levels.load_rows(store, StockFilters(typed), limit=MAX_ITEMS_OFFERED).rows,
    }


def _describe_scheduled(change: services.OrderChange) -> Outcome:
    next_line = url_for("deliveries.add_line", number=change.order_number)
    page = next_line if "more" in request.form else ""
    return Outcome(f"Scheduled: {change.amount:,} × {change.item}.", page)


def _describe_cancelled(change: services.OrderChange) -> Outcome:
    undo = url_for("deliveries.schedule_again", delivery_id=change.id)
    return Outcome(f"Cancelled: {change.amount:,} × {change.item}.", undo=undo)


def _describe_received(result: receipts.MarkDeliveredResult) -> Outcome:
    place = queries.delivery(division_here(), result.id).store.place
    undo = url_for("stock.undo", **place, operation_id=result.operation)
    added = f"{result.amount:,} × {result.item} added: {result.after:,} in stock."
    return Outcome(f"{added} {result.rest:,} still to come." if result.rest else added, undo=undo)


def _propose(form: Any, _: None) -> None:
    form.item.data = request.args.get("item", "").strip()
    form.propose_terms()


def _propose_line(form: Any, _: None) -> None:
    line = queries.last_line(division_here(), (request.view_args or {})["number"])
    for name in ("supplier", "office", "ordered_by", "ordered_on", "expected_on"):
        form[name].data = getattr(line, name)


def _order(form: Any, _: None) -> Mapping[str, Any]:
    typed = form.item.data or (form.item.raw_data or [""])[0]
    return {
        "suppliers": directory.supplier_names(),
        "expected_before": rules.EXPECTED_BEFORE_ORDERED,
        **offers(store_for(form.office.data), typed),
    }


def _edited(form: Any, delivery: Delivery) -> Mapping[str, Any]:
    return {**_order(form, None), "last": None, "changes": queries.changes_of(delivery)}


def _current(form: Any, delivery: Delivery) -> str:
    changed = rules.differences(state_of(rules.DeliveryOrder, delivery), form.values())
    values = ", ".join(f"{label} {before}" for label, before, _ in changed)
    return values and f"It is now: {values}."


def _why_not_scheduled(delivery: Delivery) -> str:
    if delivery.cancelled_at is not None:
        return services.RETURNED if delivery.ordered_amount == 0 else ""
    return services.describe_closed(delivery) or "This delivery is pending."


SCHEDULE = Act(
    "schedule",
    "/new",
    access.division_in_path,
    forms.OrderForm,
    services.schedule,
    _describe_scheduled,
    NEW,
    offer=_propose,
    shows=_order,
    failure="Failed to schedule delivery",
    is_page=True,
)


def _target(division: Division) -> ImportTarget[Any]:
    def remove(ids: Sequence[str], by: int | None) -> None:
        for id_ in ids:
            services.cancel(division, int(id_), cancel_reason="Undo of an import", by=by)

    return ImportTarget(
        key=f"{division}-deliveries",
        label=f"Pending deliveries of {division.label}",
        call=f"/{division}/deliveries",
        division=division,
        columns=DELIVERY_FILE,
        required=["item", "amount"],
        key_columns=["delivery"],
        units="amount",
        read=read_deliveries,
        check=partial(imports.plan_import, division),
        version=partial(version_of, rules.list_of(division)),
        current=lambda: queries.pending_deliveries(division),
        apply=lambda file, by, *_: imports.import_deliveries(division, file, by=by),
        remove=remove,
    )


TARGETS = {each.key: each for each in map(_target, SITES)}

ACTS = (
    SCHEDULE,
    replace(
        SCHEDULE,
        name="add_line",
        path="/orders/<reference(O):number>/add",
        on=replace(NEW, read=lambda division, number: None),  # noqa: ARG005
        offer=_propose_line,
        template="schedule",
    ),
    Act(
        "edit",
        f"{DELIVERY}/edit",
        access.division_in_path,
        forms.OrderForm,
        services.edit,
        "Saved: {r.amount:,} × {r.item}.",
        replace(ON_DELIVERY, current=_current),
        over=services.describe_closed,
        shows=_edited,
        failure="Failed to change delivery",
    ),
    Act(
        "cancel",
        f"{DELIVERY}/cancel",
        access.division_in_path,
        forms.CancelDeliveryForm,
        services.cancel,
        _describe_cancelled,
        # It may have been opened from the form that edits it.
        replace(ON_DELIVERY, then=Then.STAY),
        over=services.describe_closed,
        failure="Failed to cancel delivery",
    ),
    Act(
        "schedule_again",
        f"{DELIVERY}/schedule-again",
        access.division_in_path,
        UndoForm,
        services.schedule_again,
        "Scheduled again: {r.amount:,} × {r.item}.",
        ON_CANCELLED,
        over=_why_not_scheduled,
        shows=lambda _, delivery: {"closed": services.describe_closed(delivery)},
        failure="Failed to schedule delivery",
        is_undo=True,
    ),
    Act(
        "mark_delivered",
        f"{DELIVERY}/deliver",
        access.division_in_path,
        forms.MarkDeliveredForm,
        receipts.mark_delivered,
        _describe_received,
        ON_DELIVERY,
        offer=lambda form, delivery: form.process(obj=delivery),
        over=services.describe_closed,
        shows=lambda _, delivery: {"existing": queries.item_of(delivery)},
        failure="Failed to mark delivered",
    ),
)

"""The kinds of records that the search finds, and its reply."""

from collections.abc import Sequence
from dataclasses import replace

from flask import url_for
from marshmallow import fields
from sqlalchemy import select

from app import dates, names
from app.api import replies
from app.api.schemas import Body
from app.assets.models import Asset
from app.assets.schemas.register import ASSET_LIST
from app.defects.models import Defect, Repair
from app.defects.rules.fields import TABS
from app.defects.schemas.defects import DEFECT_LIST
from app.defects.schemas.repairs import REPAIR_LIST
from app.deliveries.models import Delivery
from app.deliveries.queries import IS_OF
from app.deliveries.rules import DeliveryStatus
from app.deliveries.schemas import DELIVERY_LIST
from app.directory.models import Key, Team
from app.directory.schemas import KEY_LIST, TEAM_LIST
from app.divisions import SITES, STORES, Division, Store
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import ON_SCREENS
from app.fleet.rules.vehicles import plate_key
from app.fleet.schemas.lists import CHECK_LIST, VEHICLE_LIST
from app.global_search.queries import KindList, SearchKind
from app.records.filters import Matching
from app.reference_numbers import Series
from app.search import TextIndex
from app.stock.models import Item, StockSite
from app.stock.schemas.levels import LEVEL_LIST

GPM, FLEET = frozenset({Division.GPM}), frozenset({Division.FLEET, Division.GPM})


def _stock_list(store: Store) -> KindList:
    site = select(StockSite.id).filter_by(division=store.division, site=store.site)
    is_live = [Item.site_id == site.scalar_subquery(), Item.removed_at.is_(None)]
    record = replace(LEVEL_LIST, plural="items", scope=lambda: is_live)
    return KindList(frozenset({store.division}), record, store.place, str(store))


def _delivery_list(division: Division) -> KindList:
    scope = [Delivery.division == division]
    # Those of all statuses have the order of their ids alone.
    record = replace(DELIVERY_LIST, scope=lambda: scope, order=[Delivery.id.desc()])
    return KindList(frozenset({division}), record, {"division": division.value}, division.label)


def _join(*texts: str) -> str:
    return ", ".join(filter(None, texts))


def _status(row: Delivery) -> DeliveryStatus:
    if row.cancelled_at:
        return DeliveryStatus.CANCELLED
    return DeliveryStatus.DELIVERED if row.delivered_at else DeliveryStatus.PENDING


# Teams are few, and have no index of their words.
_FIND_TEAM = TextIndex(Team.id, Team.name_key).compare
_TEAM_FILTER = Matching(name="q", conditions=lambda text, _: _FIND_TEAM(names.search_words(text)))

KINDS: Sequence[SearchKind] = (
    SearchKind(
        lists=[_stock_list(store) for store in STORES],
        page="stock.inventory",
        begins=Item.name_key,
        where=lambda _, site: site,
        # The calls of stock name items.
        id=lambda row: row.name,
        url=lambda row, place: url_for("stock.item", item_id=row.id, **place),
    ),
    SearchKind(
        lists=[KindList(frozenset({Division.ASSETS}), ASSET_LIST)],
        page="assets.assets",
        exact=Asset.asset_key,
        begins=Asset.item_key,
        title=lambda row: row.item,
        where=lambda row, _: _join(row.asset_id, row.location),
        id=lambda row: row.asset_id,
        url=lambda row, _: url_for("assets.asset", number=row.id),
    ),
    SearchKind(
        # In the condition of the list, not read before.
        lists=[KindList(FLEET, replace(VEHICLE_LIST, scope=lambda: [ON_SCREENS]))],
        page="fleet.vehicles",
        begins=Vehicle.reg_key,
        key=plate_key,
        title=lambda row: row.reg,
        where=lambda row, _: _join(f"{row.make} {row.model}".strip(), row.location),
        id=lambda row: row.reg,
        url=lambda row, _: url_for("fleet.vehicle", vehicle_id=row.id),
    ),
    SearchKind(
        lists=[KindList(FLEET, CHECK_LIST)],
        page="fleet.checks",
        title=lambda row: f"{row.reg}, {dates.format_day(row.day)}",
        where=lambda row, _: row.form_label,
        url=lambda row, _: url_for(
            "fleet.checks",
            vehicle=row.reg,
            review="",
            _anchor=f"c{row.id}",
            **{"from": row.day, "to": row.day},
        ),
    ),
    SearchKind(
        lists=[KindList(FLEET, replace(DEFECT_LIST, order=[Defect.id.desc()]))],
        page="defects.defects",
        exact=Defect.number,
        series=Series.DEFECT,
        title=lambda row: f"{row.reference} {row.title}",
        where=lambda row, _: _join(row.reg, row.state.label),
        id=lambda row: row.reference,
        url=lambda row, _: url_for("defects.defect", number=row.number),
        part=lambda row: {"state": row.state} if row.state in TABS else {},
    ),
    SearchKind(
        lists=[KindList(FLEET, REPAIR_LIST)],
        page="defects.repairs",
        exact=Repair.number,
        series=Series.REPAIR,
        title=lambda row: f"{row.reference} {row.reg}",
        where=lambda row, _: _join(row.garage, dates.format_day(row.finished_on)),
        id=lambda row: row.reference,
        url=lambda row, _: url_for("defects.repair", number=row.number),
    ),
    SearchKind(
        lists=[_delivery_list(division) for division in SITES],
        page="deliveries.deliveries",
        exact=Delivery.order_number,
        series=Series.ORDER,
        begins=Delivery.item_key,
        begin=[IS_OF[DeliveryStatus.PENDING]],
        title=lambda row: row.item,
        where=lambda row, _: _join(row.reference, row.office.label, _status(row).capitalize()),
        url=lambda row, place: url_for(
            "deliveries.deliveries",
            status=_status(row),
            q=row.reference or row.item,
            _anchor=f"d{row.id}",
            **place,
        ),
        part=lambda row: {"status": _status(row)},
    ),
    SearchKind(
        lists=[KindList(GPM, KEY_LIST)],
        page="directory.keys",
        begins=Key.label_key,
        title=lambda row: _join(row.code, row.name),
        where=lambda row, _: row.holder,
        url=lambda row, _: url_for("directory.key_history", key_id=row.id),
    ),
    SearchKind(
        lists=[KindList(GPM, replace(TEAM_LIST, filters=[_TEAM_FILTER]))],
        page="directory.teams",
        begins=Team.name_key,
        # They are renamed by their names.
        id=lambda row: row.name,
        url=lambda _, __: url_for("directory.teams"),
    ),
)
"""What the search finds, in the order of its results."""


class SearchQuery(Body):
    """What to search for."""

    q = fields.String(
        required=True,
        metadata={
            "description": "A plate, number, code or name, or words in any order; cut after 200 "
            "characters",
            "minLength": 2,
            "example": "lk19vte",
        },
    )


class HitReply(replies.Reply):
    """A record that was found; `id` is what the calls of its kind take."""

    kind = replies.choice([kind.record.name for kind in KINDS], "vehicle")
    id = replies.text("LK19 VTE")
    title = replies.text("LK19 VTE")
    where = replies.text("Ford Transit, Depot", description="What tells it from others")
    division = replies.choice(Division, "fleet")
    url = replies.text("/vehicles/12", description="Its page")
    exact = replies.flag(True, description="Whether `q` is its key")


class SearchReply(replies.Reply):
    """What was found: exact results first, then up to five of each kind."""

    results = replies.rows(HitReply, "hits")
    totals = replies.field(
        fields.Dict,
        {"vehicle": 1, "check": 37},
        lambda found: {group.kind.record.name: group.total for group in found.groups},
        inner=[],
        description="The matches of each kind that has some; 1000 means 1000 or more",
        additionalProperties={"type": "integer"},
    )

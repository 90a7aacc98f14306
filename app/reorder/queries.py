"""The reorder list of a site: what is low, what is on its way, and what is proposed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import Row, select, text

from app import dates
from app.db import db
from app.deliveries import queries as deliveries
from app.deliveries.models import Delivery
from app.directory import queries as directory
from app.divisions import Site, Store
from app.fields import state_of
from app.reorder.rules import Position, Proposal, propose, urgency
from app.stock.models import LOW, Item, StockLevel, StockSite
from app.stock.queries.insight import LAST_COUNT
from app.stock.queries.stock_levels import lead_of, levels_of
from app.stock.queries.use import item_pasts
from app.stock.rules.levels import NO_LEVEL, LevelState
from app.stock.rules.use import NO_USE, daily_use


@dataclass(frozen=True)
class ReorderList:
    """What to do about the low items of a site, the most urgent first.

    Pending deliveries that cover low items are `late` or `on_its_way`; `snoozed` items are left
    off. Items were last `counted` and deliveries are `expected` on these days, by item.
    """

    proposals: Sequence[Proposal]
    late: Sequence[Delivery]
    on_its_way: Sequence[Delivery]
    snoozed: Sequence[tuple[Position, StockLevel]]
    counted: Mapping[int, date]
    expected: Mapping[int, date]

    def expected_of(self, proposals: Iterable[Proposal]) -> date:
        """Return the day on which an order of all proposals has arrived."""
        return max(self.expected[each.position.item_id] for each in proposals)


def reorder_list(store: Store, today: date) -> ReorderList:
    """Return what to reorder for a site."""
    items = _low_and_alike(store)
    ids = [item.id for item, *_ in items]
    levels, orders = levels_of(ids), deliveries.on_order(store.division, ids)
    pasts = item_pasts({item.id: item.amount for item, *_ in items}, today)

    def position(item: Item, site: Site) -> Position:
        level, past = levels.get(item.id), pasts.get(item.id)
        ordered = sum(each.amount for each in orders.get(item.id, ()))
        state = state_of(LevelState, level) if level else NO_LEVEL
        use = daily_use(past) if past else NO_USE
        is_snoozed = bool(level and level.snoozed_until and level.snoozed_until > today)
        named = (site, item.id, item.name, item.unit, item.amount)
        return Position(*named, ordered, state, use, item.unit_price, is_snoozed)

    positions = [position(item, site) for item, site, _ in items]
    found = propose(store.division, positions)
    proposals = [each for each in found if each.position.site is store.site]
    low = [each for each in positions if each.site is store.site and each.amount < each.minimum]
    proposed = {each.position.item_id for each in proposals}
    covered = (each.item_id for each in low if each.item_id not in proposed)
    coming = [order for item_id in covered for order in orders.get(item_id, ())]
    leads = directory.lead_days()
    return ReorderList(
        proposals=sorted(proposals, key=lambda each: urgency(each.position)),
        late=[order for order in coming if order.due_on < today],
        on_its_way=[order for order in coming if order.due_on >= today],
        snoozed=[(each, levels[each.item_id]) for each in low if each.is_snoozed],
        counted={item.id: dates.london_day(at) for item, _, at in items if at},
        expected={id_: today + timedelta(days=lead_of(levels.get(id_), leads)) for id_ in proposed},
    )


def _low_and_alike(store: Store) -> Sequence[Row[Item, Site, datetime | None]]:
    site_id = select(StockSite.id).filter_by(division=store.division, site=store.site)
    low_names = select(Item.name_key).where(Item.site_id == site_id.scalar_subquery(), text(LOW))
    statement = (
        select(Item, StockSite.site, LAST_COUNT.scalar_subquery())
        .join(StockSite, StockSite.id == Item.site_id)
        .where(StockSite.division == store.division, Item.removed_at.is_(None))
        .where(Item.name_key.in_(low_names))
        .order_by(Item.name_key, StockSite.id)
    )
    return db.session.execute(statement).all()

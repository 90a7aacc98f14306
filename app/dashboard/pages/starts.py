"""The start of a person's work: quick actions, and their last moved items."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import url_for

from app.dashboard.queries import Reads
from app.divisions import SITES, Division, Site, Store
from app.stock.queries import overview as stock
from app.stock.queries import recent_items as queries
from app.stock.queries.recent_items import RecentItem

MAX_ITEMS = 5

SEARCH = "q"
"""The id of a list's search field: an address that ends with it focuses the field."""


@dataclass(frozen=True)
class QuickAction:
    """A verb beside the title, and its page."""

    label: str
    url: str


def recent_items(division: Division, user_id: int, reads: Reads) -> Sequence[RecentItem]:
    """Return the items of a division that a user moved last."""
    return reads(queries.recent_items, division, user_id, MAX_ITEMS) or []


def quick_actions(division: Division, user_id: int, reads: Reads) -> Sequence[QuickAction]:
    """Return the most frequent actions of a division, at the site of the person's last one."""
    if division is Division.FLEET:
        return [QuickAction("Check", url_for("fleet.check_form"))]
    if division is Division.ASSETS:
        return [QuickAction("Move", url_for("assets.assets", _anchor=SEARCH))]
    items = recent_items(division, user_id, reads)
    store = items[0].store if items else Store(division, SITES[division][0])
    search = url_for("stock.inventory", **store.place, _anchor=SEARCH)
    # GPM's stock comes with its deliveries.
    arrivals = url_for("deliveries.deliveries") if division is Division.GPM else search
    count = QuickAction("Count", url_for("stock.count", **store.place))
    counting = [] if _hides_count(division, store.site, reads) else [count]
    return [QuickAction("Withdraw", search), QuickAction("Deliver", arrivals), *counting]


def _hides_count(division: Division, site: Site, reads: Reads) -> bool:
    totals = reads(stock.site_totals, division)
    return totals is None or totals[site].hides_count

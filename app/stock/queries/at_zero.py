"""A site's items without stock."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import CompoundSelect, Select, func, literal, select, text, union_all

from app.db import db
from app.divisions import SITES, Division, Site
from app.paging import COUNT_LIMIT
from app.stock.models import AT_ZERO, Item, StockSite
from app.sums import capped

MAX_NAMES = 3


@dataclass(frozen=True)
class ItemsAtZero:
    """How many items a site has none of, AtLeast COUNT_LIMIT if more, and the first by name."""

    site: Site
    total: int
    names: Sequence[str]


def items_at_zero(division: Division) -> Sequence[ItemsAtZero]:
    """Return the items at zero of each site of a division that has any."""
    totals = count_at_zero(division)
    if not any(totals.values()):
        return []
    rows = db.session.execute(_first_names(division)).all()
    return [
        ItemsAtZero(site, total, [row.name for row in rows if row.site == site])
        for site, total in totals.items()
        if total
    ]


def count_at_zero(division: Division) -> dict[Site, int]:
    """Return how many items each site of a division has none of, AtLeast COUNT_LIMIT if more."""
    counts = db.session.execute(_counts(division)).one()
    return dict(zip(SITES[division], map(capped, counts), strict=True))


# Each has a part for every site, and building them would take longer than they do.
@cache
def _counts(division: Division) -> Select[*tuple[int, ...]]:
    return select(
        *(
            select(func.count())
            .select_from(_at_zero(division, site).limit(COUNT_LIMIT + 1).subquery())
            .scalar_subquery()
            for site in SITES[division]
        )
    )


@cache
def _first_names(division: Division) -> CompoundSelect[str, str]:
    return union_all(
        *(
            select(
                _at_zero(division, site)
                .add_columns(literal(site.value).label("site"))
                .order_by(Item.name_key)
                .limit(MAX_NAMES)
                .subquery()
            )
            for site in SITES[division]
        )
    )


def _at_zero(division: Division, site: Site) -> Select[str]:
    store = select(StockSite.id).filter_by(division=division, site=site).scalar_subquery()
    return select(Item.name).where(Item.site_id == store, text(AT_ZERO))

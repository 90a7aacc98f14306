"""The act on a reorder list: make its orders and transfers."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import request, url_for

from app import dates
from app.divisions import SITES, Division, Site, Store
from app.errors import NotFound
from app.paging import page_of
from app.records.acts import Act, Outcome, Target
from app.reorder import services
from app.reorder.forms import ReorderForm, basis_of
from app.reorder.queries import reorder_list
from app.reorder.rules import by_source
from app.reorder.services import OrderLine, ReorderResult
from app.web import access
from app.web.list_query import requested_page

LINES_PER_PAGE = 100


def store_of(division: str) -> Store:
    """Return the store that an address names by its site, by default the first."""
    return store_at(Division(division), request.args.get("site", ""))


def store_at(division: Division, site: str) -> Store:
    """Return the store of a division at a site, at its first for ''; raises NotFound."""
    sites = SITES[division]
    if site not in ("", *sites):
        raise NotFound(f'{division.label} has no site "{site[:40]}".')
    return Store(division, Site(site) if site else sites[0])


def context_of(form: ReorderForm, store: Store) -> Mapping[str, Any]:
    """Return what the page of a store's reorder list shows."""
    found = reorder_list(store, dates.today())
    page = page_of(found.proposals, requested_page(), per_page=LINES_PER_PAGE)
    rows = [form.filled(each) for each in page.rows]
    parts = by_source(rows)
    made = [some[0].from_site for some in parts if any(each.quantity for each in some)]
    transfers = sum(site is not None for site in made)
    return {
        "store": store,
        "sites": SITES[store.division],
        "found": found,
        "page": page,
        "parts": parts,
        "basis_of": basis_of,
        "button": services.count_made(len(made) - transfers, transfers),
        "at_zero": sum(not each.position.amount for each in found.proposals),
        "cost": sum(each.cost for each in rows),
        "address": partial(url_for, "reorder.reorder", **store.place),
    }


def _create(division: str, *, lines: list[OrderLine], by: int) -> ReorderResult:
    return services.create(store_of(division), lines, by=by)


ACTS = (
    Act[Store](
        "create",
        "/reorder/create",
        access.division_in_path,
        ReorderForm,
        _create,
        lambda result: Outcome(result.message),
        Target(store_of, lambda store: url_for("reorder.reorder", **store.place)),
        shows=context_of,
        failure="Failed to create the orders",
        template="reorder",
        is_page=True,
    ),
)

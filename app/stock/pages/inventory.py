"""The routes of a store, its stock list, and the pages of its items."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial, wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Select

from app import dates
from app.directory.rules import DirectoryList
from app.divisions import SITES, STORES, Division, Site, Store
from app.errors import NotFound
from app.paging import MAX_ID
from app.records.acts import view_of
from app.stock.acts import ACTS, ITEM, describe_operation, list_url, parse_filters, undo_url
from app.stock.forms import AddItemForm
from app.stock.queries import levels, operations
from app.stock.queries.stock_levels import suggested_rows
from app.stock.rules import items
from app.stock.rules.filters import STOCK_ORDERS, StockFilters
from app.versions import versions_of
from app.web import access, caching, rendered
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import flash_message
from app.web.htmx import is_htmx_for
from app.web.list_query import Sorting, filter_chips
from app.web.navigation import Screen, referring_path
from app.web.policies import Policy
from app.web.remembered import remembers_filters

bp = Blueprint("stock", __name__)

View = TypeVar("View", bound=Callable[..., Any])

PREFIXES = {Division.GFM: "/inventory", Division.GPM: "/gpm/inventory"}
OPERATION = "/<site>/operations/<row_id:operation_id>"


def store_page(
    rule: str,
    failure: str = "Failed to load inventory",
    *,
    policy: Policy = access.division_in_path,
    **options: Any,
) -> Callable[[View], View]:
    """Serve a view with its `store` as an argument; unexpected errors show `failure`."""

    def register(view: View) -> View:
        @wraps(view)
        def of_store(division: str, site: str, **others: Any) -> Any:
            return view(store=store_of(division, site), **others)

        page = policy(failure_message(failure)(of_store))
        access.add_by_division(bp, PREFIXES, rule, page, **options)
        return view

    return register


def store_of(division: str, site: str) -> Store:
    """Return the store that a route names; raises NotFound for an unknown site."""
    owner = Division(division)
    if site not in SITES[owner]:
        raise NotFound(f'There is no site "{site[:40]}".')
    return Store(owner, Site(site))


def store_props(store: Store) -> dict[str, object]:
    """Return the props that all widgets of stock share: the user, the store and the day."""
    return {
        "user": current_user().user_id,
        "division": store.division,
        "site": store.site,
        "today": dates.today(),
        "back": list_url(store),
    }


RECENT = timedelta(minutes=5)
"""How long an operation's message can be shown by its URL."""

WHOLE_COUNT = "count"
"""The value of `done` for a stock check that was applied as a whole list, without operation."""

SCREENS = [
    Screen(
        store.division,
        store.site.label if store.has_transfers else "Inventory",
        "stock.inventory",
        store.place,
        key=store.site[0],
    )
    for store in STORES
]


@access.division_in_path
def start(division: str) -> ResponseReturnValue:
    """Redirect to the main site."""
    return redirect(url_for("stock.inventory", division=division, site=Site.MAIN))


def _matches(values: Mapping[str, str], division: str, site: str) -> Select[int]:
    return levels.matching_items(store_of(division, site), parse_filters(values))


@access.division_in_path
@failure_message("Failed to load inventory")
@remembers_filters(
    "q", "category", "level", call="inventory", in_use=["category"], matches=_matches
)
def inventory(division: str, site: str) -> ResponseReturnValue:
    """Show a site's stock, 100 rows at a time; an unknown site falls back to main."""
    if site not in SITES[Division(division)]:
        return start(division)
    store = store_of(division, site)
    filters = parse_filters(request.args)
    if "done" in request.args:
        return _show_done(store, filters, request.args["done"])
    state = levels.site_state(store)
    # A list without matches leads to those of the other sites.
    version = (state.division_version if filters else state.version, state.levels_version)
    if unchanged := caching.not_modified(*version):
        return unchanged
    after = request.args.get("after", "")

    address, unsorted = partial(list_url, store), replace(filters, order=STOCK_ORDERS.default).args
    # Indexes have all its orders, whatever the total.
    sorting = Sorting(STOCK_ORDERS, filters.order, 0, address, unsorted)
    shared = {"store": store, "filters": filters, "sorting": sorting}

    def load_head() -> dict[str, Any]:
        return shared | {
            "sites": SITES[store.division],
            "categories": levels.categories(store),
            "hides_count": state.hides_count,
        }

    def load_rows() -> dict[str, Any]:
        page = levels.load_rows(store, filters, after)
        if after and not page.rows and page.total:
            abort(redirect(list_url(store, **filters.args)))
        return shared | {
            "page": page,
            "after": after,
            "elsewhere": _matches_elsewhere(store, filters) if filters and not page.rows else (),
            "chips": filter_chips(
                address,
                filters.args,
                {"q": f"“{filters.search}”", "category": filters.category, "level": "Low"},
            ),
        }

    key = (store, filters, after)
    if is_htmx_for("more"):
        return rendered.cached("stock/_rows.html", *key, version=version, load=load_rows)
    if is_htmx_for("list"):
        return rendered.cached("stock/_update.html", *key, version=version, load=load_rows)
    return render_template(
        "stock/inventory.html",
        store=store,
        mode=filters.mode,
        head=rendered.cached("stock/_head.html", store, filters, version=version, load=load_head),
        listing=rendered.cached("stock/_listing.html", *key, version=version, load=load_rows),
    )


access.add_by_division(bp, PREFIXES, "", start)
access.add_by_division(bp, PREFIXES, "/<site>", inventory)


def _matches_elsewhere(store: Store, filters: StockFilters) -> Sequence[tuple[Store, int]]:
    others = (Store(store.division, site) for site in SITES[store.division] if site != store.site)
    found = ((other, levels.count_items(other, filters)) for other in others)
    return [(other, total) for other, total in found if total]


def _show_done(store: Store, filters: StockFilters, done: str) -> ResponseReturnValue:
    if done == WHOLE_COUNT:
        flash_message("Stock check applied.")
    number = int(done) if done.isascii() and done.isdecimal() else 0
    lines = operations.load_lines(number, store.division) if 0 < number <= MAX_ID else []
    since = dates.utc_now() - RECENT
    if lines and operations.is_recent(number, by=current_user().user_id, since=since):
        undo = undo_url(store, operations.undoable_id(number, lines))
        flash_message(describe_operation(lines), undo=undo)
    return redirect(list_url(store, **filters.args))


for act in ACTS:
    store_page(act.path, act.failure, policy=act.policy, methods=["GET", "POST"])(view_of(act))


@store_page("/<site>/add/namesake")
def namesake(store: Store) -> str:
    """Show whether an item of the typed name exists, and how saving would change it."""
    name = request.args.get("name", "").strip()
    existing = levels.find_item(store, name) if name else None
    form = AddItemForm(formdata=None)
    form.based_on.data = existing.amount if existing else None
    return render_template("stock/_namesake.html", form=form, existing=existing)


MOVEMENTS = 10


@store_page(ITEM)
def item(store: Store, item_id: int) -> ResponseReturnValue:
    """Show an item, also a removed one; htmx gets the parts that change with its stock."""
    back = _back(store)
    today = dates.today()
    panels = current_app.extensions["panels"]["item"]
    state = levels.site_state(store)
    # The lead days of suppliers are part of what its use suggests.
    names = [list_of(store.division) for list_of, _ in panels.values()]
    lists = versions_of([DirectoryList.SUPPLIERS, *names])
    versions = (state.division_version, state.levels_version, *lists)
    if unchanged := caching.not_modified(*versions, today, back):
        return unchanged
    record = operations.get_past_item(store, item_id)
    (level,) = suggested_rows([record])
    since = items.first_day(today)
    changes = operations.changes_by_day(item_id, since)
    is_fragment = is_htmx_for("item")
    return render_template(
        "stock/_item.html" if is_fragment else "stock/item.html",
        store=store,
        item=record,
        elsewhere=levels.elsewhere(store, record.name_key),
        picture=items.picture_of(record.amount, changes, today, record.minimum),
        level=level,
        **{name: panel(store, record) for name, (_, panel) in panels.items()},
        days=items.day_labels(today),
        since=since,
        movements=operations.latest_movements(record, MOVEMENTS),
        back=back,
        is_fragment=is_fragment,
    )


def _back(store: Store) -> str:
    path = referring_path()
    lists = {
        list_url(store),
        url_for("stock_history.history", division=store.division.value),
        url_for("dashboard.show"),
    }
    return path if path and urlsplit(path).path in lists else list_url(store)

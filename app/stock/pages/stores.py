"""The routes of a store's pages: GFM's sites under /inventory, GPM's under /gpm/inventory."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import Blueprint

from app import dates
from app.divisions import SITES, Division, Site, Store
from app.errors import NotFound
from app.stock.acts import list_url
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.policies import Policy

bp = Blueprint("stock", __name__)

View = TypeVar("View", bound=Callable[..., Any])

PREFIXES = {Division.GFM: "/inventory", Division.GPM: "/gpm/inventory"}
OPERATION = "/<site>/operations/<row_id:operation_id>"


def store_route(rule: str, **options: Any) -> Callable[[View], View]:
    """Serve a view for both divisions that keep stock, with `division` and `site` as arguments."""

    def register(view: View) -> View:
        for division, prefix in PREFIXES.items():
            bp.add_url_rule(
                prefix + rule, view.__name__, view, defaults={"division": division.value}, **options
            )
        return view

    return register


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

        store_route(rule, **options)(policy(failure_message(failure)(of_store)))
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

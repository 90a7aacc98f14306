"""The page of one item: its amount here and elsewhere, its last days, and its actions."""

from urllib.parse import urlsplit

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import Store
from app.stock.pages.stores import ITEM, list_url, store_of, store_route
from app.stock.queries import history, item_history, levels
from app.stock.rules import item_pictures
from app.web import access, caching
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx_for
from app.web.navigation import referring_path

MOVEMENTS = 10


@store_route(ITEM)
@access.division_in_path
@failure_message("Failed to load inventory")
def item(division: str, site: str, item_id: int) -> ResponseReturnValue:
    """Show an item, also a removed one; htmx gets the parts that change with its stock."""
    store = store_of(division, site)
    back = _back(store)
    today = dates.today()
    not_modified = caching.not_modified(*history.list_versions(store.division), today, back)
    if not_modified is not None:
        return not_modified
    record = item_history.get_past_item(store, item_id)
    since = item_pictures.first_day(today)
    changes = item_history.changes_by_day(item_id, since)
    is_fragment = is_htmx_for("item")
    return render_template(
        "stock/_item.html" if is_fragment else "stock/item.html",
        store=store,
        item=record,
        elsewhere=levels.elsewhere(store, record.name_key),
        picture=item_pictures.picture_of(record.amount, changes, today),
        days=item_pictures.day_labels(today),
        since=since,
        movements=item_history.latest_movements(record, MOVEMENTS),
        back=back,
        is_fragment=is_fragment,
    )


def _back(store: Store) -> str:
    """Return the list that led to this page, by default the stock list."""
    path = referring_path()
    lists = {
        list_url(store),
        url_for("stock_history.history", division=store.division.value),
        url_for("dashboard.show"),
    }
    return path if path and urlsplit(path).path in lists else list_url(store)

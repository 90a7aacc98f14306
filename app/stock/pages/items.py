"""Pages of items."""

from urllib.parse import urlsplit

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import Store
from app.records.acts import view_of
from app.stock.acts import ACTS, ITEM, list_url
from app.stock.forms import AddItemForm
from app.stock.pages.stores import store_page
from app.stock.queries import history, item_history, levels
from app.stock.rules import items
from app.web import caching
from app.web.htmx import is_htmx_for
from app.web.navigation import referring_path

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
    not_modified = caching.not_modified(*history.list_versions(store.division), today, back)
    if not_modified is not None:
        return not_modified
    record = item_history.get_past_item(store, item_id)
    since = items.first_day(today)
    changes = item_history.changes_by_day(item_id, since)
    is_fragment = is_htmx_for("item")
    return render_template(
        "stock/_item.html" if is_fragment else "stock/item.html",
        store=store,
        item=record,
        elsewhere=levels.elsewhere(store, record.name_key),
        picture=items.picture_of(record.amount, changes, today),
        days=items.day_labels(today),
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

"""The stock list and the dialogs that change it."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import (
    Blueprint,
    Response,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from app.db import transaction
from app.divisions import SITES, Division, Site, Store
from app.errors import NotFound, QuartermasterError
from app.money import format_number
from app.stock.forms import AddItemForm, EditItemForm, ItemActionForm, RemoveItemForm
from app.stock.models import Item
from app.stock.queries import levels
from app.stock.rules import operations as rules
from app.stock.rules.operations import Kind
from app.stock.services import items as services
from app.stock.services.items import StockChange
from app.web import access, caching
from app.web.error_pages import says_on_failure
from app.web.forms import Form
from app.web.htmx import is_htmx, is_htmx_for
from app.web.idempotency import exactly_once
from app.web.navigation import Screen

bp = Blueprint("stock", __name__)

SCREENS = [
    Screen(Division.GFM, site.label, "stock.inventory", {"site": site.value})
    for site in SITES[Division.GFM]
]

gfm = access.division(Division.GFM)

ITEM = "/inventory/<site>/items/<int(max=2147483647):item_id>"


@bp.get("/inventory")
@gfm
def start() -> ResponseReturnValue:
    """Lead to the main site."""
    return redirect(url_for("stock.inventory", site=Site.MAIN))


@bp.get("/inventory/<site>")
@gfm
@says_on_failure("Failed to load inventory")
def inventory(site: str) -> ResponseReturnValue:
    """Show a site's stock, 100 rows at a time; an unknown site falls back to main."""
    if site not in SITES[Division.GFM]:
        return redirect(url_for("stock.inventory", site=Site.MAIN))
    store = _store(site)
    same = caching.unchanged(levels.data_version(store))
    if same is not None:
        return same
    shown = _filter(request.args)
    after = request.args.get("after", "")
    page = levels.stock_page(store, shown, after)
    if after and not page.rows and page.total:
        return redirect(url_for("stock.inventory", site=site, **_query_of(shown)))
    context = {"store": store, "page": page, "shown": shown, "after": after}
    if is_htmx_for("more"):
        return render_template("stock/_rows.html", **context)
    if is_htmx_for("list"):
        return render_template("stock/_list.html", is_fragment=True, **context)
    return render_template(
        "stock/inventory.html",
        sites=SITES[Division.GFM],
        categories=levels.categories(store),
        **context,
    )


@bp.route("/inventory/<site>/add", methods=["GET", "POST"])
@gfm
@access.shows_form_again
@says_on_failure("Update failed")
def add_item(site: str) -> ResponseReturnValue:
    """Add an item, or update the one that has its name."""
    store = _store(site)
    form = AddItemForm()

    def work() -> StockChange:
        return services.add_item(
            store,
            form.item(),
            based_on=form.based_on.data,
            keeps_price=form.unit_price.data is None,
            by=access.viewer().user_id,
        )

    def ask() -> str:
        return _dialog(
            "add_item",
            store,
            form,
            existing=_namesake(store, form),
            categories=levels.categories(store),
        )

    return _answer(form, store, work, ask, _said_of_addition)


@bp.get("/inventory/<site>/add/namesake")
@gfm
@says_on_failure("Failed to load inventory")
def namesake(site: str) -> str:
    """Show whether an item of the typed name exists, with what saving would change."""
    store = _store(site)
    name = request.args.get("name", "").strip()
    existing = levels.item_named(store, name) if name else None
    form = AddItemForm(formdata=None)
    form.based_on.data = existing.amount if existing else None
    return render_template("stock/_namesake.html", form=form, existing=existing)


@bp.route(f"{ITEM}/action", methods=["GET", "POST"])
@gfm
@access.shows_form_again
@says_on_failure("Update failed")
def act(site: str, item_id: int) -> ResponseReturnValue:
    """Deliver or withdraw one item."""
    store = _store(site)
    preset = Kind.DELIVERY if request.args.get("mode") == "inc" else Kind.WITHDRAWAL
    form = ItemActionForm(action=preset.value)

    def work() -> StockChange:
        service = services.deliver if form.action.data == Kind.DELIVERY else services.withdraw
        return service(
            store,
            item_id,
            form.quantity.data,
            team=form.team.data,
            on=form.date.data,
            by=access.viewer().user_id,
        )

    def ask() -> str:
        item = levels.item(store, item_id)
        teams = levels.known_teams(store.division)
        return _dialog("act", store, form, item=item, teams=teams)

    return _answer(form, store, work, ask, _said_of_action)


@bp.route(f"{ITEM}/edit", methods=["GET", "POST"])
@gfm
@access.shows_form_again
@says_on_failure("Update failed")
def edit_item(site: str, item_id: int) -> ResponseReturnValue:
    """Change an item's name, category, price or unit."""
    store = _store(site)
    form = EditItemForm(obj=levels.item(store, item_id) if request.method == "GET" else None)

    def work() -> StockChange:
        return services.edit_item(
            store,
            form.change(item_id),
            revision=form.revision.data if form.revision.data is not None else -1,
            by=access.viewer().user_id,
        )

    def ask() -> str:
        item = levels.item(store, item_id)
        clash = isinstance(form.refusal, services.EditedMeanwhile)
        if clash:
            form.revision.data = item.revision
        categories = levels.categories(store)
        return _dialog("edit_item", store, form, item=item, clash=clash, categories=categories)

    return _answer(form, store, work, ask, lambda change: f'Saved "{change.name}".')


@bp.route(f"{ITEM}/remove", methods=["GET", "POST"])
@gfm
@access.shows_form_again
@says_on_failure("Update failed")
def remove_item(site: str, item_id: int) -> ResponseReturnValue:
    """Ask, then take an item off the list."""
    store = _store(site)
    form = RemoveItemForm()

    def work() -> StockChange:
        based_on = form.based_on.data
        return services.remove_item(
            store,
            item_id,
            based_on=-1 if based_on is None else based_on,
            by=access.viewer().user_id,
        )

    def ask() -> str:
        item = levels.item(store, item_id)
        form.based_on.data = item.amount
        return _dialog("remove_item", store, form, item=item)

    return _answer(form, store, work, ask, lambda change: f'Removed "{change.name}".')


def _store(site: str) -> Store:
    if site not in SITES[Division.GFM]:
        raise NotFound(f'There is no site "{site[:40]}".')
    return Store(Division.GFM, Site(site))


def _answer(
    form: Form,
    store: Store,
    work: Callable[[], StockChange],
    ask: Callable[[], str],
    say: Callable[[StockChange], str],
) -> ResponseReturnValue:
    """Show the form; when it was sent, do the work once, or show the form again as typed."""
    if not form.is_submitted():
        return ask()
    status = 422
    if form.validate():
        try:
            with transaction():
                change = exactly_once(form.submission(), StockChange, work)
            return _changed(form, store, change, say(change))
        except QuartermasterError as error:
            form.refuse(error)
            status = error.status
    return make_response(ask(), status)


def _changed(form: Form, store: Store, change: StockChange, said: str) -> Response:
    if not is_htmx():
        flash(said)
        back = form.back_to or url_for("stock.inventory", site=store.site)
        return make_response(redirect(back, 303))
    query = dict(parse_qsl(urlsplit(form.back_to or "").query))
    shown = _filter(query)
    count = levels.stock_count(store, shown)
    fragment = render_template(
        "stock/_changed.html",
        store=store,
        row=levels.stock_row(store, change.item_id) if change.existed else None,
        added=not change.existed,
        item_id=change.item_id,
        categories=levels.categories(store),
        shown=shown,
        count=count,
        said=said,
    )
    response = make_response(fragment)
    if not change.existed or not count:
        response.headers["HX-Trigger"] = "stock-changed"
    return response


def _dialog(name: str, store: Store, form: Form, **context: object) -> str:
    fragment = "_" if is_htmx() else ""
    back = form.back_to or url_for("stock.inventory", site=store.site)
    return render_template(
        f"stock/{fragment}{name}.html", store=store, form=form, back=back, **context
    )


def _namesake(store: Store, form: AddItemForm) -> Item | None:
    """Find the item that saving would update, and let the form carry the amount it showed."""
    existing = levels.item_named(store, form.name.data) if form.name.data else None
    form.based_on.data = existing.amount if existing else None
    return existing


def _query_of(shown: levels.StockFilter) -> dict[str, Any]:
    return {"q": shown.search or None, "category": shown.category or None}


def _filter(query: Mapping[str, str]) -> levels.StockFilter:
    return levels.StockFilter(query.get("q", ""), query.get("category", ""))


def _said_of_action(change: StockChange) -> str:
    moved = change.after - change.before
    verb = "delivered" if moved > 0 else "withdrew"
    left = (
        f"{format_number(change.after)} {_unit(change)}left"
        if moved < 0
        else (f"{format_number(change.after)} {_unit(change)}now")
    )
    return f"{change.name}: {verb} {format_number(abs(moved))}, {left}."


def _said_of_addition(change: StockChange) -> str:
    if not change.existed:
        return f'Added "{change.name}": {format_number(change.after)}.'
    return (
        f'Updated "{change.name}": {format_number(change.before)} → {format_number(change.after)}.'
    )


def _unit(change: StockChange) -> str:
    return "" if change.unit == rules.DEFAULT_UNIT else f"{change.unit} "

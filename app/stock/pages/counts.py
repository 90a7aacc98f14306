"""The pages of widgets: the stock check with its sheets, and the bulk update."""

from flask import Response, render_template, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import Store
from app.errors import NotFound
from app.stock.pages.replies import list_url
from app.stock.pages.stores import store_of, store_route
from app.stock.queries import levels
from app.stock.schemas.count_sheets import write_sheet
from app.stock.schemas.widgets import BulkUpdateProps, StockCountProps, site_choices
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.htmx import is_htmx


@store_route("/<site>/count")
@access.division_in_path
@failure_message("Failed to load inventory")
def count(division: str, site: str) -> str:
    """Show the stock check; the browser keeps its draft."""
    store = _countable_store(division, site)
    sheet = url_for("stock.count_sheet", **store.place)
    values = _store_props(store) | {
        "siteLabel": store.site.label,
        "todayText": dates.format_day(dates.today()),
        "sheet": sheet,
        "sheetCsv": url_for("stock.count_sheet_csv", **store.place),
    }
    props = StockCountProps().dump(values)
    return render_template("stock/count.html", store=store, props=props, sheet=sheet)


@store_route("/<site>/count-sheet")
@access.division_in_path
@failure_message("Failed to load inventory")
def count_sheet(division: str, site: str) -> str:
    """Show a sheet to print and count on."""
    store = _countable_store(division, site)
    return render_template(
        "stock/count_sheet.html", store=store, rows=levels.all_stock(store), day=dates.today()
    )


@store_route("/<site>/count-sheet.csv")
@access.division_in_path
@failure_message("Failed to load inventory")
def count_sheet_csv(division: str, site: str) -> Response:
    """Send a sheet to fill in; the stock check can load it."""
    store = _countable_store(division, site)
    name = f"count_sheet_{store.division}_{store.site}_{dates.today()}.csv"
    response = Response(write_sheet(levels.all_stock(store)), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@store_route("/<site>/bulk")
@access.division_in_path
@failure_message("Bulk update failed")
def bulk_update(division: str, site: str) -> ResponseReturnValue:
    """Show the bulk update."""
    store = store_of(division, site)
    values = _store_props(store) | {
        "sites": site_choices(store),
        "teams": levels.suggest_teams(store.division),
        "resultUrl": f"{list_url(store)}/operations/{{id}}",
    }
    props = BulkUpdateProps().dump(values)
    template = "stock/_bulk_update.html" if is_htmx() else "stock/bulk_update.html"
    return render_template(template, store=store, props=props, back=list_url(store))


def _countable_store(division: str, site: str) -> Store:
    store = store_of(division, site)
    if levels.hides_count(store):
        raise NotFound(
            f"Stock checks are switched off for {store.site.label}. Ask an administrator."
        )
    return store


def _store_props(store: Store) -> dict[str, object]:
    return {
        "user": current_user().user_id,
        "division": store.division,
        "site": store.site,
        "today": dates.today(),
        "back": list_url(store),
    }

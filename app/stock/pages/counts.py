"""The stock check and its sheets."""

from flask import Response, render_template, url_for

from app import dates
from app.divisions import Store
from app.errors import NotFound
from app.records.record import csv_lines
from app.stock.pages.stores import store_of, store_props, store_route
from app.stock.queries import levels
from app.stock.schemas.count_sheets import SHEET_FILE
from app.stock.schemas.widgets import StockCountProps
from app.web import access
from app.web.error_pages import failure_message


@store_route("/<site>/count")
@access.division_in_path.to_change
@failure_message("Failed to load inventory")
def count(division: str, site: str) -> str:
    """Show the stock check; the browser keeps its draft."""
    store = _countable_store(division, site)
    props = StockCountProps().dump(count_values(store))
    return render_template("stock/count.html", store=store, props=props, sheet=props["sheet"])


def count_values(store: Store) -> dict[str, object]:
    """Return the values of the props of a store's stock check."""
    return store_props(store) | {
        "siteLabel": store.site.label,
        "todayText": dates.format_day(dates.today()),
        "sheet": url_for("stock.count_sheet", **store.place),
        "sheetCsv": url_for("stock.count_sheet_csv", **store.place),
    }


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
    response = Response(csv_lines(SHEET_FILE, levels.all_stock(store)), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _countable_store(division: str, site: str) -> Store:
    store = store_of(division, site)
    if levels.hides_count(store):
        raise NotFound(
            f"Stock checks are switched off for {store.site.label}. Ask an administrator."
        )
    return store

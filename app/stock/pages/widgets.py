"""Pages of bulk update and stock-count mode, and the files of a stock list."""

from functools import partial

from flask import Response, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import Store
from app.errors import NotFound
from app.records.lists import export_file, exports
from app.records.record import csv_lines
from app.stock.acts import describe_operation, list_url, parse_filters, undo_url
from app.stock.forms import BulkUpdateForm
from app.stock.pages.inventory import store_page, store_props
from app.stock.queries import levels, operations, overview
from app.stock.rules.items import EntryKind
from app.stock.rules.movements import Action, StockLine
from app.stock.schemas.items import SHEET_FILE, STOCK_FILE
from app.stock.schemas.widgets import BulkUpdateProps, StockCountProps, StockReference, site_choices
from app.stock.services import movements
from app.stock.services.movements import MovementResult
from app.web import access, caching
from app.web.access import current_user, view_only
from app.web.form_handling import handle_form, render_dialog, respond_done


@store_page("/<site>/bulk", "Bulk update failed", methods=["GET", "POST"])
@access.redisplays_form
def bulk_update(store: Store) -> ResponseReturnValue:
    """Deliver, withdraw or transfer several items at once: all lines, or none."""
    form = BulkUpdateForm(store)

    def move() -> MovementResult:
        return movements.move(
            Action(form.action.data),
            store,
            [StockLine(line.name.data, line.quantity.data) for line in form.filled()],
            destination=form.site(),
            auto_create=form.auto_create.data,
            team=form.team.data,
            on=form.date.data,
            by=current_user().user_id,
            stamp=form.stamp(),
        )

    def respond(result: MovementResult) -> ResponseReturnValue:
        lines = operations.load_lines(result.operation, store.division)
        undo = undo_url(store, operations.undoable_id(result.operation, lines))
        return respond_done(describe_operation(lines), back=list_url(store), undo=undo)

    return handle_form(
        form,
        MovementResult,
        move,
        render=lambda: _render(store, form),
        respond=respond,
        rebuild=movements.rebuild_movement,
    )


def _render(store: Store, form: BulkUpdateForm) -> str:
    values = _with_teams(store) | {
        "sites": site_choices(store),
        "resultUrl": f"{list_url(store)}/operations/{{id}}",
    }
    return render_dialog(
        "stock/bulk_update.html",
        form=form,
        default_back=list_url(store),
        store=store,
        teams=values["teams"],
        props=BulkUpdateProps().dump(values),
    )


def _with_teams(store: Store) -> dict[str, object]:
    recent = partial(overview.recent_teams, store.division, current_user().user_id)
    return store_props(store) | {
        "teams": overview.suggest_teams(store.division),
        "deliveryTeams": recent(EntryKind.DELIVERY),
        "withdrawalTeams": recent(EntryKind.WITHDRAWAL),
    }


@store_page("/<site>/count", policy=access.division_in_path.to_change)
def count(store: Store) -> str:
    """Show the stock check; the browser keeps its draft."""
    _check_countable(store)
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


@store_page("/<site>/count-sheet")
def count_sheet(store: Store) -> str:
    """Show a sheet to print and count on."""
    _check_countable(store)
    return render_template(
        "stock/count_sheet.html", store=store, rows=levels.all_stock(store), day=dates.today()
    )


@store_page("/<site>/count-sheet.csv")
def count_sheet_csv(store: Store) -> Response:
    """Send a sheet to fill in; the stock check can load it."""
    _check_countable(store)
    name = f"count_sheet_{store.division}_{store.site}_{dates.today()}.csv"
    response = Response(csv_lines(SHEET_FILE, levels.all_stock(store)), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@store_page("/<site>.csv")
@exports("{store.division} {store.site} stock")
def inventory_csv(store: Store) -> Response:
    """Send the items that match the filters as a file."""
    rows = levels.all_stock(store, parse_filters(request.args))
    return export_file(f"{store.division}-{store.site}-stock.csv", STOCK_FILE, rows)


def _check_countable(store: Store) -> None:
    if levels.site_state(store).hides_count:
        site = store.site.label
        raise NotFound(f"Stock checks are switched off for {site}. Ask an administrator.")


@store_page("/<site>/reference")
def reference(store: Store) -> ResponseReturnValue:
    """Send a store's stock, and the choices of its dialogs and its stock check, as JSON."""
    day = dates.today()
    if unchanged := caching.not_modified(day, *overview.offer_versions(store.division)):
        return unchanged
    values = _with_teams(store) | {
        "divisionLabel": store.division.label,
        "siteLabel": store.site.label,
        "destinations": [choice for choice in site_choices(store) if choice["value"] != store.site],
        "viewOnly": view_only(),
        "rows": [tuple(row) for row in levels.all_stock(store)],
        "count": None if levels.site_state(store).hides_count else count_values(store),
    }
    return jsonify(StockReference().dump(values))

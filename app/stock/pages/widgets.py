"""Pages of bulk update and stock-count mode."""

from functools import partial

from flask import Response, jsonify, render_template, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.divisions import Store
from app.errors import NotFound
from app.records.record import csv_lines
from app.stock.forms import BulkUpdateForm
from app.stock.pages.replies import describe_operation, undo_url
from app.stock.pages.stores import list_url, store_of, store_props, store_route
from app.stock.queries import levels, operations, team_offers
from app.stock.rules.items import EntryKind
from app.stock.rules.movements import Action
from app.stock.schemas.files import SHEET_FILE
from app.stock.schemas.widgets import BulkUpdateProps, StockCountProps, StockReference, site_choices
from app.stock.services import movements
from app.stock.services.movements import MovementResult
from app.web import access, caching
from app.web.access import current_user, view_only
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, render_dialog, respond_done


@store_route("/<site>/bulk", methods=["GET", "POST"])
@access.division_in_path
@access.redisplays_form
@failure_message("Bulk update failed")
def bulk_update(division: str, site: str) -> ResponseReturnValue:
    """Deliver, withdraw or transfer several items at once: all lines, or none."""
    store = store_of(division, site)
    form = BulkUpdateForm(store)

    def move() -> MovementResult:
        return movements.move(
            Action(form.action.data),
            store,
            form.stock_lines(),
            destination=form.site(),
            auto_create=form.auto_create.data,
            team=form.team.data,
            on=form.date.data,
            by=current_user().user_id,
            stamp=form.stamp(),
        )

    def respond(result: MovementResult) -> ResponseReturnValue:
        lines = operations.load_lines(result.operation, store.division)
        undoable_id = result.operation if operations.is_undoable(result.operation, lines) else 0
        undo = undo_url(store, undoable_id)
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
    teams = team_offers.suggest_teams(store.division)
    recent = partial(team_offers.recent_teams, store.division, current_user().user_id)
    values = store_props(store) | {
        "sites": site_choices(store),
        "teams": teams,
        "deliveryTeams": recent(EntryKind.DELIVERY),
        "withdrawalTeams": recent(EntryKind.WITHDRAWAL),
        "resultUrl": f"{list_url(store)}/operations/{{id}}",
    }
    return render_dialog(
        "stock/bulk_update.html",
        form=form,
        default_back=list_url(store),
        store=store,
        teams=teams,
        props=BulkUpdateProps().dump(values),
    )


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
    if levels.site_state(store).hides_count:
        raise NotFound(
            f"Stock checks are switched off for {store.site.label}. Ask an administrator."
        )
    return store


@store_route("/<site>/reference")
@access.division_in_path
@failure_message("Failed to load inventory")
def reference(division: str, site: str) -> ResponseReturnValue:
    """Send a store's stock, and the choices of its dialogs and its stock check, as JSON."""
    store = store_of(division, site)
    day = dates.today()
    unchanged = caching.not_modified(day, *team_offers.versions(store.division))
    if unchanged is not None:
        return unchanged
    recent = partial(team_offers.recent_teams, store.division, current_user().user_id)
    values = store_props(store) | {
        "divisionLabel": store.division.label,
        "siteLabel": store.site.label,
        "teams": team_offers.suggest_teams(store.division),
        "deliveryTeams": recent(EntryKind.DELIVERY),
        "withdrawalTeams": recent(EntryKind.WITHDRAWAL),
        "destinations": [choice for choice in site_choices(store) if choice["value"] != store.site],
        "viewOnly": view_only(),
        "rows": [tuple(row) for row in levels.all_stock(store)],
        "count": None if levels.site_state(store).hides_count else count_values(store),
    }
    return jsonify(StockReference().dump(values))

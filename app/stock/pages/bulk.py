"""The bulk update: a widget, and a form of a few lines for browsers without scripts."""

from functools import partial

from flask.typing import ResponseReturnValue

from app.divisions import Store
from app.stock.forms import BulkUpdateForm
from app.stock.pages.replies import describe_operation, undo_url
from app.stock.pages.stores import list_url, store_of, store_props, store_route
from app.stock.queries import operations, team_offers
from app.stock.rules.items import EntryKind
from app.stock.rules.movements import Action
from app.stock.schemas.widgets import BulkUpdateProps, site_choices
from app.stock.services import movements
from app.stock.services.movements import MovementResult
from app.web import access
from app.web.access import current_user
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

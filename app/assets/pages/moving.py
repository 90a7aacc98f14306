"""Moving one asset, or several that were ticked."""

from collections import Counter
from collections.abc import Callable, Sequence

from flask import flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.assets.forms import MoveForm
from app.assets.pages.addresses import ASSET, bp, for_owner
from app.assets.queries import register as queries
from app.assets.rules.assets import MOST_MOVED
from app.assets.services import moves as services
from app.assets.services.moves import Moved
from app.errors import Invalid
from app.money import format_number
from app.paging import MAX_ID
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form
from app.web.htmx import is_htmx
from app.web.navigation import back_link

CHANGED = "assets-changed"
"""The event on which the list loads itself again."""

MOVED = "ticked-moved"
"""The event on which the ticks are forgotten."""


@bp.route(f"{ASSET}/move", methods=["GET", "POST"])
@for_owner
@access.redisplays_form
@failure_message("Failed to move asset")
def move_asset(number: int) -> ResponseReturnValue:
    """Ask where an asset goes, then move it."""
    return _move([number], _said_of_one, CHANGED)


@bp.route("/assets/move", methods=["GET", "POST"])
@for_owner
@access.redisplays_form
@failure_message("Failed to move asset")
def move_assets() -> ResponseReturnValue:
    """Ask where the assets go that were ticked, then move them together."""
    try:
        numbers = _ticked()
    except Invalid as error:
        if is_htmx() or request.method == "POST":
            raise
        # An error's own page would lead back here.
        flash(error.message)
        return redirect(back_link("/assets") or url_for("assets.assets"), 303)
    return _move(numbers, _said_of_many, f"{CHANGED}, {MOVED}")


def _move(numbers: Sequence[int], say: Callable[[Moved], str], heard: str) -> ResponseReturnValue:
    form = MoveForm()
    back = form.back_to or url_for("assets.assets")

    def work() -> Moved:
        return services.move_assets(numbers, form.destination.data, by=current_user().user_id)

    def ask() -> str:
        going = queries.chosen_assets(numbers)
        fragment = "_" if is_htmx() else ""
        return render_template(
            f"assets/{fragment}move.html",
            form=form,
            going=going,
            gone=len(set(numbers)) - len(going),
            places=Counter(row.location for row in going).most_common(),
            locations=queries.locations(),
            back=back,
        )

    def done(moved: Moved) -> ResponseReturnValue:
        if not is_htmx():
            flash(say(moved))
            return redirect(back, 303)
        response = make_response(render_template("components/_done.html", message=say(moved)))
        response.headers["HX-Trigger"] = heard
        return response

    return handle_form(form, Moved, work, render=ask, respond=done)


def _ticked() -> list[int]:
    """Return the assets that were ticked; raises Invalid for none, and for too many at once."""
    told = request.form if request.method == "POST" else request.args
    texts = list(dict.fromkeys(told.getlist("asset")))
    if not texts:
        raise Invalid("Tick the assets to move first.")
    if len(texts) > MOST_MOVED:
        raise Invalid(
            f"At most {MOST_MOVED} assets can be moved at once, "
            f"and {format_number(len(texts))} are ticked."
        )
    if not all(text.isascii() and text.isdecimal() and len(text) < 11 for text in texts):
        raise queries.NoSuchAsset
    numbers = [int(text) for text in texts]
    if max(numbers) > MAX_ID:
        raise queries.NoSuchAsset
    return numbers


def _said_of_one(moved: Moved) -> str:
    return f"{moved.item} moved to {moved.destination}."


def _said_of_many(moved: Moved) -> str:
    what = "1 asset" if moved.moved == 1 else f"{moved.moved} assets"
    said = [f"{what} moved to {moved.destination}"]
    if moved.stayed:
        said.append(f"{'1 was' if moved.stayed == 1 else f'{moved.stayed} were'} there already")
    if moved.gone:
        said.append(_no_longer(moved.gone))
    return "; ".join(said) + "."


def _no_longer(gone: int) -> str:
    return f"{'1 is' if gone == 1 else f'{gone} are'} no longer in the register"

"""The decisions on several doubtful readings at once, those that were ticked in the list."""

from collections.abc import Callable, Sequence

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.errors import Invalid
from app.paging import MAX_ID
from app.upkeep.forms.due import AcceptReadingForm, VoidReadingForm
from app.upkeep.pages.blueprint import bp, for_fleet
from app.upkeep.queries import reading_lists as lists
from app.upkeep.queries import readings as queries
from app.upkeep.rules.words import count_of
from app.upkeep.services import readings as services
from app.upkeep.services.readings import ReadingsDecision
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import flash_message, handle_form, render_dialog, respond_done
from app.web.forms import Form


@bp.route("/fleet/readings/accept", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def accept_readings() -> ResponseReturnValue:
    """Use the ticked readings from now on; the form names those that contradict them."""
    form = AcceptReadingForm()

    def accept(ids: Sequence[int]) -> ReadingsDecision:
        void_others = bool(form.void_others.data)
        return services.accept_readings(ids, void_others=void_others, by=current_user().user_id)

    return _decide("accept_readings", form, accept, _describe_accepted)


@bp.route("/fleet/readings/void", methods=["GET", "POST"])
@for_fleet.by_managers
@access.redisplays_form
@failure_message("Update failed")
def void_readings() -> ResponseReturnValue:
    """Stop using the ticked readings, with one reason for all."""
    form = VoidReadingForm()

    def void(ids: Sequence[int]) -> ReadingsDecision:
        reason = form.reason.data
        return services.void_readings(ids, reason=reason, by=current_user().user_id)

    return _decide("void_readings", form, void, _describe_void)


def _decide(
    name: str,
    form: Form,
    action: Callable[[Sequence[int]], ReadingsDecision],
    describe: Callable[[ReadingsDecision], str],
) -> ResponseReturnValue:
    """Confirm and make a decision on the ticked readings, all or none."""
    back = url_for("upkeep.readings")
    try:
        ids = _ticked()
    except Invalid as error:
        if request.method == "POST":
            raise
        # The link on an error page would lead back here.
        flash_message(error.message, kind="warn")
        return redirect(form.back_to or back, 303)

    def render() -> str:
        rows = lists.readings_by_id(ids)
        others = {other.id: other for each in rows for other in queries.contradicting(each.reading)}
        return render_dialog(
            f"upkeep/{name}.html", form=form, default_back=back, rows=rows, others=others.values()
        )

    return handle_form(
        form,
        ReadingsDecision,
        lambda: action(ids),
        render=render,
        respond=lambda decision: respond_done(describe(decision), back=form.back_to or back),
    )


def _ticked() -> Sequence[int]:
    """Return the ids of the ticked readings. Raises Invalid for none, and for too many."""
    submitted = request.form if request.method == "POST" else request.args
    texts = list(dict.fromkeys(submitted.getlist("reading")))
    if not texts:
        raise Invalid("Tick the readings first.")
    if len(texts) > lists.MAX_DOUBTFUL:
        raise Invalid(f"At most {lists.MAX_DOUBTFUL} readings can be decided at once.")
    is_id = all(text.isascii() and text.isdecimal() and len(text) < 11 for text in texts)
    if not is_id or any(int(text) > MAX_ID for text in texts):
        raise queries.NoSuchReading
    return [int(text) for text in texts]


def _describe_accepted(decision: ReadingsDecision) -> str:
    verb = "counts" if decision.decided == 1 else "count"
    others = f", and {decision.others_void} void" if decision.others_void else ""
    return f"{count_of(decision.decided, 'reading')} {verb} now{others}."


def _describe_void(decision: ReadingsDecision) -> str:
    return (
        f"{count_of(decision.decided, 'reading')} {'is' if decision.decided == 1 else 'are'} void."
    )

"""The calendar feed: the page that makes its secret address, and the feed at that address."""

import hmac
from base64 import urlsafe_b64encode

from flask import Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.upkeep.pages.blueprint import bp, for_fleet
from app.upkeep.queries import calendar as queries
from app.upkeep.rules.icalendar import write_calendar
from app.upkeep.services import calendar as services
from app.upkeep.services.calendar import CalendarResult
from app.web import access
from app.web.access import current_user
from app.web.error_pages import failure_message
from app.web.form_handling import handle_form, respond_done
from app.web.forms import Form, UndoForm


@bp.route("/fleet/due/calendar", methods=["GET", "POST"])
@for_fleet.by_viewers
@access.redisplays_form
@failure_message("Failed to make an address")
def calendar() -> ResponseReturnValue:
    """Make a secret address of one's calendar, shown once."""
    form = UndoForm()
    return handle_form(
        form,
        CalendarResult,
        lambda: services.make_calendar(_token(), by=current_user().user_id),
        render=lambda: _render(form),
        respond=lambda _: _render(
            UndoForm(formdata=None),
            url_for("upkeep.calendar_feed", token=_token(), _external=True),
        ),
    )


@bp.post("/fleet/due/calendar/revoke")
@for_fleet.by_viewers
@failure_message("Failed to revoke the address")
def revoke_calendar() -> ResponseReturnValue:
    """End the secret address of one's calendar."""
    form = UndoForm()
    back = url_for("upkeep.calendar")
    return handle_form(
        form,
        CalendarResult,
        lambda: services.revoke_calendar(by=current_user().user_id),
        render=lambda: _render(form),
        respond=lambda _: respond_done("The address doesn't work any more.", back=back),
    )


@bp.get("/calendars/<token>.ics")
@access.public
def calendar_feed(token: str) -> ResponseReturnValue:
    """Send due items to the holder of a secret address."""
    queries.check_token(token)
    text = write_calendar("What is due", queries.calendar_days(dates.today()), dates.utc_now())
    return Response(text, content_type="text/calendar; charset=utf-8")


def _token() -> str:
    """Return the secret of a submission: the same for a repetition, and stored nowhere."""
    secret = f"{current_app.config['SECRET_KEY']} calendar".encode()
    message = f"{current_user().user_id} {request.form.get('key', '')}".encode()
    return urlsafe_b64encode(hmac.digest(secret, message, "sha256")).decode().rstrip("=")


def _render(form: Form, address: str = "") -> str:
    feed = queries.current_feed(current_user().user_id)
    return render_template("upkeep/calendar.html", form=form, feed=feed, address=address)

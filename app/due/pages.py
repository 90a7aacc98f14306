"""Pages of due items, plans and the calendar."""

import hmac
from base64 import urlsafe_b64encode
from calendar import Calendar
from collections import Counter
from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from flask import Blueprint, Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import dates
from app.attachments.queries import attachments_of
from app.due import acts
from app.due.queries import calendar as feeds
from app.due.queries import due as due_queries
from app.due.queries.due import open_items
from app.due.rules.due import DueGroup
from app.due.rules.fields import KIND, KINDS
from app.due.rules.icalendar import write_calendar
from app.due.rules.next_due import add_months
from app.due.schemas import DUE_FILE, PLAN_LIST, due_lines
from app.due.services import due as services
from app.due.services.done import SUBJECT as DONE
from app.errors import Invalid, existing
from app.fields import Choice
from app.fleet.acts import DIVISIONS, fleet_page, for_fleet
from app.fleet.queries.vehicles import listed_id
from app.fleet.rules.vehicles import UPKEEP
from app.lists import grouped
from app.paging import page_of
from app.records.acts import serve
from app.records.lists import file_view
from app.records.reading import read_all
from app.web import access, caching, rendered
from app.web.access import current_user
from app.web.form_handling import handle_form, respond_done
from app.web.forms import Form, UndoForm
from app.web.list_query import requested_page
from app.web.navigation import shared_screens

bp = Blueprint("due", __name__)
BLUEPRINTS = (bp,)

SCREENS = shared_screens(DIVISIONS, "Due", "due.due", key="u")

_GROUP = Choice(kind=DueGroup)

ROWS_OF_GROUP = 25
"""How many items a part of the list has before it is shown by itself."""

ROWS_PER_PAGE = 100
MAX_DONE = 20
MAX_YEARS_AWAY = 20


@fleet_page(bp, "/fleet/due", "Failed to load what is due")
@caching.by_versions(UPKEEP)
@rendered.kept("due/due.html")
def due() -> Mapping[str, Any]:
    """Show due items by urgency, or one part of them a page at a time."""
    kind = KIND.member(request.args.get("kind"))
    group = _GROUP.member(request.args.get("group"))
    problem = ""
    if kind is None and request.args.get("kind"):
        problem = "There is no such kind. This is all that is due."
    elif group is None and request.args.get("group"):
        problem = "There is no such part of the list. This is all of it."
    rows = open_items()
    kinds = Counter(row.terms.kind for row in rows)
    groups = due_queries.by_group(row for row in rows if kind in (None, row.terms.kind))
    return {
        "problem": problem,
        "kind": kind,
        "kinds": [(each, kinds[each]) for each in KINDS if kinds[each]],
        "total": len(rows),
        "group": group,
        "groups": groups,
        "page": page_of(groups[group], requested_page(), per_page=ROWS_PER_PAGE) if group else None,
        "limit": ROWS_OF_GROUP,
        "address": partial(url_for, "due.due"),
    }


file_view(bp, for_fleet, "/fleet/due.csv", "due", DUE_FILE, lambda: due_lines(open_items()))


@fleet_page(bp, "/fleet/due/month", "Failed to load what is due")
@caching.by_versions(UPKEEP)
@rendered.kept("due/due_month.html")
def due_month() -> Mapping[str, Any]:
    """Show the due items of a month, day by day."""
    today, problem = dates.today(), ""
    try:
        month = _month(request.args.get("month", ""), today)
    except Invalid as error:
        month, problem = today.replace(day=1), error.message
    return {
        "problem": problem,
        "month": month,
        "beside": {"prev": add_months(month, -1), "next": add_months(month, 1)},
        "weeks": Calendar().monthdatescalendar(month.year, month.month),
        "rows": grouped(
            (first_on, row)
            for row in open_items(today)
            if (first_on := row.standing.first_on) and first_on.replace(day=1) == month
        ),
        "today": today,
        "limit": ROWS_OF_GROUP,
    }


def _month(text: str, today: date) -> date:
    if not text:
        return today.replace(day=1)
    try:
        first = date.fromisoformat(f"{text}-01")
    except ValueError:
        raise Invalid("Month must be a year and a month, such as 2027-01.") from None
    if abs(first.year - today.year) > MAX_YEARS_AWAY:
        raise Invalid(f"Choose a month within {MAX_YEARS_AWAY} years of today.")
    return first


@fleet_page(bp, acts.ITEM, "Failed to load what is due")
@caching.by_versions(UPKEEP)
def due_item(item_id: int) -> ResponseReturnValue:
    """Show an item with its standing, and the earlier work of its kind on its vehicle."""
    item = due_queries.get_item(item_id)
    row = due_queries.get_row(item_id) if item.closed_at is None else None
    done = due_queries.history_of(item, MAX_DONE)
    return render_template(
        "due/due_item.html",
        item=item,
        vehicle_id=listed_id(item.reg_key) if item.reg_key else None,
        row=row,
        shared_by=due_queries.shared_vehicles([item_id])[item_id].values(),
        rule=KINDS[item.kind],
        done=done,
        papers=attachments_of(DONE, [each.done.id for each in done]) if done else {},
    )


@fleet_page(bp, "/fleet/plans", "Failed to load plans")
@caching.by_versions(UPKEEP)
def plans() -> ResponseReturnValue:
    """Show the plans with how many open items they have."""
    return render_template("due/plans.html", rows=read_all(PLAN_LIST))


@for_fleet.by_viewers.route(bp, "/fleet/due/calendar", "Failed to make an address", "GET", "POST")
@access.redisplays_form
def calendar() -> ResponseReturnValue:
    """Make a secret address of one's calendar, shown once."""
    form = UndoForm()
    return handle_form(
        form,
        services.CalendarResult,
        lambda: services.make_calendar(_token(), by=current_user().user_id),
        render=lambda: _render(form),
        respond=lambda _: _render(UndoForm(formdata=None), _token()),
    )


@for_fleet.by_viewers.route(
    bp, "/fleet/due/calendar/revoke", "Failed to revoke the address", "POST"
)
def revoke_calendar() -> ResponseReturnValue:
    """End the secret address of one's calendar."""
    form = UndoForm()
    back = url_for("due.calendar")
    return handle_form(
        form,
        services.CalendarResult,
        lambda: services.revoke_calendar(by=current_user().user_id),
        render=lambda: _render(form),
        respond=lambda _: respond_done("The address doesn't work any more.", back=back),
    )


@bp.get("/calendars/<token>.ics")
@bp.get("/calendars/<token>/<part>.ics")
@access.public
def calendar_feed(token: str, part: str = "") -> ResponseReturnValue:
    """Send a calendar to the holder of a secret address."""
    owner = feeds.owner_of(token)
    name, events = existing(feeds.CALENDARS.get(part), "There is no such calendar.")
    text = write_calendar(name, events(owner), dates.utc_now())
    headers = {"X-Robots-Tag": "noindex"}
    return Response(text, headers=headers, content_type="text/calendar; charset=utf-8")


def _token() -> str:
    """Return the secret of a submission: the same for a repetition, and stored nowhere."""
    secret = f"{current_app.config['SECRET_KEY']} calendar".encode()
    message = f"{current_user().user_id} {request.form.get('key', '')}".encode()
    return urlsafe_b64encode(hmac.digest(secret, message, "sha256")).decode().rstrip("=")


def _render(form: Form, token: str = "") -> str:
    feed = feeds.current_feed(current_user().user_id)
    feed_url = partial(url_for, "due.calendar_feed", token=token, _external=True)
    addresses = {name: feed_url(part=part or None) for part, (name, _) in feeds.CALENDARS.items()}
    return render_template("due/calendar.html", form=form, feed=feed, addresses=token and addresses)


def panel(reg_key: str, _: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the open items and the mileage of a vehicle for its page."""
    today = dates.today()
    rows, mileage = due_queries.items_and_mileage(reg_key, today)
    objections = due_queries.objections([reg_key], today, rows)
    return {"rows": rows, "mileage": mileage, "objections": objections}


PANELS = {"due": panel}

serve(bp, *acts.ACTS)

"""The acts on saved views, and who may do them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import request, url_for
from sqlalchemy import ColumnElement

from app.dates import RANGE
from app.divisions import Division
from app.errors import Conflict, Forbidden, Invalid, NotFound, RoleRequired, existing
from app.records.acts import Act, Dialog, Outcome, Target, new_record
from app.views import forms, queries, rules, services
from app.views.acts.lists import ListPlace, find_list, parse
from app.views.models import SavedView, ViewChoice
from app.views.queries import ChosenView
from app.views.rules import ViewState
from app.views.services import ViewChange
from app.web import access, rights
from app.web.access import current_user
from app.web.form_fields import RevisionForm

VIEW = "/views/<row_id:view_id>"


def list_at(path: str, query: str = "") -> ListPlace:
    """Return the list of the user's divisions at an address; raises Invalid and Forbidden."""
    place = find_list(path)
    try:
        if place:
            place.matches(query)
    except NotFound:
        place = None
    if place is None:
        raise Invalid("There is no such list.", "list")
    if not place.divisions:
        raise Forbidden("This list belongs to another division.")
    return place


def seen_views(*where: ColumnElement[bool]) -> Sequence[tuple[ChosenView, ListPlace]]:
    """Return the views that the user of this request sees, with lists that are still theirs."""
    rows = queries.chosen_views(current_user(), *where)
    places = [(row, find_list(row.view.list)) for row in rows]
    return [(row, place) for row, place in places if place and place.divisions]


def starred_here() -> Sequence[tuple[SavedView, ListPlace]]:
    """Return the user's starred views of lists that belong to the chosen division."""
    user = current_user()
    # Who never chose any has no revision, and it costs no statement.
    seen = seen_views(ViewChoice.is_starred.is_(True)) if user.preference_revision else ()
    return [(row.view, place) for row, place in seen if user.chosen in place.divisions]


def read_choice(view_id: int) -> ChosenView:
    """Return a view that the user of this request sees; raises NotFound."""
    seen = seen_views(SavedView.id == view_id)
    return existing(seen[0][0] if seen else None, rules.NO_SUCH_VIEW)


def read_view(view_id: int) -> SavedView:
    """Return a view as `read_choice` does, without what the user chose of it."""
    return read_choice(view_id).view


def read_own(view_id: int) -> SavedView:
    """Return a view that the user of this request may change; raises NotFound and RoleRequired."""
    view = read_view(view_id)
    if not view.may_be_changed_by(current_user()):
        raise RoleRequired("Only its owner and managers change this view. Save it as your own.")
    return view


def saved_query(path: str, query: str) -> str:
    """Return the query that a view keeps of an address of a list; raises as `list_at` does."""
    return urlencode(parse(list_at(path, query).filters, dict(parse_qsl(query))))


def _check_sharing(division: Division | None, path: str) -> None:
    if division and division not in current_user().divisions:
        raise Forbidden(f"You can't share with {division.label}. It isn't one of your divisions.")
    if division and division not in list_at(path).divisions:
        raise Invalid(f"{division.label} can't see this list. Choose another division.", "division")
    rights.check_works_in([division] if division else [])


def save(values: ViewState, path: str, query: str, *, by: int) -> ViewChange:
    """Save a view for a user who may."""
    _check_sharing(values.division, path)
    return services.save_view(values, path=path, query=saved_query(path, query), by=by)


def change(
    view_id: int, *, revision: int, by: int, query: str | None = None, **new: Any
) -> ViewChange:
    """Give a view that the user may change other values or filters; what is missing stays."""
    view = read_own(view_id)
    values = replace(ViewState(view.name, view.division), **new)
    _check_sharing(values.division, view.list)
    kept = view.query if query is None else saved_query(view.list, query)
    return services.change_view(view_id, values, query=kept, revision=revision, by=by)


def remove(view_id: int, *, revision: int, by: int) -> ViewChange:
    """Remove a view that the user may change."""
    read_own(view_id)
    return services.remove_view(view_id, revision=revision, by=by)


def _save_view(*, values: ViewState, by: int) -> ViewChange:
    return save(values, request.args.get("list", ""), request.args.get("query", ""), by=by)


def _save_filters(view_id: int, *, revision: int, by: int) -> ViewChange:
    return change(view_id, query=request.args.get("query", ""), revision=revision, by=by)


def _edit_view(
    view_id: int, *, confirmed: bool, revision: int, by: int, name: str, division: Division | None
) -> ViewChange:
    view = read_own(view_id)
    if view.division not in (None, division) and not confirmed and (used := queries.users_of(view)):
        raise Conflict(f"{used} Tick “Take it from everybody else” to save.", "confirmed")
    return change(view_id, name=name, division=division, revision=revision, by=by)


def _choose_view(view_id: int, *, is_default: bool, is_starred: bool, by: int) -> ViewChange:
    result = services.choose_view(view_id, is_default=is_default, is_starred=is_starred, by=by)
    read_view(view_id)
    if is_starred and len(seen_views(ViewChoice.is_starred.is_(True))) > rules.MAX_STARRED:
        raise Invalid(rules.TOO_MANY_STARRED, "is_starred")
    return result


def _offer_choice(form: forms.ChooseViewForm, view: SavedView) -> None:
    form.process(data=read_choice(view.id)._asdict())


def _offer_divisions(form: Any, view: SavedView | None) -> Mapping[str, Any]:
    args = request.args
    offered = list_at(view.list if view else args.get("list", "")).divisions
    now = view and view.division
    form.division.offer(each for each in sorted(offered) if each is now or rights.works_in(each))
    if "confirmed" in form and not (view and view.division and queries.users_of(view)):
        del form.confirmed
    query = view.query if view else saved_query(args.get("list", ""), args.get("query", ""))
    word = dict(parse_qsl(query)).get(RANGE, "").replace("-", " ")
    return {"days": f"Its days move with the day: {word}." if word else ""}


def _outcome(message: str, *, leads_to_list: bool = False) -> Callable[[ViewChange], Outcome]:
    def outcome(change: ViewChange) -> Outcome:
        page = f"{change.list}?view={change.id}"
        listed = url_for("views.views", list=change.list)
        return Outcome(message.format(change.name), page if leads_to_list else listed)

    return outcome


_on = Target[SavedView](read_view, lambda view: url_for("views.views", list=view.list))
_act = partial(Act[Any], policy=access.signed_in, on=replace(_on, read=read_own))

ACTS = (
    _act(
        "save_view",
        "/views/new",
        form=forms.SaveViewForm,
        run=_save_view,
        outcome=_outcome("Saved “{}”.", leads_to_list=True),
        on=new_record("views.views"),
        shows=_offer_divisions,
        dialog=Dialog("Save this view", text="{days}"),
    ),
    _act(
        "save_filters",
        f"{VIEW}/filters",
        form=RevisionForm,
        run=_save_filters,
        outcome=_outcome("Saved “{}”.", leads_to_list=True),
        dialog=Dialog("Save “{row.name}” with these filters?"),
    ),
    _act(
        "edit_view",
        f"{VIEW}/edit",
        form=forms.EditViewForm,
        run=_edit_view,
        outcome=_outcome("Changed “{}”."),
        shows=_offer_divisions,
        dialog=Dialog("Rename or share “{row.name}”", text="{days}"),
    ),
    _act(
        "remove_view",
        f"{VIEW}/remove",
        form=RevisionForm,
        run=remove,
        outcome=_outcome("Deleted “{}”."),
        shows=lambda _, view: {"used": queries.users_of(view)},
        dialog=Dialog("Delete “{row.name}”?", "Delete", text="{used}", danger=True),
    ),
    _act(
        "choose_view",
        f"{VIEW}/place",
        form=forms.ChooseViewForm,
        run=_choose_view,
        outcome=_outcome("Saved your choice of “{}”."),
        on=_on,
        offer=_offer_choice,
        dialog=Dialog("Where to see “{row.name}”"),
    ),
)

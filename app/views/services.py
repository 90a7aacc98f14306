"""Save, change, choose and remove views.

Each locks the accounts that it concerns first, by raising their preference revisions.
"""

from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select, update

from app import dates, names
from app.accounts.models import User
from app.db import db, execute, lock_rows
from app.divisions import Division
from app.errors import Invalid, check_revision, existing
from app.events.rules import EventKind
from app.events.services import record_event
from app.views import rules
from app.views.models import SavedView, ViewChoice
from app.views.rules import NO_SUCH_VIEW, SUBJECT, ViewNameTaken, ViewState


@dataclass(frozen=True)
class ViewChange:
    """The view that was saved, changed, chosen or removed."""

    id: int
    name: str
    list: str


def save_view(values: ViewState, *, path: str, query: str, by: int) -> ViewChange:
    """Save the address of a list under a name. Raises Invalid and ViewNameTaken."""
    rules.check_view(values.name, query)
    _raise_revisions(by)
    of_owner = SavedView.owner_id == by
    if db.session.execute(select(func.count()).where(of_owner)).scalar_one() >= rules.MAX_VIEWS:
        raise Invalid(rules.TOO_MANY)
    view = SavedView(owner_id=by, list=path, query=query, made_at=dates.utc_now(), revision=1)
    _name(view, values)
    db.session.add(view)
    db.session.flush()
    _record(EventKind.VIEW_SAVED, view, by)
    if view.division:
        _record(EventKind.VIEW_SHARED, view, by)
    return ViewChange(view.id, view.name, view.list)


def change_view(
    view_id: int, values: ViewState, *, query: str, revision: int, by: int
) -> ViewChange:
    """Give a view another name, other people or other filters.

    Whoever no longer sees it starts with the whole list. Raises NotFound, EditConflict, Invalid and
    ViewNameTaken.
    """
    rules.check_view(values.name, query)
    view = _lock_for_all(view_id, revision, by)
    before = view.division
    if (view.name, before, view.query) == (values.name, values.division, query):
        return ViewChange(view.id, view.name, view.list)
    view.query = query
    _name(view, values)
    view.revision += 1
    if before and before != view.division:
        is_others = ViewChoice.user_id != view.owner_id
        execute(delete(ViewChoice).where(ViewChoice.view_id == view_id, is_others))
    db.session.flush()
    _record(EventKind.VIEW_CHANGED, view, by)
    if before != view.division:
        _record(EventKind.VIEW_SHARED, view, by, before=before)
    return ViewChange(view.id, view.name, view.list)


def choose_view(view_id: int, *, is_default: bool, is_starred: bool, by: int) -> ViewChange:
    """Let a person's list open with a view, and their dashboard have it. Raises NotFound.

    What the person may see is checked after it, when the view is locked.
    """
    _raise_revisions(by)
    view = _lock(view_id)
    is_own, is_this = ViewChoice.user_id == by, ViewChoice.view_id == view_id
    execute(delete(ViewChoice).where(is_own, is_this))
    if is_default:
        of_list = ViewChoice.view_id.in_(select(SavedView.id).where(SavedView.list == view.list))
        execute(update(ViewChoice).where(is_own, of_list).values(is_default=False))
    if is_default or is_starred:
        flags = {"is_default": is_default, "is_starred": is_starred}
        execute(insert(ViewChoice).values(user_id=by, view_id=view_id, **flags))
    return ViewChange(view.id, view.name, view.list)


def remove_view(view_id: int, *, revision: int, by: int) -> ViewChange:
    """Remove a view with what people chose of it. Raises NotFound and EditConflict."""
    view = _lock_for_all(view_id, revision, by)
    change = ViewChange(view.id, view.name, view.list)
    execute(delete(ViewChoice).where(ViewChoice.view_id == view_id))
    _record(EventKind.VIEW_REMOVED, view, by)
    db.session.delete(view)
    return change


def _lock_for_all(view_id: int, revision: int, by: int) -> SavedView:
    """Lock a view after the accounts of its owner, of who chose it, and of who changes it."""
    concerned = select(ViewChoice.user_id).where(ViewChoice.view_id == view_id)
    owner = select(SavedView.owner_id).where(SavedView.id == view_id)
    _raise_revisions(by, *db.session.execute(concerned.union(owner)).scalars())
    view = _lock(view_id)
    check_revision("view", view.revision, revision)
    return view


def _lock(view_id: int) -> SavedView:
    locked = lock_rows(SavedView, SavedView.id == view_id)
    return existing(next(iter(locked), None), NO_SUCH_VIEW)


def _raise_revisions(*user_ids: int) -> None:
    # One by one, in the order of their ids: an update of several locks in any order.
    for user_id in sorted(set(user_ids)):
        revision = User.preference_revision + 1
        execute(update(User).where(User.id == user_id).values(preference_revision=revision))


def _name(view: SavedView, values: ViewState) -> None:
    key = names.key(values.name)
    of_list = (SavedView.owner_id == view.owner_id, SavedView.list == view.list)
    statement = select(SavedView.id).where(*of_list, SavedView.name_key == key)
    with db.session.no_autoflush:
        if db.session.execute(statement).scalar() not in (None, view.id):
            raise ViewNameTaken
    view.name, view.name_key, view.division = values.name, key, values.division


def _record(kind: EventKind, view: SavedView, by: int, before: Division | None = None) -> None:
    pair = {"before": before, "after": view.division}
    divisions = {name: {"division": each} for name, each in pair.items() if each}
    record_event(kind, SUBJECT, view.id, division=view.division, by=by, **divisions)

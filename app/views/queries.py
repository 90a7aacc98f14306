"""Reads of saved views, each as far as its user sees it."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select

from app.accounts.models import User
from app.accounts.queries import WITH_GRANTS
from app.db import db
from app.errors import existing
from app.identity import SignedInUser
from app.views.models import SavedView, ViewChoice
from app.views.rules import NO_SUCH_VIEW, describe_users


class ChosenView(NamedTuple):
    """A saved view, and what a person chose of it."""

    view: SavedView
    is_default: bool
    is_starred: bool


def chosen_views(user: SignedInUser, *where: ColumnElement[bool]) -> Sequence[ChosenView]:
    """Return the views that a user sees and that meet conditions, by list and name."""
    is_own_choice = and_(ViewChoice.view_id == SavedView.id, ViewChoice.user_id == user.user_id)
    flags = (ViewChoice.is_default, ViewChoice.is_starred)
    statement = (
        select(SavedView, *(func.coalesce(flag, False) for flag in flags))
        .outerjoin(ViewChoice, is_own_choice)
        .where(
            or_(SavedView.owner_id == user.user_id, SavedView.division.in_(sorted(user.divisions))),
            *where,
        )
        .order_by(SavedView.list, SavedView.name_key, SavedView.id)
    )
    return [ChosenView._make(row) for row in db.session.execute(statement)]


def get_view(user: SignedInUser, view_id: int) -> SavedView:
    """Return a view that a user sees; raises NotFound."""
    found = (row.view for row in chosen_views(user, SavedView.id == view_id))
    return existing(next(found, None), NO_SUCH_VIEW)


def find_default(user: SignedInUser, path: str) -> SavedView | None:
    """Return the view that a user's list opens with."""
    rows = chosen_views(user, SavedView.list == path, ViewChoice.is_default.is_(True))
    return next((row.view for row in rows), None)


def users_of(view: SavedView) -> str:
    """Return a sentence about the people, besides its owner, who start with a view, or ''."""
    others = select(ViewChoice.user_id).where(
        ViewChoice.view_id == view.id, ViewChoice.is_default, ViewChoice.user_id != view.owner_id
    )
    people = db.session.scalars(select(User).where(User.id.in_(others)).options(*WITH_GRANTS))
    return describe_users(sum(view.division in person.roles() for person in people))

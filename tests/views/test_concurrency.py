"""A person chooses views in several tabs at the same time: limits and the one default hold."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from app.db import db, transaction
from app.divisions import Division
from app.views.models import SavedView, ViewChoice
from app.views.rules import ViewState
from app.views.services import change_view, remove_view
from tests.fleet.threads import run_at_once, wait_for_lock
from tests.person import Person

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def tabs(app, keeper):
    """Return sessions of the person who keeps the views, each a browser's own."""

    def tab():
        person = Person(app)
        person.sign_in("keeper", follow=False, division=Division.GFM)
        return person

    return [tab() for _ in range(4)]


def choose_at_once(tabs, views, **flags):
    """Choose a view in each tab at once; the forms are opened before."""
    pages = [tab.open(f"/views/{view['id']}/place") for tab, view in zip(tabs, views, strict=True)]
    actions = [
        lambda tab=tab, page=page: tab.submit(page, **flags)
        for tab, page in zip(tabs, pages, strict=True)
    ]
    return run_at_once(actions)


def test_views_chosen_at_once_leave_one_default(app, tabs, save):
    choose_at_once(tabs, [save(f"View {n}") for n in range(4)], is_default="y")
    with app.app_context():
        statement = select(func.count()).where(ViewChoice.is_default)
        assert db.session.execute(statement).scalar_one() == 1


def test_stars_set_at_once_are_never_more_than_eight(app, tabs, save):
    views = [save(f"View {n}") for n in range(10)]
    for view in views[:6]:
        tabs[0].submit(tabs[0].open(f"/views/{view['id']}/place"), is_starred="y")
    pages = choose_at_once(tabs, views[6:], is_starred="y")
    full = ["Eight views can be on the dashboard. Take one off first."]
    assert Counter(page.errors == full for page in pages) == {True: 2, False: 2}
    with app.app_context():
        statement = select(func.count()).where(ViewChoice.is_starred)
        assert db.session.execute(statement).scalar_one() == 8


@pytest.mark.parametrize("act", ["remove", "unshare"])
def test_a_view_that_is_taken_away_meanwhile_is_not_chosen(app, save, signed_in, act):
    view = save(division="gfm")
    other = signed_in("other", Division.GFM)
    page = other.open(f"/views/{view['id']}/place")
    with ThreadPoolExecutor(1) as pool, app.app_context():
        with transaction():
            owner = db.session.get_one(SavedView, view["id"]).owner_id
            if act == "remove":
                remove_view(view["id"], revision=1, by=owner)
            else:
                change_view(view["id"], ViewState("Own"), query="q=tea", revision=1, by=owner)
            db.session.flush()
            choosing = pool.submit(lambda: other.submit(page, is_starred="y", is_default="y"))
            wait_for_lock(choosing)
        assert choosing.result(60).status == 404
        assert db.session.execute(select(ViewChoice)).all() == []

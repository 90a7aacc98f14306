"""Choosing a division, and pages of other divisions."""

import pytest

from app.accounts.services import users
from app.db import transaction
from app.divisions import Division
from tests import factories
from tests.person import Person


@pytest.fixture
def sign_in(in_app, person):
    def sign_in(*divisions, scopes=()):
        in_app(factories.user, "someone", *divisions, scopes=scopes)
        return person.sign_in("someone")

    return sign_in


def test_the_chooser_offers_the_permitted_divisions(sign_in):
    page = sign_in(*Division)
    assert page.path == "/choose"
    assert page.all("h1") == ["Choose Division"]
    assert page.all("button.division") == ["GFM", "GPM", "Fleet", "Assets"]
    assert page.link("Change password") == "/change-password"


def test_choosing_stores_the_division_and_opens_the_dashboard(person, sign_in):
    page = person.submit(sign_in(Division.GPM, Division.GFM, Division.ASSETS), division="assets")
    assert page.path == "/dashboard"
    assert page.all(".tag") == ["Assets"]
    assert person.open("/dashboard").all(".tag") == ["Assets"]


def test_assets_alone_is_chosen_by_hand(sign_in):
    page = sign_in(Division.ASSETS)
    assert page.path == "/choose"
    assert page.all("button.division") == ["Assets"]


def test_scopes_open_divisions_for_users_without_permissions(sign_in):
    assert sign_in(scopes=["gfm:read"]).all(".tag") == ["GFM"]


def test_without_any_division_the_chooser_refers_to_an_administrator(app, person, sign_in):
    sign_in(Division.GFM)
    with app.app_context(), transaction():
        users.revoke("someone", [Division.GFM], ())
    page = person.open("/dashboard")
    assert page.path == "/choose?next=/dashboard"
    message = "Your account has no division access. Please contact an administrator."
    assert page.all(".notice") == [message]


def test_a_division_that_is_not_granted_is_refused(person, sign_in):
    page = person.submit(sign_in(Division.GFM, Division.GPM), division="fleet")
    assert page.status == 403
    assert page.alerts == ["Your account has no access to Fleet. Ask an administrator."]


def test_a_page_of_another_division_is_refused(person, sign_in):
    sign_in(Division.GPM)
    for path in ("/inventory/main", "/inventory/main/add"):
        page = person.open(path)
        assert page.status == 403, path
        assert page.alerts == ["This page belongs to GFM. Ask an administrator for access to it."]
        assert person.fragment(path, "list").status == 403, path
        assert person.post(path, {}).status in (400, 403, 405), path


def test_opening_a_page_of_another_granted_division_switches_to_it(person, sign_in):
    person.submit(sign_in(Division.GFM, Division.GPM), division="gpm")
    assert person.open("/inventory/main").all(".tag") == ["GFM"]
    assert person.open("/dashboard").all(".tag") == ["GFM"]


def test_after_choosing_the_requested_page_opens_or_another_divisions_dashboard(person, sign_in):
    sign_in(Division.GFM, Division.GPM)
    chooser = person.open("/inventory/northern")
    assert chooser.path == "/choose?next=/inventory/northern"
    page = person.submit(chooser, division="gpm")
    assert (page.path, page.all(".tag")) == ("/dashboard", ["GPM"])
    assert person.submit(chooser, division="gfm").path == "/inventory/northern"


def test_the_menu_lists_the_divisions_screens(person, sign_in):
    page = sign_in(Division.GFM)
    screens = ["Dashboard", "Main", "Guildford", "Northern", "History", "Insight", "Deliveries"]
    screens += ["Reorder"]
    own = ["Change Division", "Change Password", "Views", "Import, export", "Not sent yet"]
    assert page.all("header nav a") == screens + own
    assert Person(person.client.application).open("/login").all("header") == []

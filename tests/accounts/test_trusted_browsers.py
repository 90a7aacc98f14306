"""A browser that has signed in to an account keeps a door of its own, whatever strangers try."""

import pytest

from app.accounts import rules
from app.accounts.services import users
from app.db import transaction
from app.divisions import Division
from tests import factories
from tests.person import PASSWORD, Person

WRONG = "not the password"
NEW = "another good password"


@pytest.fixture
def keeper(in_app, person):
    """The browser of a keeper who has signed in and out again."""
    in_app(factories.user, "keeper", Division.GFM)
    in_app(factories.user, "other", Division.GFM)
    person.sign_in("keeper")
    sign_out(person)
    return person


def sign_out(person):
    person.submit(person.open("/dashboard"), "header form[method=post]")


def fail(person, times, username="keeper"):
    return [person.sign_in(username, WRONG).status for _ in range(times)]


def browser_cookie(person):
    return person.client.get_cookie("browser", path="/login").value


def browser_with(app, cookie):
    person = Person(app)
    person.client.set_cookie("browser", cookie, path="/login")
    return person


def test_strangers_who_guess_do_not_lock_the_owner_out(app, keeper):
    assert fail(Person(app), 6) == [422] * 5 + [429]
    assert keeper.sign_in("keeper").path == "/dashboard"
    assert Person(app).sign_in("keeper").status == 429, "what strangers failed isn't forgiven"


def test_an_address_that_failed_too_often_does_not_lock_trusted_browsers_out(
    app, keeper, monkeypatch
):
    monkeypatch.setattr(rules, "MAX_FAILURES_PER_ADDRESS", 3)
    for number in range(4):
        fail(Person(app), 1, f"guess{number}")
    assert Person(app).sign_in("keeper").status == 429
    assert keeper.sign_in("keeper").path == "/dashboard"


def test_a_trusted_browser_has_five_guesses_too_and_they_are_its_own(app, keeper):
    assert fail(keeper, 6) == [422] * 5 + [429]
    assert keeper.sign_in("keeper").status == 429
    assert Person(app).sign_in("keeper").path == "/dashboard"


def test_signing_in_forgives_what_a_trusted_browser_failed(keeper):
    for _ in range(2):
        assert fail(keeper, 4) == [422] * 4
        assert keeper.sign_in("keeper").path == "/dashboard"
        sign_out(keeper)


def test_a_browser_is_known_to_the_accounts_that_signed_in_there_alone(app, keeper):
    fail(Person(app), 5, "other")
    assert keeper.sign_in("other").status == 429


def test_several_accounts_know_one_browser_and_the_latest_are_kept(app, keeper, monkeypatch):
    keeper.sign_in("other")
    sign_out(keeper)
    for name in ("keeper", "other"):
        fail(Person(app), 5, name)
        assert keeper.sign_in(name).path == "/dashboard"
        sign_out(keeper)
    monkeypatch.setattr(rules, "MAX_ACCOUNTS_PER_BROWSER", 1)
    keeper.sign_in("other")
    sign_out(keeper)
    assert keeper.sign_in("keeper").status == 429


def test_a_new_password_closes_the_door_of_every_browser(app, keeper):
    with app.app_context(), transaction():
        users.set_password("keeper", NEW)
    fail(Person(app), 5)
    assert keeper.sign_in("keeper", NEW).status == 429


def test_a_cookie_that_is_old_or_not_ours_is_a_strangers(app, keeper, monkeypatch):
    cookie = browser_cookie(keeper)
    fail(Person(app), 5)
    forged = ["", ":", "x" * 4000, cookie[:-1], cookie.swapcase(), f"{'x:' * 10}{cookie}"]
    for value in forged:
        assert browser_with(app, value).sign_in("keeper").status == 429, value
    assert browser_with(app, f"{cookie}:x").sign_in("keeper").path == "/dashboard"
    monkeypatch.setattr(rules, "TRUSTED_BROWSER_LIFETIME", -rules.TRUSTED_BROWSER_LIFETIME)
    assert browser_with(app, cookie).sign_in("keeper").status == 429


def test_the_cookie_names_nobody(keeper):
    assert "keeper" not in browser_cookie(keeper)


def test_strangers_do_not_keep_a_signed_in_user_from_a_new_password(app, keeper):
    keeper.sign_in("keeper")
    fail(Person(app), 5)
    page = keeper.open("/change-password")
    for current, status in [(WRONG, 422)] * 4 + [(PASSWORD, 200)]:
        assert keeper.submit(page, current=current, new=NEW, confirm=NEW).status == status

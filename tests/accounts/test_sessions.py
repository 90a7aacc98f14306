"""Login sessions: how long they last, and what ends them at once."""

import pytest

from app import dates
from app.accounts import queries
from app.accounts.services import sessions, users
from app.db import transaction
from app.divisions import Division
from tests import factories
from tests.person import PASSWORD, Person

NEW = "another good password"


@pytest.fixture
def keeper(in_app, person):
    in_app(factories.user, "keeper", Division.GFM, Division.GPM)
    person.submit(person.sign_in("keeper"), division="gfm")
    return person


def thief_of(app, person):
    """Return somebody who has copied the cookie."""
    thief = Person(app)
    thief.client.set_cookie("session", person.client.get_cookie("session").value)
    return thief


def test_opening_a_page_renews_access(keeper, clock):
    for minutes in (29, 58, 87):
        clock(minutes=minutes)
        assert keeper.open("/inventory/main").path == "/inventory/main"
        assert keeper.fragment("/inventory/main", "list").status == 200


def test_a_fragment_is_refused_after_30_minutes_and_served_after_a_renewal(keeper, clock):
    page = keeper.open("/inventory/main")
    clock(minutes=31)
    assert keeper.fragment("/inventory/main", "list").status == 401
    renewed = keeper.client.post(
        "/session/renew",
        data={"csrf_token": page.fields("header form[method=post]")["csrf_token"]},
        headers={"Accept": "application/json"},
    )
    assert renewed.status_code == 200
    assert renewed.json["until"] > dates.utc_now().isoformat()
    assert keeper.fragment("/inventory/main", "list").status == 200


def test_a_page_is_served_after_30_minutes_and_not_after_12_hours(keeper, clock):
    clock(hours=11, minutes=59)
    assert keeper.open("/inventory/main").status == 200
    clock(hours=12, seconds=1)
    assert keeper.open("/inventory/main").path.startswith("/login?next=")
    assert keeper.fragment("/inventory/main", "list").status == 401


def test_logout_ends_a_copied_cookie_too_and_clears_what_the_browser_cached(app, keeper):
    thief = thief_of(app, keeper)
    assert thief.open("/dashboard").path == "/dashboard"
    out = keeper.submit(keeper.open("/dashboard"), "header form[method=post]", follow=False)
    assert out.headers["Location"] == "/"
    assert out.headers["Clear-Site-Data"] == '"cache"'
    for person in (keeper, thief):
        assert person.open("/dashboard").path.startswith("/login")


@pytest.mark.parametrize(
    "ending",
    [
        lambda: users.disable("keeper"),
        lambda: users.set_password("keeper", NEW),
        lambda: users.revoke("keeper", list(Division)[:2], ()),
    ],
    ids=["disabling", "a new password", "taking the division away"],
)
def test_an_administrator_ends_access_at_once(app, keeper, ending):
    with app.app_context(), transaction():
        ending()
    page = keeper.open("/inventory/main")
    assert page.path.startswith(("/login", "/choose")) or page.status == 403


def test_a_division_taken_away_is_no_longer_offered(app, keeper):
    with app.app_context(), transaction():
        users.revoke("keeper", [Division.GFM], ())
    assert keeper.open("/inventory/main").status == 403
    assert keeper.open("/choose").all("button.division") == ["GPM"]


def change(person, current=PASSWORD, new=NEW, confirm=NEW):
    page = person.open("/change-password")
    return person.submit(page, current=current, new=new, confirm=confirm)


def test_changing_the_password_signs_out_everywhere(app, keeper):
    other = Person(app)
    other.submit(other.sign_in("keeper"), division="gfm")
    page = change(keeper)
    assert page.status == 200
    assert "Password changed" in page.text
    assert page.form is not None
    assert page.html.main["data-after"] == "1800"
    assert page.html.main["data-go-to"] == "/login"
    assert other.open("/dashboard").path.startswith("/login")
    assert keeper.open("/dashboard").path.startswith("/login")
    assert keeper.sign_in("keeper").errors == ["Invalid credentials"]
    assert keeper.sign_in("keeper", NEW).path == "/choose"


REFUSED_CHANGES = [
    ({"current": ""}, "Please fill in all fields."),
    ({"new": "", "confirm": ""}, "Please fill in all fields."),
    ({"confirm": "something else"}, "New passwords do not match."),
    ({"new": "short", "confirm": "short"}, "Password must have at least 12 characters."),
    ({"current": "wrong"}, "Current password is not right."),
    ({"new": PASSWORD, "confirm": PASSWORD}, "The new password must differ from the current one."),
]


def test_a_refused_password_change_gives_the_reason(keeper):
    for fields, message in REFUSED_CHANGES:
        page = change(keeper, **fields)
        assert page.status == 422, fields
        assert set(page.errors) == {message}, fields
        assert keeper.open("/dashboard").path == "/dashboard", fields


def test_guessing_the_current_password_is_throttled(keeper):
    for _ in range(5):
        change(keeper, current="wrong")
    assert change(keeper).status == 429


@pytest.mark.parametrize(
    "meanwhile",
    [lambda: users.set_password("keeper", NEW), lambda: users.disable("keeper")],
    ids=["a new password", "disabling"],
)
@pytest.mark.usefixtures("keeper")
def test_a_sign_in_under_way_fails_after_an_administrators_change(app, meanwhile):
    with app.app_context():
        attempt = sessions.authenticate("keeper", PASSWORD, "192.0.2.1")
        with transaction():
            meanwhile()
        with pytest.raises(sessions.InvalidCredentials), transaction():
            sessions.open_session(attempt)
        with pytest.raises(sessions.InvalidCredentials), transaction():
            users.change_password(attempt, "yet another password")


@pytest.mark.differs_by_engine
@pytest.mark.writes_directly
@pytest.mark.usefixtures("keeper")
def test_two_sign_ins_at_once_both_succeed_where_the_password_is_rehashed(
    app, strong_hasher, monkeypatch
):
    monkeypatch.setattr(sessions, "hasher", strong_hasher)
    with app.app_context():
        attempts = [sessions.authenticate("keeper", PASSWORD, "192.0.2.1") for _ in range(2)]
        for attempt in attempts:
            with transaction():
                assert sessions.open_session(attempt) is not None
        assert "m=19456" in queries.user_named("keeper").password_hash


def test_signing_in_again_ends_the_session_it_replaces(app, keeper):
    earlier = thief_of(app, keeper)
    login = Person(app).open("/login").fields()
    keeper.client.post("/login", data=login | {"username": "keeper", "password": PASSWORD})
    page = keeper.open("/dashboard")
    token = page.fields(
        "main form" if page.path.startswith("/choose") else "header form[method=post]"
    )
    form = {"username": "keeper", "password": PASSWORD, "csrf_token": token["csrf_token"]}
    assert keeper.post("/login", form, follow=False).status == 302
    assert earlier.open("/dashboard").path.startswith("/login")
    assert not keeper.open("/dashboard").path.startswith("/login")


def test_renewing_leaves_the_choice_of_another_tab_alone(app, keeper, clock):
    clock(minutes=10)
    session = keeper.client.get_cookie("session")
    assert session is not None
    keeper.submit(keeper.open("/choose"), division="gpm")
    clock(minutes=20)
    assert keeper.open("/choose").all("header .tag") == ["GPM"]


def test_sign_in_does_not_lead_back_to_addresses_that_only_take_forms(app):
    for path in ("/logout", "/session/renew", "/choose"):
        assert Person(app).post(path, {}).path == "/login", path


def test_a_script_without_a_chosen_division_is_led_to_the_chooser(app, in_app):
    in_app(factories.user, "boss", *Division)
    person = Person(app)
    person.sign_in("boss")
    reply = person.fragment(
        "/inventory/main", "list", headers={"HX-Current-URL": "http://localhost/inventory/main?q=a"}
    )
    assert reply.status == 409
    assert reply.headers["HX-Redirect"] == "/choose?next=/inventory/main?q%3Da"
    as_json = person.client.get("/inventory/main", headers={"Accept": "application/json"})
    assert (as_json.status_code, as_json.json) == (
        409,
        {"error": "Choose a division first.", "code": "conflict"},
    )

"""Forms that are pages of their own: what their script is sent, and what a plain browser is."""

import pytest

from tests.person import PASSWORD, Person

BY_SCRIPT = {"X-Page-Form": "true", "Accept": "text/html"}
NEW = "/gpm/deliveries/new"
TEA = {"item": "Tea", "amount": "5", "office": "main"}
FAILED = "Failed to schedule delivery. Nothing is lost. Try again; the change is made only once."


@pytest.fixture
def broken(app, monkeypatch):
    """Make scheduling a delivery fail; returns a function that mends it."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("app.deliveries.services.increment_version", lambda _: 1 / 0)
    return monkeypatch.undo


def send(person, **typed):
    return person.submit(person.open(NEW), follow=False, headers=BY_SCRIPT, **typed)


def test_a_script_is_told_where_a_redirect_leads_and_the_next_page_has_the_message(trader):
    page = send(trader, **TEA)
    assert (page.status, page.text) == (204, "")
    assert "Location" not in page.headers
    assert trader.open(page.headers["X-Redirect"]).all(".notice.ok") == ["Scheduled: 5 × Tea."]


def test_a_form_sent_again_after_a_lost_reply_has_its_message_once(trader):
    page = trader.open(NEW)
    for _ in range(2):
        reply = trader.submit(page, follow=False, headers=BY_SCRIPT, **TEA)
    assert trader.open(reply.headers["X-Redirect"]).all(".notice.ok") == ["Scheduled: 5 × Tea."]


def test_a_plain_browser_is_redirected(trader):
    page = trader.submit(trader.open(NEW), follow=False, **TEA)
    assert (page.status, page.headers["Location"]) == (303, "/gpm/deliveries")
    assert "X-Redirect" not in page.headers


def test_a_script_gets_the_whole_page_of_a_refused_form(trader):
    page = send(trader, **TEA | {"item": ""})
    assert page.status == 422
    assert page.title.startswith("Error: ")
    assert page.fields()["amount"] == "5"


def test_a_form_sent_after_the_session_ended_leads_through_the_sign_in_back_to_it(app, trader):
    sent = trader.open(f"{NEW}?item=Tea").fields()
    page = Person(app).post(f"{NEW}?item=Tea", sent, follow=False, headers=BY_SCRIPT)
    assert page.headers["X-Redirect"] == "/login?next=/gpm/deliveries/new?item%3DTea"
    assert page.status == 204


@pytest.mark.own_app
def test_after_a_failure_a_plain_browser_can_send_the_same_again(trader, broken):
    failed = trader.submit(trader.open(NEW), **TEA)
    assert (failed.status, failed.alerts) == (500, [FAILED])
    assert failed.fields()["item"] == "Tea"
    broken()
    assert trader.submit(failed).all(".notice.ok") == ["Scheduled: 5 × Tea."]
    assert trader.submit(failed).all(".notice.ok") == ["Scheduled: 5 × Tea."]
    assert len(trader.open("/gpm/deliveries").html.select("#rows tr")) == 1


@pytest.mark.own_app
@pytest.mark.usefixtures("broken")
def test_a_script_gets_the_failure_as_an_error_page(trader):
    page = send(trader, **TEA)
    assert (page.status, page.alerts) == (500, [FAILED])
    assert page.html.select_one("main[data-error]")


@pytest.mark.own_app
def test_no_error_page_repeats_a_password(app, trader, monkeypatch):
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("app.accounts.services.sessions.authenticate", lambda *_: 1 / 0)
    typed = {"current": PASSWORD, "new": "a new good password", "confirm": "a new good password"}
    page = trader.submit(trader.open("/change-password"), **typed)
    assert page.status == 500
    assert page.link("Try again") == "/change-password"
    assert page.alerts == ["Failed to change password. Try again in a moment."]
    assert PASSWORD not in page.response.get_data(as_text=True)
    assert page.html.select("main input") == []


def test_an_error_offers_what_helps(app, trader):
    def ways(page):
        return page.all("main .row a, main .row button")

    referrer = {"Referer": "http://localhost/gpm/deliveries?q=tea"}
    missing = trader.open("/gpm/deliveries/99/deliver", headers=referrer)
    assert ways(missing) == ["Back", "To the dashboard"]
    assert missing.link("Back") == "/gpm/deliveries?q=tea"
    assert ways(trader.open("/gpm/deliveries/99/deliver")) == ["To the dashboard"]
    assert ways(trader.open("/assets")) == ["Change Division", "To the dashboard"]
    assert ways(Person(app).post("/dashboard", {})) == ["To the dashboard"]
    stale = trader.post("/choose", {"division": "gpm", "csrf_token": "stale"})
    assert ways(stale) == ["Try again", "To the dashboard"]
    assert stale.link("Try again") == "/choose"


def test_a_page_that_was_out_of_date_and_is_none_itself_cannot_be_tried_again(trader):
    page = trader.post("/teams/rename", {"csrf_token": "stale"})
    assert page.status in (400, 422)
    assert "Try again" not in page.text

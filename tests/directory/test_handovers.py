"""Keys are handed over and returned, on their pages."""

from datetime import timedelta

import pytest

from app import dates
from app.db import transaction
from app.directory import queries
from app.directory.rules import DirectoryList
from app.directory.schemas import HANDOVER_LIST
from app.directory.services import keys, names
from app.errors import Conflict, NotFound
from tests import factories
from tests.listing import listed
from tests.person import rows

TODAY = dates.format_day(dates.today())
HTMX = {"HX-Request": "true", "HX-Target": "dialog"}


def hand_over(key, holder, before="", at=None):
    with transaction():
        return keys.hand_over(key, holder, holder_before=before, by=None, at=at)


def test_a_key_changes_hands_and_says_since_when(context):
    factories.key("K1")
    at = dates.utc_now().replace(microsecond=0) - timedelta(days=19)
    done = hand_over(1, "Kitchen", at=at)
    assert (done.label, done.holder, done.holder_before) == ("K1", "Kitchen", "")
    assert (queries.key(1).holder, queries.key(1).holder_since) == ("Kitchen", at)
    hand_over(1, "", before="kitchen")
    assert (queries.key(1).holder, queries.key(1).holder_since) == ("", None)
    holders = [handover.holder for handover in listed(HANDOVER_LIST).rows]
    assert holders == ["", "Kitchen"]


def test_a_renamed_team_has_had_its_key_as_long(context):
    factories.team("Kitchen")
    factories.key("K1", holder="Kitchen")
    since = queries.key(1).holder_since
    with transaction():
        names.rename(DirectoryList.TEAMS, "Kitchen", "Canteen")
    assert (queries.key(1).holder, queries.key(1).holder_since) == ("Canteen", since)


def test_a_key_that_somebody_else_has_now_is_not_handed_over(context):
    factories.key("K1", holder="Kitchen")
    again = "Nothing was changed: confirm again to do it."
    nothing = "There is nothing left to do."
    for holder, before, next_step in (
        ("Bar", "", again),
        ("Bar", "Garden", again),
        ("KITCHEN", "Kitchen", nothing),
    ):
        with pytest.raises(Conflict) as refused:
            hand_over(1, holder, before)
        assert refused.value.message == f"K1 is with Kitchen since {TODAY}. {next_step}"
    factories.key("K2")
    with pytest.raises(Conflict, match=rf"^Nobody has K2 now\. {nothing}"):
        hand_over(2, "", "Bar")
    with pytest.raises(NotFound):
        hand_over(9, "Bar")


def test_the_last_holders_are_offered_once_each(context):
    factories.key("K1")
    before = ""
    for holder in ("Bar", "Kitchen", "bar", "Garden"):
        before = hand_over(1, holder, before).holder
    assert queries.recent_holders(5, except_for="GARDEN") == ["bar", "Kitchen"]
    assert queries.recent_holders(1, except_for="") == ["Garden"]


def test_a_renamed_team_is_offered_as_last_holder_by_its_new_name_alone(context):
    for team in ("Plumbers", "Garden"):
        factories.team(team)
    factories.key("K1", holder="Plumbers")
    factories.key("K2", holder="Garden")
    hand_over(2, "Ann Lee", before="Garden")
    for before, after in (("Plumbers", "Pipes"), ("Pipes", "Plumbers & Gas")):
        with transaction():
            names.rename(DirectoryList.TEAMS, before, after)
    expected = ["Ann Lee", "Garden", "Plumbers & Gas"]
    assert queries.recent_holders(5, except_for="") == expected
    hand_over(1, "", before="Plumbers & Gas")
    assert queries.recent_holders(5, except_for="") == expected


def test_a_key_is_handed_over_from_its_row(trader, in_app):
    in_app(factories.key, "K1", name="Boiler room")
    in_app(factories.key, "K2", holder="Bar")
    in_app(factories.team, "Kitchen")
    dialog = trader.open(trader.open("/keys").link("Hand over K1"))
    assert dialog.all("main h1, main header .note") == ["Hand over K1", "Nobody has it"]
    offered = [option["value"] for option in dialog.html.select("#holder-offers option")]
    assert offered == ["Bar", "Kitchen"]
    for _ in range(2):
        page = trader.submit(dialog, holder=" Ann Lee ")
        assert page.all(".notice.ok") == ["K1 is with Ann Lee now."]
    assert rows(page)[0][1] == "Ann Lee since today"
    assert [row[0] for row in rows(trader.open("/keys?q=ann"))] == ["K1 Boiler room"]
    history = trader.open(page.link("K1"))
    assert rows(history)[0][1:] == ["Ann Lee", "–", "trader"]
    for order in ("holder", "-holder"):
        assert rows(trader.open(f"{history.path}?sort={order}"))[0][1] == "Ann Lee"
    assert history.link("Return") == "/keys/1/return"


def test_one_of_the_last_holders_gets_it_by_a_button(trader, in_app):
    in_app(factories.key, "K1")
    in_app(factories.key, "K2", holder="Bar")
    dialog = trader.open("/keys/1/hand-over")
    assert dialog.all("button[name=recent]") == ["Bar"]
    page = trader.submit(dialog, "form#recent", recent="Bar")
    assert page.all(".notice.ok") == ["K1 is with Bar now."]


def test_a_holder_who_may_be_another_one_is_confirmed_first(trader, in_app):
    in_app(factories.key, "K1")
    in_app(factories.key, "K2", holder="Ann Lee")
    in_app(factories.team, "Electricians")
    page = trader.submit(trader.open("/keys/1/hand-over"), holder="Elec")
    new = 'New holder "Elec"'
    assert (page.status, page.question) == (422, [f"{new}? Or", "Electricians", new])
    sent = page.fields() | {"holder": ["Elec", "Electricians"]}
    done = trader.post("/keys/1/hand-over", sent)
    assert done.all(".notice.ok") == ["K1 is with Electricians now."]
    for typed, resembled in (("Anne Lee", "Ann Lee"), ("Electritians", "Electricians")):
        page = trader.submit(trader.open("/keys/2/hand-over"), holder=typed)
        assert page.question[1:-1] == [resembled]
    done = trader.submit(page, new="Electritians")
    assert done.all(".notice.ok") == ["K2 is with Electritians now."]


def test_a_key_is_returned_after_a_confirmation(trader, in_app):
    in_app(factories.key, "K1", holder="Bar")
    dialog = trader.open(trader.open("/keys").link("Return K1"))
    assert dialog.all("footer .btn") == ["Cancel", "Return"]
    page = trader.submit(dialog)
    assert page.all(".notice.ok") == ["K1 was returned by Bar."]
    assert rows(page)[0][1] == "–"
    assert trader.open("/keys/1/return").all("footer .btn") == ["Close"]


def test_a_wrong_holder_gets_one_error(trader, in_app):
    in_app(factories.key, "K1")
    for holder, message in (
        ("x" * 300, "Holder must be at most 100 characters"),
        (" ", "Enter who gets the key"),
    ):
        page = trader.submit(trader.open("/keys/1/hand-over"), holder=holder)
        assert (page.status, page.errors) == (422, [message] * 2)


@pytest.mark.parametrize("action", ["hand-over", "return"])
def test_of_two_who_hand_a_key_over_the_second_gets_the_reason(trader, in_app, action):
    in_app(factories.key, "K1", holder="Bar")
    first, second = trader.open("/keys/1/hand-over"), trader.open(f"/keys/1/{action}")
    trader.submit(first, holder="Kitchen")
    refused = trader.submit(second, holder="Garden", headers=HTMX)
    message = f"K1 is with Kitchen since {TODAY}. Nothing was changed: confirm again to do it."
    assert (refused.status, refused.errors) == (409, [message])
    assert refused.headers["HX-Trigger"] == "keys-changed"
    again = trader.submit(refused, ".form", holder="Garden")
    assert again.all(".notice.ok")[-1].startswith("K1 ")

"""Users of Assets change the register at the same time: no change is lost or made twice."""

from collections import Counter

import pytest

from app.assets.rules import AssetUpdate
from app.assets.services import register
from app.db import transaction
from app.divisions import Division
from tests import factories
from tests.assets.test_moves_api import ASSETS, entries, move, where
from tests.fleet.threads import run_at_once
from tests.person import Caller, Person

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def tabs(app, in_app):
    """Return clients of a user of Assets, each with a session of its own."""
    in_app(factories.user, "steward", Division.ASSETS)
    in_app(factories.asset, "Desk", id="D1", location="Room 1")

    def tab():
        person = Person(app)
        person.sign_in("steward", follow=False, division=Division.ASSETS)
        return Caller(person)

    return [tab() for _ in range(4)]


def test_one_move_under_one_key_sent_four_times_at_once_moves_once(tabs):
    actions = [lambda call=call: move(call, "D1", "Room 2", Idempotency_Key="k") for call in tabs]
    replies = run_at_once(actions)
    assert [reply.status_code for reply in replies] == [200] * 4
    assert len({reply.get_data() for reply in replies}) == 1
    assert entries(tabs[0]) == [("D1", "Room 1", "Room 2")]


def test_concurrent_moves_of_an_asset_leave_an_unbroken_history(tabs):
    actions = [lambda c=c, n=n: move(c, "D1", f"Yard {n}") for n, c in enumerate(tabs)]
    assert [reply.status_code for reply in run_at_once(actions)] == [200] * 4
    history = list(reversed(entries(tabs[0])))
    assert [start for _, start, _ in history] == ["Room 1", *(end for _, _, end in history[:-1])]
    assert where(tabs[0]) == {"D1": history[-1][2]}


def test_two_people_who_move_an_asset_to_one_place_at_once_move_it_once(tabs):
    replies = run_at_once([lambda call=call: move(call, "D1", "Yard") for call in tabs])
    assert Counter(reply.status_code for reply in replies) == {200: 1, 409: 3}
    assert entries(tabs[0]) == [("D1", "Room 1", "Yard")]


def test_only_one_of_concurrent_replacements_of_the_list_succeeds(tabs):
    read = tabs[0]("GET", ASSETS)
    tag, desk = read.headers["ETag"], read.json[0]

    def replace(call, location):
        states = [desk | {"location": location}, {"item": f"Lamp of {location}"}]
        return call("POST", ASSETS, states, If_Match=tag)

    actions = [lambda c=c, n=n: replace(c, f"Yard {n}") for n, c in enumerate(tabs)]
    replies = run_at_once(actions)
    assert Counter(reply.status_code for reply in replies) == {200: 1, 412: 3}
    (winner,) = (n for n, reply in enumerate(replies) if reply.status_code == 200)
    rows = tabs[0]("GET", ASSETS).json
    assert {(row["item"], row["location"]) for row in rows} == {
        ("Desk", f"Yard {winner}"),
        (f"Lamp of Yard {winner}", ""),
    }
    assert entries(tabs[0]) == [("D1", "Room 1", f"Yard {winner}")]


def test_people_who_fill_an_empty_register_at_once_do_not_replace_each_other(tabs):
    tag = tabs[0]("GET", ASSETS).headers["ETag"]
    assert tabs[0]("POST", ASSETS, [], If_Match=tag).json["removed"] == 1
    actions = [
        lambda call=call, n=n: call("POST", ASSETS, [{"item": f"Lamp {n}"}])
        for n, call in enumerate(tabs)
    ]
    replies = run_at_once(actions)
    assert Counter(reply.status_code for reply in replies) == {200: 1, 428: 3}
    assert len(where(tabs[0])) == 1


@pytest.mark.parametrize("path", ["/assets/1/move", "/assets/move?asset=1&asset=2"])
def test_one_form_sent_four_times_at_once_moves_once(app, tabs, asset, path):
    asset("Lamp", id="L1", location="Room 2")
    person = Person(app)
    person.sign_in("steward", follow=False, division=Division.ASSETS)
    sent = person.open(path).fields() | {"destination": "Yard", "asset": ["1", "2"]}
    cookie = person.client.get_cookie("session").value

    def send():
        tab = Person(app)
        tab.client.set_cookie("session", cookie)
        return tab.post(path, sent)

    pages = run_at_once([send] * 4)
    assert [page.status for page in pages] == [200] * 4
    message = "Desk moved to Yard." if path.endswith("/move") else "2 assets moved to Yard."
    assert all(message in page.text for page in pages)
    moved = [("D1", "Room 1", "Yard"), ("L1", "Room 2", "Yard")]
    assert sorted(entries(tabs[0])) == moved[: 1 if path.endswith("/move") else 2]


def test_moves_of_the_same_assets_in_any_order_do_not_deadlock(tabs, asset):
    for number in range(6):
        asset("Chair", id=f"C{number}", location="Room 1")
    forward = [f"C{number}" for number in range(6)]

    def record(call, ids, end):
        moves = [{"id": id_, "endPosition": end} for id_ in ids]
        return call("POST", f"{ASSETS}/history", moves)

    orders = [forward, forward[::-1], forward[3:] + forward[:3], forward[::-1]]
    actions = [
        lambda call=call, ids=ids, n=n: record(call, ids, f"Yard {n}")
        for n, (call, ids) in enumerate(zip(tabs, orders, strict=True))
    ]
    assert [reply.status_code for reply in run_at_once(actions)] == [201] * 4
    now = where(tabs[0])
    assert len({now[id_] for id_ in forward}) == 1
    for id_ in forward:
        check_chain(entries(tabs[0]), id_, now[id_])


def test_a_move_is_not_lost_under_a_whole_list_that_is_sent_with_it(tabs):
    for round_ in range(4):
        read = tabs[0]("GET", ASSETS)
        states = [row | {"status": f"Seen {round_}"} for row in read.json]
        tag = read.headers["ETag"]
        listed, moved = run_at_once(
            [
                lambda tag=tag, states=states: tabs[0]("POST", ASSETS, states, If_Match=tag),
                lambda round_=round_: move(tabs[1], "D1", f"Yard {round_}"),
            ]
        )
        assert (moved.status_code, listed.status_code) in ((200, 200), (200, 412))
        (row,) = tabs[0]("GET", ASSETS).json
        assert row["location"] == f"Yard {round_}"
        assert (row["status"] == f"Seen {round_}") == (listed.status_code == 200)
        assert len(entries(tabs[0])) == round_ + 1
    check_chain(entries(tabs[0]), "D1", "Yard 3")


def test_an_import_and_moves_at_once_are_all_in_the_history(app, tabs):
    def load(location):
        with app.app_context(), transaction():
            return register.set_assets(
                [AssetUpdate("D1", {"item": "Desk", "location": location})], by=None
            )

    actions = [
        *(lambda call=call, n=n: move(call, "D1", f"Yard {n}") for n, call in enumerate(tabs)),
        *(lambda n=n: load(f"Shed {n}") for n in range(2)),
    ]
    replies = run_at_once(actions)
    assert [reply.status_code for reply in replies[:4]] == [200] * 4
    assert [change.changed for change in replies[4:]] == [1, 1]
    history = entries(tabs[0])
    assert len(history) == 6
    check_chain(history, "D1", where(tabs[0])["D1"])


def check_chain(history, id_, location):
    """Assert that each move of an asset starts where the one before it ended."""
    moves = [(start, end) for asset_id, start, end in reversed(history) if asset_id == id_]
    assert [start for start, _ in moves] == ["Room 1", *(end for _, end in moves[:-1])]
    assert moves[-1][1] == location

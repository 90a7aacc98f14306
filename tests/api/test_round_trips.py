"""Whole lists: read one, change an entry, send it back (design §4)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from threading import Barrier
from typing import Any

import pytest

from app.divisions import Division
from tests.api.filled import Filled, Send, bearer, everything

CHANGED = "The list has changed since. Load it again."
MANY = 3000
LONG = ("/api/gfm/inventory/main", "/api/assets", "/api/fleet/vehicles", "/api/keys")


@dataclass(frozen=True)
class Whole:
    """A whole list: whose it is, how to change an entry, and what its history says of that.

    `moves` are the fields that the server sets with it; `entry` makes one of many entries.
    """

    path: str
    owner: Division
    change: dict[str, Any]
    history: str = ""
    told: Any = None
    moves: tuple[str, ...] = ()
    entry: Any = None

    def changed(self, rows: list[Any], place: int = 1) -> list[Any]:
        return [*rows[:place], rows[place] | self.change, *rows[place + 1 :]]

    def shown(self, rows: list[Any]) -> list[Any]:
        return [{n: v for n, v in row.items() if n not in self.moves} for row in rows]

    def events(self, ask: Send) -> list[Any]:
        """Return the history, each entry as text, since entries may be equal."""
        if not self.history:
            return []
        said = ask("GET", self.history).json
        if isinstance(said, dict):
            said = chain.from_iterable(
                [event | {"reg": one["reg"]} for event in one["history"]]
                for one in said["vehicles"]
            )
        return list(said)


def _stock(path: str, owner: Division, history: str) -> Whole:
    return Whole(
        path,
        owner,
        {"amount": 999},
        history,
        lambda row: {"item": row["item"], "amount": 999 - row["amount"], "event": "Other"},
        entry=lambda n: {"item": f"Item {n:04d}", "amount": n, "unitPrice": 1.1, "category": "Box"},
    )


WHOLE = (
    _stock("/api/gfm/inventory/main", Division.GFM, "/api/gfm/history"),
    _stock("/api/inventory/guildford", Division.GFM, "/api/history"),
    _stock("/api/gpm/inventory/main", Division.GPM, "/api/gpm/history"),
    _stock("/api/inventory", Division.GPM, "/api/gpm/history"),
    Whole(
        "/api/assets",
        Division.ASSETS,
        {"location": "Elsewhere"},
        "/api/assets/history",
        lambda row: {
            "id": row["id"],
            "startPosition": row["location"],
            "endPosition": "Elsewhere",
            "user": "assets",
        },
        entry=lambda n: {"id": f"A/{n:04d}", "item": f"Desk {n}", "purchasePrice": 0.07},
    ),
    Whole(
        "/api/fleet/vehicles",
        Division.FLEET,
        {"status": "In repair"},
        "/api/fleet/history",
        lambda row: {"reg": row["reg"], "status": "In repair"},
        ("lastEventAt",),
        lambda n: {"reg": f"A {n:04d}", "make": "Ford", "odometer": n},
    ),
    Whole(
        "/api/vans",
        Division.GPM,
        {"currentLocation": "Yard"},
        "/api/van-history",
        lambda row: {"reg": row["reg"], "location": "Yard", "status": row["status"]},
        ("lastEventAt",),
    ),
    Whole(
        "/api/keys",
        Division.GPM,
        {"holder": "Elsewhere"},
        "/api/gpm/keys/history",
        lambda row: {
            "key": row["code"],
            "holder": "Elsewhere",
            "previousHolder": row["holder"],
            "by": "gpm",
        },
        entry=lambda n: {"code": f"K {n:04d}", "name": f"Room {n}"},
    ),
    Whole("/api/check-templates", Division.FLEET, {"label": "Another label"}),
)

every_list = pytest.mark.parametrize("whole", WHOLE, ids=lambda whole: whole.path)


def client(filled: Filled, whole: Whole) -> Send:
    return bearer(filled.app, filled.people[whole.owner])


def replace(ask: Send, whole: Whole, rows: list[Any], tag: str | None) -> Any:
    headers = {"If-Match": tag} if tag else {}
    return ask("POST", whole.path, json=rows, headers=headers)


def counts(**told: int) -> dict[str, int]:
    return {"added": 0, "changed": 0, "unchanged": 0, "removed": 0} | told


@pytest.mark.both_engines
@every_list
def test_one_changed_entry_is_the_one_change_and_the_same_list_again_is_none(
    filled: Filled, whole: Whole
) -> None:
    with filled.open(copied=True) as app:
        ask = client(filled, whole)
        read = ask("GET", whole.path)
        before = whole.events(ask)
        wanted = whole.changed(read.json)
        reply = replace(ask, whole, wanted, read.headers["ETag"])
        assert reply.status_code == 200
        after = ask("GET", whole.path)
        assert whole.shown(after.json) == whole.shown(wanted)
        untouched = [row for place, row in enumerate(read.json) if place != 1]
        assert [row for place, row in enumerate(after.json) if place != 1] == untouched
        new = [event for event in whole.events(ask) if event not in before]
        if whole.history:
            assert reply.json == counts(changed=1, unchanged=len(untouched))
            assert len(whole.events(ask)) == len(before) + 1
            (event,) = new
            assert event.items() >= whole.told(read.json[1]).items()
        rest = everything(app)
        again = replace(ask, whole, after.json, after.headers["ETag"])
        assert again.status_code == 200
        assert everything(app) == rest
        assert ask("GET", whole.path).headers["ETag"] == after.headers["ETag"]


@every_list
def test_who_has_not_seen_the_list_as_it_is_changes_nothing(filled: Filled, whole: Whole) -> None:
    with filled.open(copied=True) as app:
        ask = client(filled, whole)
        read = ask("GET", whole.path)
        tag = read.headers["ETag"]
        assert replace(ask, whole, whole.changed(read.json, 0), tag).status_code == 200
        rest = everything(app)
        now = ask("GET", whole.path).headers["ETag"]
        for named, status in (
            (None, 428),
            ("*", 428),
            (tag, 412),
            (f"W/{now}", 412),
            ('"other"', 412),
            ('""', 412),
            ("", 412),
        ):
            headers = {} if named is None else {"If-Match": named}
            for rows in ([], read.json):
                refused = ask("POST", whole.path, json=rows, headers=headers)
                assert refused.status_code == status, named
                assert status != 412 or refused.json == {
                    "error": CHANGED,
                    "code": "precondition_failed",
                }
        assert everything(app) == rest


@every_list
def test_of_two_who_have_read_the_same_list_one_wins(filled: Filled, whole: Whole) -> None:
    with filled.open(copied=True):
        ask = client(filled, whole)
        read = ask("GET", whole.path)
        meet = Barrier(2)

        def send(place: int) -> int:
            one = client(filled, whole)
            meet.wait()
            wanted = whole.changed(read.json, place)
            return int(replace(one, whole, wanted, read.headers["ETag"]).status_code)

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(send, (0, 1)))
        assert sorted(answers) == [200, 412]
        won = whole.changed(read.json, answers.index(200))
        assert whole.shown(ask("GET", whole.path).json) == whole.shown(won)


@pytest.mark.parametrize(
    "whole",
    [whole for whole in WHOLE if whole.path in LONG],
    ids=lambda whole: whole.path,
)
def test_a_list_of_3000_makes_the_same_round(filled: Filled, whole: Whole) -> None:
    with filled.open(copied=True):
        ask = client(filled, whole)
        first = ask("GET", whole.path)
        there = len(first.json)
        emptied = replace(ask, whole, [], first.headers["ETag"])
        assert emptied.json == counts(removed=there)
        made = replace(ask, whole, [whole.entry(n) for n in range(MANY)], None)
        assert made.json == counts(added=MANY)
        read = ask("GET", whole.path, headers={"Accept-Encoding": "identity"})
        told = len(whole.events(ask))
        changed = replace(ask, whole, whole.changed(read.json, 1500), read.headers["ETag"])
        assert changed.json == counts(changed=1, unchanged=MANY - 1)
        after = ask("GET", whole.path).json
        assert whole.shown(after) == whole.shown(whole.changed(read.json, 1500))
        assert len(whole.events(ask)) == told + 1

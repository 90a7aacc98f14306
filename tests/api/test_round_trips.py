"""Whole lists: read one, change an entry, send it back."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from threading import Barrier
from typing import Any
from urllib.parse import urlencode

import pytest

from app.divisions import Division
from tests.api.filled import Filled, Send, bearer, everything
from tests.api.list_filters import LISTS as FILTERED

CHANGED = "The list has changed since. Load it again."
MANY = 3000
LONG = ("/api/gfm/inventory/main", "/api/assets", "/api/fleet/vehicles", "/api/keys")


@dataclass(frozen=True)
class Whole:
    """A whole list: its owner, a change of an entry, and the event that the change makes.

    `moves` are fields that the server sets with it; `entry` makes one of many entries.
    """

    path: str
    owner: Division
    change: dict[str, Any]
    history: str = ""
    event: Any = None
    moves: tuple[str, ...] = ()
    entry: Any = None

    @property
    def call(self) -> str:
        """Return the path of its call without the prefix of its division."""
        return f"/{self.path.rpartition('/')[2]}"

    def changed(self, rows: list[Any], index: int = 1) -> list[Any]:
        return [*rows[:index], rows[index] | self.change, *rows[index + 1 :]]

    def comparable(self, rows: list[Any]) -> list[Any]:
        return [{n: v for n, v in row.items() if n not in self.moves} for row in rows]

    def events(self, send: Send) -> list[Any]:
        """Return the history, each entry as text, since entries may be equal."""
        if not self.history:
            return []
        history = send("GET", self.history).json
        if isinstance(history, dict):
            history = chain.from_iterable(
                [event | {"reg": one["reg"]} for event in one["history"]]
                for one in history["vehicles"]
            )
        return list(history)


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


def replace(send: Send, whole: Whole, rows: list[Any], tag: str | None) -> Any:
    headers = {"If-Match": tag} if tag else {}
    return send("POST", whole.path, json=rows, headers=headers)


def counts(**changes: int) -> dict[str, int]:
    return {"added": 0, "changed": 0, "unchanged": 0, "removed": 0} | changes


@pytest.mark.differs_by_engine
@every_list
def test_changing_one_entry_makes_one_change_and_resending_makes_none(
    filled: Filled, whole: Whole
) -> None:
    with filled.open(copied=True) as app:
        send = client(filled, whole)
        read = send("GET", whole.path)
        before = whole.events(send)
        rows = whole.changed(read.json)
        reply = replace(send, whole, rows, read.headers["ETag"])
        assert reply.status_code == 200
        after = send("GET", whole.path)
        assert whole.comparable(after.json) == whole.comparable(rows)
        untouched = [row for index, row in enumerate(read.json) if index != 1]
        assert [row for index, row in enumerate(after.json) if index != 1] == untouched
        new = [event for event in whole.events(send) if event not in before]
        if whole.history:
            assert reply.json == counts(changed=1, unchanged=len(untouched))
            assert len(whole.events(send)) == len(before) + 1
            (event,) = new
            assert event.items() >= whole.event(read.json[1]).items()
        rest = everything(app)
        again = replace(send, whole, after.json, after.headers["ETag"])
        assert again.status_code == 200
        assert everything(app) == rest
        assert send("GET", whole.path).headers["ETag"] == after.headers["ETag"]


@every_list
def test_a_stale_etag_changes_nothing(filled: Filled, whole: Whole) -> None:
    with filled.open(copied=True) as app:
        send = client(filled, whole)
        read = send("GET", whole.path)
        tag = read.headers["ETag"]
        assert replace(send, whole, whole.changed(read.json, 0), tag).status_code == 200
        rest = everything(app)
        now = send("GET", whole.path).headers["ETag"]
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
                refused = send("POST", whole.path, json=rows, headers=headers)
                assert refused.status_code == status, named
                assert status != 412 or refused.json == {
                    "error": CHANGED,
                    "code": "precondition_failed",
                }
        assert everything(app) == rest


@pytest.mark.parametrize(
    "whole", [whole for whole in WHOLE if whole.call in FILTERED], ids=lambda whole: whole.path
)
def test_who_has_read_a_filtered_list_does_not_replace_the_whole(
    filled: Filled, whole: Whole
) -> None:
    with filled.open(copied=True) as app:
        send = client(filled, whole)
        rest = everything(app)
        search = FILTERED[whole.call].filters["search"]
        read = send("GET", f"{whole.path}?{urlencode({'search': search})}")
        assert read.json
        refused = replace(send, whole, read.json, read.headers["ETag"])
        assert (refused.status_code, refused.json["error"]) == (412, CHANGED)
        assert everything(app) == rest


@every_list
def test_of_two_who_have_read_the_same_list_one_wins(filled: Filled, whole: Whole) -> None:
    with filled.open(copied=True):
        send = client(filled, whole)
        read = send("GET", whole.path)
        meet = Barrier(2)

        def change_entry(index: int) -> int:
            one = client(filled, whole)
            meet.wait()
            rows = whole.changed(read.json, index)
            return int(replace(one, whole, rows, read.headers["ETag"]).status_code)

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(change_entry, (0, 1)))
        assert sorted(answers) == [200, 412]
        won = whole.changed(read.json, answers.index(200))
        assert whole.comparable(send("GET", whole.path).json) == whole.comparable(won)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "whole", [whole for whole in WHOLE if whole.path in LONG], ids=lambda whole: whole.path
)
def test_a_list_of_3000_makes_the_same_round(filled: Filled, whole: Whole) -> None:
    with filled.open(copied=True):
        send = client(filled, whole)
        first = send("GET", whole.path)
        total = len(first.json)
        emptied = replace(send, whole, [], first.headers["ETag"])
        assert emptied.json == counts(removed=total)
        made = replace(send, whole, [whole.entry(n) for n in range(MANY)], None)
        assert made.json == counts(added=MANY)
        read = send("GET", whole.path, headers={"Accept-Encoding": "identity"})
        before = len(whole.events(send))
        changed = replace(send, whole, whole.changed(read.json, 1500), read.headers["ETag"])
        assert changed.json == counts(changed=1, unchanged=MANY - 1)
        after = send("GET", whole.path).json
        assert whole.comparable(after) == whole.comparable(whole.changed(read.json, 1500))
        assert len(whole.events(send)) == before + 1

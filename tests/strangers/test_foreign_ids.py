"""Ids of another division's rows in path, query and body: refused as if there were none."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from app.divisions import Division
from tests.api.filled import everything
from tests.strangers.replies import faults_of
from tests.strangers.world import SECRETS, world

Sent = tuple[str, str, dict[str, Any]]
GFM, GPM = Division.GFM, Division.GPM
PAGES = {GFM: "/inventory", GPM: "/gpm/inventory"}
ITEM_PAGES = ("", "/action", "/edit", "/history", "/remove")
HISTORY = {GFM: "/history", GPM: "/gpm/history"}
BULK = {"action": "withdrawal", "date": "2026-01-15", "key": "k"}
KEPT = {"login_session", "audit_entry"}
"""Tables that change all the same: a page renews access, and an export of the own is recorded."""


def in_path(own: Division, ids: dict[str, int]) -> Iterator[Sent]:
    """Yield requests with the ids of the other division's rows, and of another site's."""
    foreign = [ids["gpm-main" if own is GFM else "gfm-main"], ids["gfm-guildford"]]
    operations = [ids["gpm-main-op"] if own is GFM else ids["gfm-main-op"]]
    for item in foreign:
        for page in ITEM_PAGES:
            for method in ("GET", "POST"):
                yield method, f"{PAGES[own]}/main/items/{item}{page}", {"data": form(item)}
        yield "GET", f"{PAGES[own]}/main/items/{item}/action?action=transfer", {}
    for operation in operations:
        for page in ("", "/undo"):
            for method in ("GET", "POST"):
                yield method, f"{PAGES[own]}/main/operations/{operation}{page}", {}


def form(item: int) -> dict[str, str]:
    """Return the fields of every form of an item, with old and new values."""
    values = {"quantity": "1", "amount": "5", "name": "Taken", "category": "", "unit_price": "1"}
    return values | {"action": "withdrawal", "expected": "6", "item": str(item), "key": "k"}


def in_query_and_body(own: Division, ids: dict[str, int]) -> Iterator[Sent]:
    other = GPM if own is GFM else GFM
    name, item = f"{SECRETS[other]} mug of main", ids[f"{other}-main"]
    place = f"{PAGES[own]}/main"
    call = f"/api/{own}/inventory/main"
    for value in (item, name):
        line = {"name": value, "qty": 1}
        for op in ("inc", "dec"):
            change = {"type": op, "id": str(value), "delta": 1}
            yield "PATCH", call, {"json": {"ops": [change]}}
        renaming = {"type": "set", "id": str(value), "patch": {"item": "Taken"}}
        yield "PATCH", call, {"json": {"ops": [renaming]}}
        yield "PATCH", call, {"json": {"ops": [{"type": "remove", "id": str(value)}]}}
        lines = {"action": "withdrawal", "lines": [line | {"name": str(value)}]}
        yield "POST", f"{call}/bulk", {"json": lines | {"date": "2026-01-15"}}
        yield "POST", f"{place}/bulk", {"data": BULK | {"name-0": str(value), "quantity-0": "1"}}
    yield "GET", f"{place}?after={item}", {}
    yield "GET", f"{HISTORY[own]}?item={item}&site=guildford&team={item}", {}
    yield "GET", f"{HISTORY[own]}/export?site=northern&item={item}", {}
    yield "GET", f"/api/{own}/history?cursor={item}", {}
    for path in (f"/api/{other}/inventory/main", f"/api/{other}/history", f"/api/{own}/nothing"):
        yield "GET", path, {}


def test_ids_of_others_are_like_ids_of_nothing(app, request):
    ids, people = world(request, app)
    everybody = {who.name: who for who in people}
    client = app.test_client(use_cookies=False)
    before = everything(app)
    sent, wrong = 0, []
    for own, other in ((GFM, GPM), (GPM, GFM)):
        for method, path, options in chain(in_path(own, ids), in_query_and_body(own, ids)):
            headers = everybody[own.value].headers(bearer=path.startswith("/api/"))
            reply = client.open(path, method=method, headers=headers, **options)
            sent += 1
            # A name that was sent comes back in the message; the rest must not.
            is_named = SECRETS[other] in repr(options)
            shows = [f"{SECRETS[other]} {word}" for word in ("ware", "party")]
            found = [w for w in (shows if is_named else [SECRETS[other]]) if w in reply.text]
            is_done = path.endswith("/undo") and reply.status_code == 303
            if (method != "GET" or path.startswith(f"{PAGES[own]}/main/")) and not is_done:
                found += [] if reply.status_code >= 400 or "?after" in path else ["admitted"]
            found += ["fault"] if reply.status_code >= 500 else []
            wrong += [(own, method, path, each) for each in found + faults_of(reply)]
    assert wrong == []
    assert sent > 80
    after = everything(app)
    assert {table for table in before if before[table] != after[table]} <= KEPT


def test_keys_versions_and_cursors_of_others_open_nothing(app, request):
    everybody = {who.name: who for who in world(request, app)[1]}
    client = app.test_client(use_cookies=False)
    gfm, gpm = (everybody[name].headers(bearer=True) for name in ("gfm", "gpm"))
    lists = {"gfm": "/api/gfm/inventory/main", "gpm": "/api/gpm/inventory/main"}
    tag = client.get(lists["gfm"], headers=gfm).headers["ETag"]
    assert client.get(lists["gpm"], headers=gpm | {"If-None-Match": tag}).status_code == 200
    name = f"{SECRETS[GFM]} mug of main"
    change = {"ops": [{"type": "inc", "id": name, "delta": 1}]}
    keyed = {"Idempotency-Key": "the-same-key"}
    assert client.patch(lists["gfm"], headers=gfm | keyed, json=change).status_code == 200
    for path, status in ((lists["gpm"], 422), (lists["gfm"], 403)):
        reply = client.patch(path, headers=gpm | keyed, json=change)
        assert (path, reply.status_code) == (path, status)
        assert f"{SECRETS[GFM]} ware" not in reply.text
    part = client.get("/api/gfm/history?limit=1", headers=gfm)
    link = part.headers["Link"].partition(">")[0].removeprefix("<")
    for path in ("/api/gpm/history", lists["gpm"]):
        reply = client.get(f"{path}?{link.partition('?')[2]}", headers=gpm)
        assert (path, reply.status_code) == (path, 422)

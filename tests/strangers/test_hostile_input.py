"""Hostile input in every field, by form, JSON, file, header and address.

`make test` gives each field one of the values in turn, `make test-all` all of them.
"""

import copy
import re
import resource
from collections.abc import Iterator
from typing import Any

import pytest

from app.diagnostics.services import CHECKS
from app.web.policies import policy_of
from tests.api.calls import CALLS
from tests.strangers.attack import Attacker, PageForm
from tests.strangers.corpus import BYTES, HEADER_VALUES, HEADERS, MARKER, SHEETS, TEXTS, VALUES

MAX_SLOWDOWN = 1_000
"""How many times the usual request one may take.

A busy machine was seen to need 300 for the first of a page; what grows with its input needs more.
"""

MAX_MEGABYTES = 250

ENDS_SESSION = {"/logout", "/change-password", "/api/auth/logout", "/api/auth/change-password"}


def addresses(attacker: Attacker) -> list[str]:
    """Return the address of each page, exports aside, for rows that exist."""
    ids = attacker.ids | {"site": "main", "key_id": 1, "move_id": 1, "view_id": 1}
    ids |= {"kind": "vehicle", "question": "use"}
    found = []
    with attacker.app.test_request_context():
        for rule in attacker.app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or rule.rule.startswith("/api"):
                continue
            policy = policy_of(rule.endpoint, rule.defaults or {"division": None})
            own = {"item_id": ids["gpm-main"]} if rule.rule.startswith("/gpm") else {}
            values = ids | own | (rule.defaults or {})
            built = rule.build({name: values.get(name, 1) for name in rule.arguments})
            if policy is not None and built is not None and rule.rule not in ENDS_SESSION:
                found.append(built[1])
    return found


def forms(attacker: Attacker) -> list[PageForm]:
    """Return the forms of all pages, each once."""
    found = {}
    for path in addresses(attacker):
        for form in attacker.forms_of(path):
            if form.action.partition("?")[0] not in ENDS_SESSION:
                found.setdefault((form.method, form.action.partition("?")[0], *form.fields), form)
    return list(found.values())


def send_forms(attacker: Attacker) -> int:
    fields = 0
    for form in forms(attacker):
        typed = [name for name in form.fields if name != "key"]
        for value in (MARKER, TEXTS[fields % len(TEXTS)]):
            attacker.fill_in(form, dict.fromkeys(typed, value), value)
        for name in form.fields:
            fields += 1
            for value in attacker.share(TEXTS, fields):
                attacker.fill_in(form, {name: value}, value)
        if form.method == "POST":
            body = b"&".join(
                name.encode() + b"=" + BYTES[(fields + n) % len(BYTES)]
                for n, name in enumerate(form.fields)
            )
            form_type = "application/x-www-form-urlencoded"
            attacker.send("POST", form.action, repr(body), data=body, content_type=form_type)
    return fields


def places(body: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in a JSON body."""
    inner = body.items() if isinstance(body, dict) else enumerate(body)
    for name, value in inner:
        yield (*path, name)
        if isinstance(value, dict | list):
            yield from places(value, (*path, name))


def send_json(attacker: Attacker) -> int:
    fields = 0
    for call in CALLS:
        prefix = min(call.served, key=len)
        path = call.address(prefix)
        if not isinstance(call.body, dict | list) or path in ENDS_SESSION:
            continue
        for place in places(call.body):
            fields += 1
            for value in attacker.share(VALUES, fields):
                body = copy.deepcopy(call.body)
                inner = body
                for step in place[:-1]:
                    inner = inner[step]
                inner[place[-1]] = value
                attacker.send(call.method, path, repr((place, value)), json=body)
        for data in (b"", b"[" * 5000, b"\xff", b'{"a":1,"a":2}', b"null", b'"\\ud800"'):
            attacker.send(call.method, path, repr(data), data=data, content_type="application/json")
    return fields


def send_addresses(attacker: Attacker) -> int:
    sent = 0
    app = attacker.app
    for number, rule in enumerate(app.url_map.iter_rules()):
        if rule.rule in ENDS_SESSION:
            continue
        method = min((rule.methods or set()) - {"OPTIONS", "HEAD"})
        for value in attacker.share(TEXTS, number):
            step = value.replace("/", "%2F").replace("?", "%3F").replace("#", "%23")
            path = re.sub("<[^<>]*>", lambda _, text=step: text, rule.rule)
            sent += 1
            attacker.send(method, path, value, query_string={"q": value, value or "x": value})
        raw = BYTES[number % len(BYTES)].decode()
        attacker.send("GET", f"{rule.rule.partition('<')[0]}{raw}?q={raw}&sort={raw}", raw)
    return sent


def send_headers(attacker: Attacker) -> int:
    sent = 0
    change = {"ops": [{"type": "inc", "id": "nothing", "delta": 1}]}
    targets: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/inventory/main", {}),
        ("POST", "/teams", {"data": {"name": "Post room"}}),
        ("PATCH", "/api/gfm/inventory/main", {"json": change}),
        ("POST", "/login", {"data": {"username": "x", "password": "y"}}),
    ]
    for number, name in enumerate(HEADERS):
        for value in HEADER_VALUES:
            method, path, options = targets[(number + sent) % len(targets)]
            attacker.send(method, path, f"{name}: {value}", headers={name: value}, **options)
            sent += 1
    undecided = next(who for who in attacker.everybody if who.name == "undecided")
    for value in (*HEADER_VALUES, *(text for text in TEXTS if text.isprintable())):
        script = {"HX-Request": "true", "HX-Current-URL": value.encode().decode("latin-1")}
        script |= {"Referer": f"http://localhost/{script['HX-Current-URL']}"}
        for headers in (undecided.headers(bearer=False), {}):
            attacker.send("GET", "/inventory/main", value, headers=headers | script)
    return sent


def send_files(attacker: Attacker) -> int:
    for sheet in SHEETS:
        for path in ("/api/gfm/inventory/main/count-sheet", "/api/inventory/count-sheet"):
            for kind in ("text/csv", "application/json", "text/csv; charset=utf-16"):
                attacker.send("POST", path, repr(sheet[:40]), data=sheet, content_type=kind)
    return len(SHEETS)


IMPORTS = (
    *(("stock", "import", "--division", "gfm", "--site", "main"), ("assets", "import")),
    *(("history", "import", "--division", "gfm"), ("vehicles", "import")),
    *(("directory", "import", "keys"), ("directory", "import", "teams")),
    *(("deliveries", "import", "--division", "gpm"), ("moves", "import"), ("due", "import")),
)


def import_files(attacker: Attacker, folder: Any) -> int:
    runner = attacker.app.test_cli_runner()
    for number, sheet in enumerate(SHEETS):
        for kind in ("csv", "json"):
            file = folder / f"{number}.{kind}"
            file.write_bytes(sheet)
            for name, action, *options in IMPORTS[number % 2 :: 2]:
                ended = runner.invoke(args=[name, action, *options, str(file)])
                is_clean = ended.exception is None or isinstance(ended.exception, SystemExit)
                if not is_clean or "Traceback" in ended.output:
                    attacker.found.append((name, repr(sheet[:40]), repr(ended.exception)))
    return number


def test_hostile_forms_are_refused_whole_or_stored_whole_and_always_shown_escaped(attacker):
    assert send_forms(attacker) > 150
    assert {200, 303, 400, 422} <= attacker.statuses
    check_harm(attacker)


@pytest.mark.differs_by_engine
def test_hostile_calls_are_refused_whole_or_stored_whole(attacker):
    assert send_json(attacker) > 100
    assert {200, 400, 422} <= attacker.statuses
    check_harm(attacker)


def test_hostile_addresses_headers_and_files_are_refused_whole_or_stored_whole(attacker, tmp_path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert send_addresses(attacker) > 200
    assert send_headers(attacker) > 400
    assert send_files(attacker) == len(SHEETS)
    import_files(attacker, tmp_path)
    assert {200, 303, 400, 404, 422} <= attacker.statuses
    check_harm(attacker)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) / 1024 < MAX_MEGABYTES


def check_harm(attacker):
    """Fail if something was wrong with a reply or a page, took long, or broke a promise."""
    for path in addresses(attacker):
        attacker.send("GET", path, "with what was stored")
    assert attacker.found == []
    assert attacker.slowest < MAX_SLOWDOWN
    with attacker.app.app_context():
        problems = [problem for check in CHECKS for problem in check.problems()]
    assert problems == []

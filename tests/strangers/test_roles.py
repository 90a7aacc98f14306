"""What viewers meet: pages that offer nothing they are refused, and refusals that say why."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from werkzeug.exceptions import HTTPException

from app import dates
from app.accounts.services import users
from app.db import transaction
from app.divisions import Division, Role
from app.web.policies import is_change, policy_of
from tests import factories
from tests.databases import filled_once
from tests.person import Caller, Person
from tests.strangers.rights import opens_form
from tests.strangers.world import SECRETS, fill

REFUSED = "You can look at {}, but not change it. Ask an administrator if you need to change it."
ITEM = "/inventory/main/items/1"


@pytest.fixture
def ids(app: Flask, request: pytest.FixtureRequest) -> Any:
    return filled_once(request, app, "company", partial(fill, app))


def somebody(app: Flask, *divisions: Division, roles: tuple[Role, ...] = (Role.VIEWER,)) -> Person:
    with app.app_context():
        factories.user("auditor", *divisions, roles=roles)
    person = Person(app)
    person.sign_in("auditor")
    return person


def choose(person: Person, division: Division) -> None:
    person.submit(person.open("/choose"), division=division.value)


def make_worker(app: Flask) -> None:
    with app.app_context(), transaction():
        users.grant("auditor", [Division.GFM], [], [Role.WORKER])


def make_viewer(app: Flask) -> None:
    with app.app_context(), transaction():
        users.revoke("auditor", [Division.GFM], [], [Role.WORKER])


def targets_of(page: BeautifulSoup) -> Iterator[tuple[str, str]]:
    """Yield the method and address, without its query, of each link and form of a page."""
    for tag in page.select("a[href], [data-hx-get], [data-hx-post], form"):
        for name, method in (("href", "GET"), ("data-hx-get", "GET"), ("data-hx-post", "POST")):
            if tag.get(name):
                yield method, str(tag[name]).partition("?")[0]
        if tag.name == "form":
            action = str(tag.get("action") or "")
            yield str(tag.get("method") or "get").upper(), action.partition("?")[0]


def pages_of(app: Flask, ids: dict[str, Any]) -> Iterator[str]:
    """Yield the address of every page that is there to look at."""
    values = {
        "site": "main",
        "operation_id": 1,
        "move_id": 1,
        "key_id": 1,
        "item_id": 1,
        "view_id": 1,
    }
    values |= {
        "file_name": f"{SECRETS[Division.FLEET]}.pdf",
        "token": "none",
        "part": "none",
        "question": "use",
        "target": "assets",
        "draft_id": 1,
        "list_key": "checks",
    } | ids
    for rule in app.url_map.iter_rules():
        is_page = "GET" in (rule.methods or ()) and not rule.rule.startswith("/api")
        if is_page and not opens_form(rule.rule):
            own = {"item_id": ids["gpm-main"]} if rule.rule.startswith("/gpm") else {}
            built = rule.build(values | own | (rule.defaults or {}), append_unknown=False)
            if built is not None:
                yield built[1]
    yield from (
        "/gpm/deliveries?status=delivered",
        "/fleetChecksList?review=",
        "/assets?q=Obsidian",
    )


@cache
def is_refused(app: Flask, method: str, path: str) -> bool:
    """Return whether an address changes something that belongs to a division.

    Remembered, since each page has the links of the menu, and each row those of its list.
    """
    try:
        rule, arguments = app.url_map.bind("localhost").match(path, method=method, return_rule=True)
    except HTTPException:
        return False
    with app.test_request_context():
        policy = policy_of(rule.endpoint, arguments)
    assert policy is not None
    return bool(policy.divisions) and is_change(policy, method, rule.methods or ())


def test_no_page_offers_a_viewer_what_they_are_refused(app: Flask, ids: dict[str, Any]) -> None:
    viewer = somebody(app, *Division)
    wrong, seen = [], 0
    for division in Division:
        choose(viewer, division)
        for address in ["/dashboard", *pages_of(app, ids)]:
            page = viewer.open(address)
            if page.status != 200 or page.response.mimetype != "text/html":
                continue
            seen += 1
            offers = [
                target
                for method, target in targets_of(page.html)
                if is_refused(app, method, target or page.path.partition("?")[0])
            ]
            disabled = page.html.select("[role=link][aria-disabled]")
            reasons = {str(tag.get("aria-describedby")) for tag in disabled}
            missing = [each for each in reasons if page.html.find(id=each) is None]
            wrong += [(address, each) for each in offers + missing]
    assert wrong == []
    assert seen > 100


def test_a_worker_and_a_viewer_get_pages_of_their_own_of_a_list(app: Flask, ids: object) -> None:
    viewer = somebody(app, Division.GFM)
    page = viewer.open("/inventory/main")
    assert page.all("#view-only") == [REFUSED.format("GFM's stock")]
    assert page.all("thead th") == ["Item", "Amount", "Category", "Unit Price"]
    with app.app_context():
        factories.user("keeper", Division.GFM)
    worker = Person(app)
    worker.sign_in("keeper")
    for _ in range(2):
        assert viewer.open("/inventory/main").all("a.sign") == []
        assert worker.open("/inventory/main").all("a.sign") == ["−", "+"]
        assert worker.open("/inventory/main").all("#view-only") == []


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("/inventory/main/count", "GFM's stock"),
        ("/gpm/inventory/main/bulk", "GPM's data"),
        ("/keys/1/hand-over", "GPM's data"),
        ("/fleetChecks", "the fleet"),
        ("/assets/add", "the asset register"),
    ],
)
def test_a_form_opened_by_its_address_is_a_refusal_that_says_why(
    app: Flask, ids: object, address: str, what: str
) -> None:
    page = somebody(app, *Division).open(address)
    assert page.status == 403
    assert page.alerts == [REFUSED.format(what)]
    assert page.all("#view-only") == []


def test_a_dialog_and_a_call_are_refused_in_their_own_ways(app: Flask, ids: object) -> None:
    viewer = somebody(app, Division.GFM)
    dialog = viewer.fragment(f"{ITEM}/action?mode=dec", "dialog")
    assert (dialog.status, dialog.headers["HX-Retarget"]) == (403, "#alerts")
    assert dialog.alerts == [REFUSED.format("GFM's stock")]
    body = {"ops": [{"type": "add", "item": {"name": "Mug", "qty": 3}}]}
    reply = Caller(viewer)("PATCH", "/api/gfm/inventory/main", body)
    assert reply.status_code == 403
    assert (reply.json["code"], reply.json["error"]) == (
        "role_required",
        REFUSED.format("GFM's stock"),
    )


def test_a_role_that_is_taken_away_is_missing_at_the_next_request(
    app: Flask, ids: dict[str, Any]
) -> None:
    person = somebody(app, Division.GFM, roles=(Role.VIEWER, Role.WORKER))
    address = f"/inventory/main/items/{ids['gfm-main']}/action?mode=dec"
    form = person.open(address)
    make_viewer(app)
    refused = person.submit(form, quantity="2", team="Kitchen")
    assert (refused.status, refused.alerts) == (403, [REFUSED.format("GFM's stock")])
    make_worker(app)
    assert person.submit(form, quantity="2", team="Kitchen").status == 200
    with app.app_context():
        assert factories.amount("Zircon mug of main") == 4


def test_what_waited_in_a_browser_is_refused_or_discarded_once_the_role_is_taken_away(
    app: Flask, ids: dict[str, Any]
) -> None:
    person = somebody(app, Division.GFM, roles=(Role.VIEWER, Role.WORKER))
    json = {"Accept": "application/json"}
    session = person.client.get("/session", headers=json).json
    sent = {"X-CSRFToken": session["csrf"], "Outbox-User": str(session["user"])} | json
    address = f"/inventory/main/items/{ids['gfm-main']}/action"
    form = {"action": "withdrawal", "quantity": "2", "team": "Kitchen", "key": "kept"}
    form["date"] = dates.today().isoformat()
    make_viewer(app)
    refused = person.client.post(address, data=form, headers=sent)
    assert (refused.status_code, refused.json["code"]) == (403, "role_required")
    assert refused.json["error"] == REFUSED.format("GFM's stock")
    discarded = {"entry": "another", "title": "Withdraw 2 × mug", "reason": "Put back"}
    reply = person.client.post("/outbox/discarded", json=discarded, headers=sent)
    assert (reply.status_code, reply.json["message"]) == (200, "Discarded: Withdraw 2 × mug.")
    make_worker(app)
    for _ in range(2):
        assert person.client.post(address, data=form, headers=sent).status_code == 200
    with app.app_context():
        assert factories.amount("Zircon mug of main") == 4


def test_a_page_is_another_one_once_the_role_has_changed(app: Flask, ids: object) -> None:
    person = somebody(app, Division.GFM)
    first = person.open("/inventory/main")
    match = {"headers": {"If-None-Match": first.headers["ETag"]}}
    assert person.open("/inventory/main", **match).status == 304
    make_worker(app)
    second = person.open("/inventory/main", **match)
    assert second.status == 200
    assert second.all("a.sign") != []


def test_a_call_without_a_division_needs_the_role_in_all_that_it_could_change(
    app: Flask, ids: object
) -> None:
    person = somebody(app, Division.GFM)
    with app.app_context(), transaction():
        users.grant("auditor", [Division.GPM], [])
    call = Caller(person)
    body = {"ops": [{"type": "add", "item": {"name": "Mug", "qty": 3}}]}
    reply = call("PATCH", "/api/inventory/main", body)
    assert (reply.status_code, reply.json["code"]) == (403, "role_required")
    assert "Name your division in the address." in reply.json["error"]
    assert call("PATCH", "/api/gpm/inventory/main", body).status_code == 200
    assert call("GET", "/api/inventory/main").status_code == 200


def test_the_menu_of_the_account_names_the_roles_in_the_chosen_division(
    app: Flask, ids: object
) -> None:
    person = somebody(app, *Division)
    make_worker(app)
    for division, text in (
        (Division.GFM, "GFM: viewer and worker"),
        (Division.FLEET, "Fleet: viewer"),
    ):
        choose(person, division)
        page = person.open("/dashboard")
        assert (page.all("#you .roles"), page.all("#screens .roles")) == ([text], [text])


def test_the_menu_leads_to_no_form_that_a_viewer_is_refused(app: Flask, ids: object) -> None:
    viewer = somebody(app, Division.FLEET)
    menu = viewer.open("/dashboard").all("#screens .group:not(.account) a")
    assert {"Dashboard", "Vehicles", "Checks", "Off the road"} <= set(menu)
    assert "Vehicle Checks" not in menu


def test_a_viewer_is_not_refused_on_the_page_of_their_own_calendar(app: Flask) -> None:
    viewer = somebody(app, Division.FLEET)
    assert viewer.open("/fleet/due").all("#view-only")
    assert not viewer.open("/fleet/due/calendar").all("#view-only")

"""What only managers may change, and what managers who aren't workers may."""

import pytest
from flask import Flask, render_template_string

from app.divisions import Division, Role
from app.web import access
from tests import factories
from tests.person import Person

pytestmark = pytest.mark.own_app

DECIDE, WORK, LOOK = "/decided/7", "/worked", "/looked"
ONLY_MANAGERS = "Only a manager of the fleet can do this. Ask one."
ONLY_WORKERS = (
    "You manage the fleet, but only its workers may do this. Ask an administrator for the "
    "role worker."
)
ONLY_LOOK = (
    "You can look at the fleet, but not change it. Ask an administrator if you need to change it."
)
PAGE = """
{% extends "base.html" %}
{% from "components/actions.html" import action, row_action %}
{% block main %}
  <div class="row">
    {{ action("/worked", "Repair") }} {{ action("/decided/7?from=list", "Sign off") }}
    {{ action("/decided/8", "Close") }}
  </div>
  <table>
    <tr><td>{{ row_action("/worked", "Mend") }} {{ row_action("/decided/9", "Void") }}</td></tr>
  </table>
{% endblock %}
"""


@pytest.fixture
def decided(app: Flask) -> Flask:
    """The product with forms of managers and of workers, and a page that leads to them."""
    for_fleet = access.division(Division.FLEET, Division.GPM)
    methods = ["GET", "POST"]
    app.add_url_rule(
        "/decided/<int:number>",
        "decided",
        for_fleet.by_managers(lambda number: f"Decided {number}"),
        methods=methods,
    )
    app.add_url_rule("/worked", "worked", for_fleet(lambda: "Worked"), methods=methods)
    app.add_url_rule("/looked", "looked", for_fleet(lambda: render_template_string(PAGE)))
    return app


def somebody(app: Flask, *roles: Role, division: Division = Division.FLEET) -> Person:
    with app.app_context():
        factories.user("somebody", division, roles=roles)
    person = Person(app)
    person.sign_in("somebody")
    return person


@pytest.mark.parametrize("division", [Division.FLEET, Division.GPM])
@pytest.mark.parametrize(
    ("roles", "decides", "works"),
    [
        ([Role.VIEWER], ONLY_MANAGERS, ONLY_LOOK),
        ([Role.WORKER], ONLY_MANAGERS, None),
        ([Role.MANAGER], None, ONLY_WORKERS),
        ([Role.WORKER, Role.MANAGER], None, None),
    ],
)
def test_each_role_changes_what_is_its_own_and_sees_why_not_the_rest(
    decided, roles, decides, works, division
):
    person = somebody(decided, *roles, division=division)
    json = {"Accept": "application/json"}
    token = person.client.get("/session", headers=json).json["csrf"]
    for address, refusal in ((DECIDE, decides), (WORK, works)):
        form = person.open(address)
        assert (form.status, form.alerts) == ((403, [refusal]) if refusal else (200, [])), address
        sent = person.client.post(address, headers=json | {"X-CSRFToken": token})
        expected = (403, "role_required") if refusal else (200, None)
        code = sent.json["code"] if refusal else None
        assert (sent.status_code, code) == expected, address
    assert person.open(LOOK).status == 200


def disabled(page) -> dict[str, str]:
    """Return the texts of the disabled actions of a page, and what describes each."""
    return {
        link.get_text(): page.html.find(id=link["aria-describedby"]).get_text()
        for link in page.html.select("[role=link][aria-disabled=true]")
    }


def enabled(page) -> list[str]:
    return page.all("main .row a[href]")


@pytest.mark.parametrize(
    ("roles", "offered", "refused", "offered_in_rows", "notice"),
    [
        ([Role.VIEWER], [], {}, [], [ONLY_LOOK]),
        (
            [Role.WORKER],
            ["Repair"],
            {"Sign off": ONLY_MANAGERS, "Close": ONLY_MANAGERS},
            ["Mend"],
            [],
        ),
        ([Role.MANAGER], ["Sign off", "Close"], {"Repair": ONLY_WORKERS}, ["Void"], [ONLY_WORKERS]),
        ([Role.WORKER, Role.MANAGER], ["Repair", "Sign off", "Close"], {}, ["Mend", "Void"], []),
    ],
)
def test_a_page_offers_what_its_reader_may_do_and_says_why_not_the_rest(
    decided, roles, offered, refused, offered_in_rows, notice
):
    page = somebody(decided, *roles).open(LOOK)
    assert (enabled(page), disabled(page)) == (offered, refused)
    assert page.all("td a") == offered_in_rows
    assert page.all("td .refusal") == []
    assert page.all("#view-only") == notice


@pytest.mark.parametrize("roles", [[Role.WORKER], [Role.MANAGER]])
def test_a_disabled_action_gives_the_reason_for_which_its_form_is_refused(decided, roles):
    person = somebody(decided, *roles)
    reasons = disabled(person.open(LOOK))
    for text, address in (("Repair", WORK), ("Sign off", DECIDE), ("Close", "/decided/8")):
        form = person.open(address)
        assert form.alerts == ([reasons[text]] if text in reasons else []), text

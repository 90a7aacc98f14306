"""The props in pages match their description."""

import json

import jsonschema_rs
import pytest

from app.api.schemas import WIDGET_PROPS
from app.assets.rules import AssetState
from app.divisions import Division
from tests import factories

PAGES = {
    "AssetGroupsProps": (Division.ASSETS, "/assets/groups?open=Attic&q=desk"),
    "BulkUpdateProps": (Division.GFM, "/inventory/main/bulk"),
    "CheckBriefings": (Division.FLEET, "/fleetChecks/briefings"),
    "CheckFormProps": (Division.FLEET, "/fleetChecks"),
    "CheckFormReference": (Division.FLEET, "/fleetChecks/reference"),
    "OutboxProps": (Division.GFM, "/outbox"),
    "StockCountProps": (Division.GFM, "/inventory/main/count"),
    "StockReference": (Division.GFM, "/inventory/main/reference"),
}

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def components(app):
    described = app.test_cli_runner().invoke(args=["openapi", "--widgets"])
    return json.loads(described.output)["components"]


def test_every_widget_has_its_page_here(app):
    assert {props.__name__ for props in WIDGET_PROPS} == PAGES.keys()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_gives_its_widget_all_that_is_described(app, person, components, name):
    division, path = PAGES[name]
    with app.app_context():
        factories.user("worker", division)
        factories.team("Kitchen")
        factories.item("Red heart", 5)
        category = 'Kids\' "furniture" <b> & co'
        factories.assets([AssetState("Desk", location="Attic", category=category)])
    person.sign_in("worker", follow=False)
    person.submit(person.open("/choose"), division=division, follow=False)
    page = person.open(path)
    is_page = page.headers["Content-Type"].startswith("text/html")
    text = page.html.select_one("[data-widget]")["data-props"] if is_page else page.text
    props = json.loads(text)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": f"#/components/schemas/{name}",
        "components": components,
    }
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    assert [error.message for error in validator.iter_errors(props)] == []
    assert props.keys() == components["schemas"][name]["properties"].keys()

"""`flask openapi`: the description from which the widgets' types are made."""

import json

import pytest
from flask import Flask
from marshmallow import fields

from app import create_app
from app.api.openapi import WIDGET_PROPS
from app.api.replies import Reply
from tests.databases import settings_for


class CountedItem(Reply):
    """An item of the widget."""

    name = fields.String()


class CounterProps(Reply):
    """Props of a widget."""

    items = fields.List(fields.Nested(CountedItem))
    label = fields.String(allow_none=True)
    sizes = fields.List(fields.Tuple((fields.String(), fields.Nested(CountedItem))))


@pytest.fixture
def fresh_app(tmp_path) -> Flask:
    return create_app(settings_for(f"sqlite:///{tmp_path}/none.db", tmp_path))


def test_the_description_is_written_without_a_database_and_is_the_one_that_is_served(
    fresh_app, tmp_path
):
    result = fresh_app.test_cli_runner().invoke(args=["openapi"])
    assert result.exit_code == 0
    assert json.loads(result.output) == fresh_app.test_client().get("/api/openapi.json").json
    assert not (tmp_path / "none.db").exists()


def test_the_props_of_widgets_are_added_and_not_served(fresh_app, monkeypatch):
    monkeypatch.setattr("app.api.openapi.WIDGET_PROPS", [*WIDGET_PROPS, CounterProps])
    result = fresh_app.test_cli_runner().invoke(args=["openapi", "--widgets"])
    assert result.exit_code == 0
    schemas = json.loads(result.output)["components"]["schemas"]
    assert schemas["CounterProps"]["required"] == ["items", "label", "sizes"]
    items = schemas["CounterProps"]["properties"]["items"]["items"]
    assert items == {"$ref": "#/components/schemas/CountedItem"}
    size = schemas["CounterProps"]["properties"]["sizes"]["items"]
    assert size == {
        "type": "array",
        "prefixItems": [{"type": "string"}, items],
        "minItems": 2,
        "maxItems": 2,
    }
    served = fresh_app.test_client().get("/api/openapi.json").json["components"]["schemas"]
    assert "CounterProps" not in served
    assert served.keys() <= schemas.keys()

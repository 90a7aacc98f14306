"""The JSON calls of teams, suppliers, services and keys."""

from datetime import timedelta

import pytest

from app import dates
from tests import factories

PREFIXES = ["/api/gpm", "/api"]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_teams_and_suppliers_are_added_and_listed_by_name(call, prefix):
    for path in ("teams", "suppliers"):
        added = call("POST", f"{prefix}/{path}", {"name": " Kitchen "})
        assert (added.status_code, added.json["name"]) == (201, "Kitchen")
        call("POST", f"{prefix}/{path}", {"name": "attic"})
        listed = call("GET", f"{prefix}/{path}").json
        assert [row["name"] for row in listed] == ["attic", "Kitchen"]
        assert listed[1] == added.json


@pytest.mark.parametrize("prefix", PREFIXES)
def test_services_have_descriptions_and_an_alias_for_their_name(call, prefix):
    call("POST", f"{prefix}/services", {"service": "Windows", "description": "Twice a year"})
    call("POST", f"{prefix}/services", {"name": "Portering"})
    listed = call("GET", f"{prefix}/services").json
    found = [(row["name"], row["description"]) for row in listed]
    assert found == [("Portering", ""), ("Windows", "Twice a year")]


@pytest.mark.parametrize("path", ["teams", "services"])
def test_a_rename_returns_the_renamed_entry(call, path):
    added = call("POST", f"/api/gpm/{path}", {"name": "Kitchen"}).json
    call("POST", f"/api/gpm/{path}", {"name": "Garden"})
    change = {"oldName": "KITCHEN", "newName": "Canteen"}
    reply = call("PUT", f"/api/gpm/{path}/rename", change)
    assert (reply.status_code, reply.json) == (200, added | {"name": "Canteen"})
    missing = call("PUT", f"/api/gpm/{path}/rename", change)
    message = f'There is no {path.removesuffix("s")} "KITCHEN".'
    error = {"error": message, "code": "not_found", "fields": {"oldName": message}}
    assert (missing.status_code, missing.json) == (404, error)
    taken = call("PUT", f"/api/{path}/rename", {"oldName": "Canteen", "newName": "garden"})
    assert (taken.status_code, taken.json["code"]) == (409, "name_taken")
    assert taken.json["fields"] == {"newName": 'Name already exists: "Garden"'}


BAD_BODIES = [
    ("POST", "teams", {"name": " "}, 422, "Name is required"),
    ("POST", "teams", {}, 422, "name: Missing data for required field."),
    ("POST", "teams", {"name": 1}, 422, "name: Not a valid string."),
    ("POST", "teams", {"name": "Kitchen", "id": 1}, 422, "id: Unknown field."),
    ("POST", "teams", [], 400, "The body must be a JSON object."),
    ("POST", "services", {"service": ""}, 422, "Service is required"),
    ("PUT", "teams/rename", {"oldName": "A", "newName": " "}, 422, "New name is required"),
    ("POST", "keys", [{"holder": "A"}], 422, "A key needs a code or a name"),
    ("POST", "keys", {}, 400, "The body must be a JSON array."),
    ("POST", "keys", [{"code": "A"}, {"name": "a "}], 422, '"a" is in the list twice'),
    ("POST", "keys/history", {"key": "K9", "holder": ""}, 422, 'There is no key "K9".'),
    ("POST", "keys/history", {"key": "K1"}, 422, "0.holder: Missing data for required field."),
    ("POST", "keys/history", {"key": "K1", "holder": "A", "by": "me"}, 422, "0.by: Unknown field."),
    (
        "POST",
        "keys/history",
        {"key": "K1", "holder": "A", "date": f"{dates.today() + timedelta(days=2)}"},
        422,
        "Date can't be in the future.",
    ),
    ("POST", "keys/history", "K1", 400, "The body must be a JSON array."),
]


def test_a_bad_body_is_refused_and_changes_nothing(call):
    for method, path, body, status, message in BAD_BODIES:
        reply = call(method, f"/api/gpm/{path}", body)
        assert (reply.status_code, reply.json["error"]) == (status, message), method
        for listed in ("teams", "services", "keys", "keys/history"):
            assert call("GET", f"/api/gpm/{listed}").json == [], method


def test_a_list_of_keys_replaces_the_old_one_and_records_handovers(call):
    first = [{"code": "K1", "name": "Boiler", "holder": "Kitchen"}, {"name": "Gate"}]
    assert call("POST", "/api/gpm/keys", first).json["added"] == 2
    read = call("GET", "/api/gpm/keys")
    assert [{k: v for k, v in key.items() if k != "id"} for key in read.json] == [
        {"code": "", "name": "Gate", "holder": "", "notes": ""},
        {"code": "K1", "name": "Boiler", "holder": "Kitchen", "notes": ""},
    ]
    tag = read.headers["ETag"]
    same = call("POST", "/api/gpm/keys", read.json, If_Match=tag)
    assert same.json == {"added": 0, "changed": 0, "unchanged": 2, "removed": 0}
    new = [{"code": "k1", "name": "Boiler", "holder": "Garden"}]
    changed = call("POST", "/api/keys", new, If_Match=tag)
    assert changed.json == {"added": 0, "changed": 1, "unchanged": 0, "removed": 1}
    assert [key["code"] for key in call("GET", "/api/keys").json] == ["k1"]
    newest, oldest = call("GET", "/api/gpm/keys/history").json
    handover = (newest["key"], newest["holder"], newest["previousHolder"], newest["by"])
    assert handover == ("k1", "Garden", "Kitchen", "trader")
    assert (oldest["key"], oldest["holder"], oldest["previousHolder"]) == ("K1", "Kitchen", "")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_history_accepts_an_entry_or_a_list_and_keeps_the_holder(call, in_app, prefix):
    in_app(factories.key, "K1")
    entry = {"key": "k1", "holder": "Kitchen", "previousHolder": "Attic", "date": "2026-01-15"}
    one = call("POST", f"{prefix}/keys/history", entry)
    assert (one.status_code, one.json) == (201, {"added": 1})
    later = [{"key": "K1", "holder": "", "date": "2026-01-16T09:00:00Z"}, {**entry, "holder": "B"}]
    assert call("POST", f"{prefix}/keys/history", later).json == {"added": 2}
    rows = call("GET", f"{prefix}/keys/history").json
    assert [(r["date"], r["holder"], r["previousHolder"], r["by"]) for r in rows] == [
        ("2026-01-16T09:00:00Z", "", "Kitchen", "trader"),
        ("2026-01-15T12:00:00Z", "B", "Attic", "trader"),
        ("2026-01-15T12:00:00Z", "Kitchen", "Attic", "trader"),
    ]
    assert call("GET", f"{prefix}/keys").json[0]["holder"] == ""


def test_an_entry_and_a_list_are_both_documented(call):
    document = call("GET", "/api/openapi.json").json
    body = document["paths"]["/api/gpm/keys/history"]["post"]["requestBody"]
    one, many = body["content"]["application/json"]["schema"]["anyOf"]
    assert one == many["items"]
    described = document["components"]["schemas"][one["$ref"].rpartition("/")[2]]
    assert set(described["properties"]) == {"key", "holder", "previousHolder", "date"}
    assert {f"{prefix}/keys" for prefix in PREFIXES} <= set(document["paths"])


def test_a_change_without_an_etag_is_refused_with_if_match(call):
    reply = call("POST", "/api/gpm/teams", {"name": "Kitchen"}, If_Match='"teams-1"')
    message = "What this changes has no ETag. Send it without If-Match."
    assert reply.status_code == 412
    assert reply.json == {"error": message, "code": "precondition_failed"}
    assert call("GET", "/api/gpm/teams").json == []

"""The API description is complete and correct."""

import re

import jsonschema_rs
import pytest

METHODS = ("get", "post", "put", "patch", "delete")
OF_THE_DESCRIPTION = ("/api/openapi.json", "/api/docs")


@pytest.fixture(scope="module")
def described(shared_app):
    return shared_app.test_client().get("/api/openapi.json").json


@pytest.fixture(scope="module")
def operations(described):
    return [
        (f"{method.upper()} {path}", path, method, item[method])
        for path, item in described["paths"].items()
        for method in METHODS
        if method in item
    ]


@pytest.fixture(scope="module")
def broken(described):
    """Return how a value violates a schema of the description."""

    def broken(schema, value):
        whole = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **schema,
            "components": described["components"],
        }
        validator = jsonschema_rs.validator_for(whole, validate_formats=True)
        return [error.message for error in validator.iter_errors(value)]

    return broken


def contents(operation):
    """List the JSON of an operation, of its body and replies, each with its name."""
    parts = [("body", operation.get("requestBody", {}).get("content", {}))]
    parts += [
        (status, reply["content"])
        for status, reply in operation["responses"].items()
        if "content" in reply
    ]
    return [(name, c["application/json"]) for name, c in parts if "application/json" in c]


def test_a_call_says_who_may_make_it(described):
    descriptions = {
        (method, path): described["paths"][path][method]["description"]
        for method, path in (
            ("get", "/api/fleet/due"),
            ("post", "/api/fleet/due"),
            ("patch", "/api/fleet/due/{item_id}"),
        )
    }
    assert list(descriptions.values()) == [
        "For people of Fleet or GPM.",
        "For workers of Fleet or GPM.",
        "For managers of Fleet or GPM.",
    ]


def test_every_call_under_api_is_described(shared_app, described):
    gap = re.compile(r"<(?:[^:>]*:)?(.+?)>")
    served = {
        (gap.sub(r"{\1}", rule.rule), method.lower())
        for rule in shared_app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/api/") and rule.rule not in OF_THE_DESCRIPTION
    }
    paths = described["paths"].items()
    assert {
        (path, method) for path, item in paths for method in METHODS if method in item
    } == served


def test_every_call_has_a_name_of_its_own_a_summary_and_who_may_use_it(operations):
    names = [operation["operationId"] for *_, operation in operations]
    assert len(set(names)) == len(names)
    for call, *_, operation in operations:
        assert operation["summary"].endswith("."), call
        assert operation["tags"], call
        assert operation["security"] or "/auth/" in call, call


def test_a_change_by_cookie_requires_our_token_and_one_by_bearer_does_not(operations):
    for call, path, method, operation in operations:
        if path in ("/api/auth/login", "/api/auth/refresh"):
            assert operation["security"] == [], call
            continue
        changes = {} if method == "get" else {"csrf": []}
        assert operation["security"] == [{"token": []}, {"session": [], **changes}], call


def test_every_body_and_reply_has_an_example_that_fits_it(operations, broken):
    for call, _, _, operation in operations:
        for name, json in contents(operation):
            assert json["example"] is not None, (call, name)
            assert broken(json["schema"], json["example"]) == [], (call, name)


def test_every_example_of_a_field_fits_it(described, broken):
    for name, schema in described["components"]["schemas"].items():
        for field, described_field in schema.get("properties", {}).items():
            if "example" in described_field:
                assert broken(described_field, described_field["example"]) == [], (name, field)


def test_numbers_of_defects_and_repairs_are_described_by_their_pattern(described, broken):
    numbered = {path: item for path, item in described["paths"].items() if "{number}" in path}
    assert numbered
    for path, item in numbered.items():
        [number] = [each for each in item["parameters"] if each["name"] == "number"]
        assert broken(number["schema"], number["example"]) == [], path
        for other in ("142", "R-0088" if "defects" in path else "D-0142", "X-0001"):
            assert broken(number["schema"], other), path


def test_every_call_documents_its_errors(operations):
    for call, path, method, operation in operations:
        failures = {status for status in operation["responses"] if status >= "400"}
        expected = {"400", "503"}
        if operation["security"]:
            expected.add("401")
        if "requestBody" in operation:
            expected |= {"413", "415", "422"}
        if "{" in path:
            expected.add("404")
        headers = {p["name"] for p in operation["parameters"] if p["in"] == "header"}
        if "If-Match" in headers:
            expected |= {"409", "412", "428"}
        assert expected <= failures, call
        if method != "get" and "auth" not in path and "count-sheet" not in path:
            assert "Idempotency-Key" in headers or "{sha256}" in path, call


def test_temporary_errors_document_retry_after(described):
    responses = described["components"]["responses"]
    waiting = {
        name for name, reply in responses.items() if "Retry-After" in reply.get("headers", {})
    }
    assert waiting == {"Throttled", "Unavailable"}


ERROR_REPLIES = (
    *("ErrorReply", "NewTeamReply", "NotEnoughReply"),
    *("PatchConflictReply", "NotRoadworthyReply", "BookedReply"),
)
"""What an error has beside its text depends on its code."""


OPTIONAL = {"FieldReply": {"fails", "severity", "asks"}}
"""What a check form's field has only if its form was sent with it."""


def test_every_field_of_a_reply_is_required(described):
    for name, schema in described["components"]["schemas"].items():
        if name.endswith("Reply") and name not in ERROR_REPLIES:
            always = set(schema["properties"]) - OPTIONAL.get(name, set())
            assert set(schema.get("required", [])) == always, name

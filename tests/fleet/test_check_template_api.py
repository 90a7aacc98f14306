"""The calls for check templates."""

import pytest

from app.divisions import Division
from app.fleet.rules.templates import BUILT_IN
from tests.person import Caller

PATH = "/api/gpm/check-templates"
OWN = [
    {"name": "Plate", "type": "plate", "required": True},
    {"name": "Fuel", "label": "Fuel level", "type": "choice", "choices": ["Full", "Empty"]},
]


def form(*fields, **values):
    return {"key": "own", "label": "Own", "fields": list(fields)} | values


@pytest.fixture
def call(signed_in):
    return Caller(signed_in("trader", Division.GPM))


@pytest.fixture
def tag(call):
    return call("GET", PATH).headers["ETag"]


def test_the_built_in_forms_are_listed_in_order_and_can_be_sent_back(call, tag):
    listed = call("GET", PATH).json
    assert [(form["key"], form["label"]) for form in listed] == [
        (form.key, form.label) for form in BUILT_IN
    ]
    plate = {"name": "LicensePlate", "label": "Number plate", "type": "plate"}
    assert listed[0]["fields"][3] == plate | {"required": True, "choices": []}
    cleanliness = {"name": "Cleanliness", "label": "Cleanliness", "type": "choice"}
    cleanliness |= {"required": False, "choices": ["Clean", "Acceptable", "Dirty"]}
    assert listed[0]["fields"][5] == cleanliness | {"fails": ["Dirty"], "severity": "advisory"}
    assert call("GET", "/api/check-templates").json == listed
    reply = call("POST", PATH, listed, If_Match=tag)
    assert (reply.status_code, reply.json) == (200, listed)


def test_a_list_of_forms_replaces_the_current_one_and_an_empty_list_restores_it(call, tag):
    built_in = call("GET", PATH).json
    reply = call("POST", PATH, [form(*OWN)], If_Match=tag)
    assert reply.status_code == 200
    assert reply.json == call("GET", PATH).json
    assert reply.json[0]["fields"] == [
        {"name": "Plate", "label": "Plate", "type": "plate", "required": True, "choices": []},
        OWN[1] | {"required": False},
    ]
    newer = reply.headers["ETag"]
    assert newer == call("GET", PATH).headers["ETag"] != tag
    assert call("POST", PATH, [], If_Match=newer).json == built_in
    assert call("GET", PATH).json == built_in


def test_what_fails_comes_back_as_it_was_sent_and_nothing_is_added_to_other_fields(call, tag):
    judged = {"name": "Brakes", "label": "Brakes", "type": "choice", "required": True}
    judged |= {"choices": ["Good", "Fail"], "fails": ["Fail"], "severity": "stop", "asks": "photo"}
    sent = [form(judged, judged | {"name": "Tyres", "severity": "repair"})]
    plain = {"name": "Ramp", "label": "Ramp", "type": "text", "required": False, "choices": []}
    sent[0]["fields"].append(plain)
    reply = call("POST", PATH, sent, If_Match=tag)
    assert (reply.status_code, reply.json) == (200, sent)
    again = call("POST", PATH, call("GET", PATH).json, If_Match=reply.headers["ETag"])
    assert (again.status_code, again.json) == (200, sent)
    assert again.headers["ETag"] == reply.headers["ETag"]


NAME = {"name": "Name"}


INVALID_FORMS = [
    ([form(NAME, key="")], "0.key", "A form's key is required"),
    ([form(NAME, label=" ")], "0.label", "A form's label is required"),
    ([form({"name": ""})], "0.fields.0.name", "A field's name is required"),
    ([form(NAME | {"type": "photo"})], "0.fields.0.type", "Must be one of: text, date"),
    ([form(NAME | {"required": 1})], "0.fields.0.required", "Must be true or false."),
    ([form(NAME | {"colour": 1})], "0.fields.0.colour", "Unknown field."),
    ([form(NAME), form(NAME, key="OWN")], "1.key", 'Form "OWN" occurs twice in the list.'),
    ([form(NAME | {"severity": "bad"})], "0.fields.0.severity", "Must be one of: advisory"),
    ([form(NAME | {"asks": "video"})], "0.fields.0.asks", "Must be one of: photo"),
    ([form(NAME | {"fails": ["x"] * 21})], "0.fields.0.fails", "at most 20 failing answers"),
    ([form(NAME | {"fails": ["x"]})], "0.fields.0.severity", "can fail. Give it a severity."),
    ([form(*[{"name": str(n)} for n in range(61)])], "0.fields", "at most 60 fields"),
    ([form(NAME, key=str(n)) for n in range(51)], "body", "There are at most 50 forms."),
]


def test_an_invalid_form_is_refused_with_the_path_of_its_field(call, tag):
    for sent, field, message in INVALID_FORMS:
        reply = call("POST", PATH, sent, If_Match=tag)
        assert reply.status_code == 422, sent
        assert list(reply.json["fields"]) == [field], sent
        assert message in reply.json["fields"][field], sent
        assert message in reply.json["error"], sent
        assert len(call("GET", PATH).json) == len(BUILT_IN), sent

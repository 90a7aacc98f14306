"""Rules between fields judge a body exactly as their JSON Schema does."""

from itertools import product

import jsonschema_rs
import pytest
from marshmallow import ValidationError

from app.api.schemas import AtLeastOne, ExactlyOne, NotEmpty, RequiredByKind, combine

AT_LEAST_ONE = AtLeastOne(("a", "b"), "a or b")
EXACTLY_ONE = ExactlyOne(("a", "b"), "either a or b")
NOT_EMPTY = NotEmpty("something")
BY_KIND = RequiredByKind(
    "kind", {"x": ("a",), "y": ("a",), "z": ("a", "b")}, "{kind} needs {field}"
)

BODIES = [
    {name: value for name, value in zip("ab", values, strict=True) if value is not None}
    for values in product((None, "text"), repeat=2)
]


def is_accepted(rules, body) -> bool:
    try:
        for rule in rules:
            rule.check(body)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize("body", BODIES, ids=str)
@pytest.mark.parametrize(
    "rules",
    [[AT_LEAST_ONE], [EXACTLY_ONE], [NOT_EMPTY], [NOT_EMPTY, AT_LEAST_ONE], [AT_LEAST_ONE] * 2],
    ids=repr,
)
def test_a_rule_accepts_what_its_schema_accepts(rules, body):
    schema = jsonschema_rs.validator_for(combine(rules))
    assert is_accepted(rules, body) == schema.is_valid(body)


@pytest.mark.parametrize("kind", "xyz")
@pytest.mark.parametrize("body", BODIES, ids=str)
def test_the_fields_that_a_kind_needs_are_those_of_its_schema(kind, body):
    schema = jsonschema_rs.validator_for(combine([BY_KIND]))
    assert is_accepted([BY_KIND], body | {"kind": kind}) == schema.is_valid(body | {"kind": kind})


def test_an_empty_text_counts_as_missing():
    body = {"kind": "x", "a": "", "b": ""}
    assert not is_accepted([AT_LEAST_ONE], body)
    assert not is_accepted([EXACTLY_ONE], body)
    with pytest.raises(ValidationError, match="x needs a") as refused:
        BY_KIND.check(body)
    assert refused.value.field_name == "a"

"""Examples in the description: of errors, and of bodies and replies from their fields' examples."""

from collections.abc import Mapping
from typing import Any

from app import errors
from app.errors import QuartermasterError

ERRORS: Mapping[type[QuartermasterError], Mapping[str, Any]] = {
    errors.Malformed: {"error": "The body is not JSON."},
    errors.SignInRequired: {"error": "Please sign in."},
    errors.Forbidden: {"error": "This call belongs to GFM, and your account has no access to it."},
    errors.NotFound: {"error": 'GFM has no site "mian".'},
    errors.Conflict: {
        "error": 'Not enough stock: "HAND WARMER UNION JACK" has 2',
        "fields": {"ops.0": 'Not enough stock: "HAND WARMER UNION JACK" has 2'},
    },
    errors.PreconditionFailed: {"error": "The list has changed meanwhile. Read it again."},
    errors.TooLarge: {"error": "That is too large. Send less at once."},
    errors.Unsupported: {"error": "Send the body as application/json."},
    errors.Invalid: {
        "error": "amount: Must be a whole number.",
        "fields": {"amount": "Must be a whole number."},
    },
    errors.PreconditionRequired: {
        "error": "If-Match must be the ETag of the list that this replaces."
    },
    errors.Throttled: {"error": "Too many failed attempts. Try again in 15 minutes."},
    errors.Unavailable: {"error": "The database is busy. Try again in a moment."},
}
"""An example of each error, without its code."""


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """Return an example of a JSON Schema, made of the examples of its fields."""
    if "example" in schema:
        return schema["example"]
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    for combination in ("anyOf", "oneOf", "allOf"):
        if combination in schema and "properties" not in schema:
            return example_of(schema[combination][0], schemas)
    if "items" in schema:
        return [example_of(schema["items"], schemas)]
    if "properties" in schema:
        properties = schema["properties"].items()
        return {name: example_of(inner, schemas) for name, inner in properties}
    return schema["enum"][0] if "enum" in schema else schema.get("default")

"""Examples for the documentation: what the fields of JSON hold, and how errors read."""

from collections.abc import Mapping
from typing import Any

from app import errors
from app.errors import QuartermasterError

FIELDS: Mapping[str, Any] = {
    "_formType": "mixed",
    "_id": 12,
    "accessToken": "WyJ2Qm…",
    "action": "withdrawal",
    "added": 1,
    "after": 76,
    "amount": 79,
    "assets": 31,
    "autoCreate": True,
    "at": "2026-01-15T12:50:00Z",
    "before": 79,
    "by": "keeper",
    "category": "Seasonal",
    "changed": 2,
    "choices": ["Clean", "Acceptable", "Dirty"],
    "classification": "Van",
    "code": "K12",
    "confirmation": "DN-20417",
    "costGBP": 12.5,
    "counted": 77,
    "currentLocation": "Depot",
    "cursor": "",
    "date": "2026-01-15",
    "delta": 3,
    "deliveredDate": "2026-01-15T12:50:00Z",
    "description": "Inside and outside",
    "destination": "guildford",
    "event": "Withdrawal",
    "expected": 79,
    "flags": ["cost"],
    "height": 1200,
    "history": [],
    "holder": "Kitchen",
    "id": 12,
    "item": "HAND WARMER UNION JACK",
    "items": {"Damage": "None"},
    "key": "K12",
    "label": "Mixed Department Check",
    "lastEventAt": "2026-01-15T12:50:00Z",
    "location": "Depot",
    "make": "Ford",
    "model": "Transit",
    "most": 1799.0,
    "name": "HAND WARMER UNION JACK",
    "newName": "Kitchen and bar",
    "newPassword": "a long and new password",
    "notes": "Seen by day",
    "odometer": 48210,
    "office": "main",
    "ok": True,
    "oldName": "Kitchen",
    "oldPassword": "correct horse battery",
    "operation": 1042,
    "orderedBy": "j.marsh",
    "orderedDate": "2026-01-12",
    "password": "correct horse battery",
    "previousHolder": "",
    "qty": 3,
    "quantity": 64,
    "reason": "Damaged in store",
    "recipient": "A. Brown",
    "refreshToken": "WyJ2Qm…",
    "reg": "LK19 VTE",
    "required": True,
    "remark": "Booked for repair",
    "removed": 0,
    "service": "Window cleaning",
    "site": "main",
    "size": 183204,
    "source": "main",
    "status": "Available",
    "submittedBy": "driver",
    "supplier": "Office & Co",
    "team": "Kitchen",
    "thumbnail": "/api/checks/12/photos/0/thumbnail",
    "time": "2026-01-15T12:50:00+00:00",
    "total": 9,
    "totalPrice": 6.3,
    "ts": "2026-01-15",
    "type": "inc",
    "unchanged": 76,
    "unit": "pcs",
    "unitCost": 2.1,
    "unitPrice": 2.1,
    "url": "/api/checks/12/photos/0",
    "username": "keeper",
    "value": 4180.5,
    "warnings": ["Lower than the last reading, 48,210."],
    "width": 1600,
}
"""What a field of this name holds, where its schema doesn't show something better."""

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
    errors.TooLarge: {"error": "That is too large to be sent."},
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
"""How each error reads."""

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": (),
    "number": (int, float),
    "object": dict,
    "string": str,
}


def has_example(name: str, field: Mapping[str, Any]) -> bool:
    """Tell whether there is an example for a field of this name and JSON Schema."""
    example = FIELDS.get(name)
    if "enum" in field:
        return example in field["enum"]
    declared = field.get("type", [])
    types = [declared] if isinstance(declared, str) else declared
    return any(isinstance(example, _TYPES[type_name]) for type_name in types)


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

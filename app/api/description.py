"""Names that features import until they use the decorators that replace them."""

from typing import Any

from marshmallow import Schema

from app.api.blueprint import NOT_MODIFIED as NOT_CHANGED
from app.api.blueprint import IfMatch, raises
from app.api.openapi import _IDEMPOTENCY_KEY, _IF_MATCH, _IF_MATCH_DESCRIPTIONS, ErrorReply

__all__ = ["NOT_CHANGED", "ErrorReply", "raises"]

KEYED = {"parameters": [_IDEMPOTENCY_KEY]}
BASED = {
    "parameters": [
        _IDEMPOTENCY_KEY,
        {**_IF_MATCH, "description": _IF_MATCH_DESCRIPTIONS[IfMatch.OPTIONAL]},
    ]
}
MATCHED = {
    "parameters": [
        _IDEMPOTENCY_KEY,
        {**_IF_MATCH, "description": _IF_MATCH_DESCRIPTIONS[IfMatch.REQUIRED]},
    ]
}
WHOLE_TAG = {
    "schema": {"type": "string"},
    "description": "Version of the list; sent with whole lists only",
}


def one_or_more(body: type[Schema]) -> dict[str, Any]:
    """Return how a call is documented that takes an entry or a list of them, under a key."""
    schema = {"anyOf": [body, {"type": "array", "items": body}]}
    return KEYED | {"requestBody": {"content": {"application/json": {"schema": schema}}}}

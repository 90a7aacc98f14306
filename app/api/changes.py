"""Changes by JSON calls: one transaction each, made once per Idempotency-Key."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from flask import current_app, request

from app import idempotency
from app.api.blueprint import IfMatch
from app.db import transaction
from app.errors import Invalid, PreconditionFailed
from app.idempotency import MAX_KEY_LENGTH, KeyReused, Result, Submission, exactly_once
from app.web.access import current_user

_VISIBLE = re.compile(r"[!-~]+")
_KEY_REUSED = (
    "Something else was sent under this Idempotency-Key. Check before sending under a new one."
)


@dataclass(frozen=True)
class StoredReply:
    """The result of a call whose reply is a row: the row as JSON, as the change left it."""

    values: dict[str, Any]


def find_result(result_type: type[Result], *, list_name: str) -> Result | None:
    """Return the stored result of a call that was handled before under its Idempotency-Key.

    Returns None for a call without a key or with a new one. Use it where a call is judged before
    `run_once`: an accepted change that is sent again must not be judged again.
    """
    submission = _submission(list_name)
    if submission is None:
        return None
    try:
        return idempotency.find_result(submission, result_type)
    except KeyReused:
        raise KeyReused(_KEY_REUSED) from None


def run_once(result_type: type[Result], action: Callable[[], Result], *, list_name: str) -> Result:
    """Make a change in one transaction; under an Idempotency-Key only the first time it is sent.

    `list_name` names the list that changes: a path without prefix may mean either division's.
    Raises PreconditionFailed for an If-Match unless the view declares that it takes one.
    """
    view = current_app.view_functions[request.endpoint or ""]
    takes_if_match = getattr(view, "if_match", IfMatch.REFUSED) is not IfMatch.REFUSED
    if "If-Match" in request.headers and not takes_if_match:
        raise PreconditionFailed("What this changes has no ETag. Send it without If-Match.")
    submission = _submission(list_name)
    with transaction():
        if submission is None:
            return action()
        try:
            return exactly_once(submission, result_type, action)
        except KeyReused:
            raise KeyReused(_KEY_REUSED) from None


def _submission(list_name: str) -> Submission | None:
    """Return this call under its Idempotency-Key, None without one; raises Invalid."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not (_VISIBLE.fullmatch(key) and len(key) <= MAX_KEY_LENGTH):
        raise Invalid(f"Idempotency-Key must be 1 to {MAX_KEY_LENGTH} letters, digits and signs.")
    body = (("body", sha256(request.get_data()).hexdigest()), ("query", request.full_path))
    # A path may be longer than the column of the key's row.
    path = sha256(request.path.encode()).hexdigest()
    return Submission(current_user().user_id, f"{request.method} {path} of {list_name}", key, body)

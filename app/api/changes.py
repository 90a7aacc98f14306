"""Changes by JSON calls: one transaction each, made once per Idempotency-Key."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from flask import current_app, request

from app.api.blueprint import IfMatch
from app.db import transaction
from app.errors import Invalid, PreconditionFailed
from app.idempotency import MAX_KEY_LENGTH, KeyReused, Result, Stamp, Submission
from app.web.access import current_user
from app.web.submissions import apply_once, make, stamp_of

_VISIBLE = re.compile(r"[!-~]+")
_KEY_REUSED = (
    "Something else was sent under this Idempotency-Key. Check before sending under a new one."
)


@dataclass(frozen=True)
class StoredReply:
    """The result of a call whose reply is a row: the row as JSON, as the change left it."""

    values: dict[str, Any]


def run_once(
    result_type: type[Result],
    action: Callable[[], Result],
    *,
    list_name: str,
    prepare: Callable[[], None] | None = None,
    rebuild: Callable[[int], Result | None] | None = None,
) -> Result:
    """Make a change in one transaction; under an Idempotency-Key only the first time it is sent.

    `list_name` names the list that changes: a path without prefix may mean either division's.
    `prepare` and `rebuild` are those of `apply_once`. Raises PreconditionFailed for an If-Match
    unless the view declares that it takes one.
    """
    view = current_app.view_functions[request.endpoint or ""]
    takes_if_match = getattr(view, "if_match", IfMatch.REFUSED) is not IfMatch.REFUSED
    if "If-Match" in request.headers and not takes_if_match:
        raise PreconditionFailed("What this changes has no ETag. Send it without If-Match.")
    submission = _submission(list_name)
    if submission is None:
        if prepare:
            prepare()
        with transaction():
            return make(action)
    try:
        return apply_once(submission, result_type, action, prepare=prepare, rebuild=rebuild)
    except KeyReused:
        raise KeyReused(_KEY_REUSED) from None


def request_stamp(list_name: str) -> Stamp:
    """Return what the record of a call of `run_once` with this list keeps of it."""
    return stamp_of(_submission(list_name))


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

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
from app.web.access import current_user
from app.web.idempotency import MAX_KEY_LENGTH, KeyReused, Result, Submission, exactly_once

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
    of: str,
    reads_match: bool = False,
) -> Result:
    """Make a change in one transaction; under an Idempotency-Key only the first time it is sent.

    `of` names what changes, since a path without prefix may mean either division. Raises
    PreconditionFailed for an If-Match unless the view declares that it takes one.
    """
    view = current_app.view_functions[request.endpoint or ""]
    reads_match = reads_match or getattr(view, "if_match", IfMatch.REFUSED) is not IfMatch.REFUSED
    if "If-Match" in request.headers and not reads_match:
        raise PreconditionFailed("What this changes has no ETag. Send it without If-Match.")
    key = request.headers.get("Idempotency-Key")
    with transaction():
        if key is None:
            return action()
        if not (_VISIBLE.fullmatch(key) and len(key) <= MAX_KEY_LENGTH):
            raise Invalid(
                f"Idempotency-Key must be 1 to {MAX_KEY_LENGTH} letters, digits and signs."
            )
        body = (("body", sha256(request.get_data()).hexdigest()), ("query", request.full_path))
        # A path may be longer than the column of the key's row.
        path = sha256(request.path.encode()).hexdigest()
        submission = Submission(
            current_user().user_id, f"{request.method} {path} of {of}", key, body
        )
        try:
            return exactly_once(submission, result_type, action)
        except KeyReused:
            raise KeyReused(_KEY_REUSED) from None

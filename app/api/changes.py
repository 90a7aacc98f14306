"""Changes by JSON calls: one transaction each, made once per Idempotency-Key."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, TypeVar, cast

from flask import request

from app.api.blueprint import IfMatch
from app.db import transaction
from app.errors import Invalid, PreconditionFailed
from app.idempotency import MAX_KEY_LENGTH, KeyReused, Result, Stamp, Submission
from app.web.access import current_user
from app.web.policies import View, declared
from app.web.submissions import apply_once, find_applied, make, stamp_of

Made = TypeVar("Made")

_VISIBLE = re.compile(r"[!-~]+")
_KEY_REUSED = (
    "Something else was sent under this Idempotency-Key. Check before sending under a new one."
)


@dataclass(frozen=True)
class StoredReply:
    """The result of a call that replies with a row: the row as JSON, as the change left it."""

    values: dict[str, Any]


def run_once(
    result_type: type[Result],
    action: Callable[[], Result],
    *,
    list_name: str,
    prepare: Callable[[], object] | None = None,
    rebuild: Callable[[int], Result | None] | None = None,
) -> Result:
    """Make a change in one transaction; under an Idempotency-Key only the first time it is sent.

    `list_name` names the changed list: a path without prefix may mean either division's. `prepare`
    and `rebuild` are as in `apply_once`. Raises PreconditionFailed for an If-Match unless the view
    declares that it takes one.
    """
    refuses_if_match = declared("if_match", IfMatch.REFUSED) is IfMatch.REFUSED
    if "If-Match" in request.headers and refuses_if_match:
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


def answers_made(find: Callable[..., Made | None]) -> Callable[[View], View]:
    """Declare the reply to a repeated call whose body is refused today.

    `find` takes the arguments of the path and returns the view's result, None if nothing was made:
    see `find_once`. Write it above `arguments`. Browsers keep bodies for months, and would take the
    refusal as a proof that nothing was made.
    """

    def declare(view: View) -> View:
        @wraps(view)
        def answer(**arguments: Any) -> Any:
            try:
                return view(**arguments)
            except Invalid:
                made = find(**arguments)
                if made is None:
                    raise
                return made

        return cast(View, answer)

    return declare


def find_once(
    result_type: type[Result],
    *,
    list_name: str,
    rebuild: Callable[[int], Result | None] | None = None,
) -> Result | None:
    """Return the earlier result of this call under its Idempotency-Key, or None; see `run_once`."""
    submission = _submission(list_name)
    if submission is None:
        return None
    try:
        return find_applied(submission, result_type, rebuild)
    except KeyReused:
        raise KeyReused(_KEY_REUSED) from None


def request_stamp(list_name: str) -> Stamp:
    """Return the stamp for the record of a call of `run_once` with this list."""
    return stamp_of(_submission(list_name))


def _submission(list_name: str) -> Submission | None:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not (_VISIBLE.fullmatch(key) and len(key) <= MAX_KEY_LENGTH):
        raise Invalid(f"Idempotency-Key must be 1 to {MAX_KEY_LENGTH} letters, digits and signs.")
    body = (("body", sha256(request.get_data()).hexdigest()), ("query", request.full_path))
    # A path may be longer than the column of the key's row.
    path = sha256(request.path.encode()).hexdigest()
    return Submission(current_user().user_id, f"{request.method} {path} of {list_name}", key, body)

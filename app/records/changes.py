"""The JSON calls that change records: each view is what one of them does, made once."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

from marshmallow import Schema

from app.api.blueprint import Blueprint, IfMatch, change, raises
from app.api.changes import StoredReply, request_stamp, run_once
from app.api.fields import rename_fields
from app.api.lists import check_record, record_tag
from app.api.schemas import Reply
from app.attachments.services import PreparedFile, prepare_files
from app.errors import EditConflict, PreconditionFailed, QuartermasterError
from app.sent_files import SentFile
from app.web.access import current_user
from app.web.policies import Policy

View = TypeVar("View", bound=Callable[..., Any])

FILES = "attachments"
"""The member of bodies and replies that has files; errors name it `files`."""

RECORD_ETAG = {
    "ETag": {"schema": {"type": "string"}, "description": "Version of the record, for If-Match"}
}
"""The header of the reply that has one record."""


@dataclass(frozen=True)
class Version:
    """The version of one record: its revision, and what its ETag begins with."""

    name: str
    revision: int

    @property
    def tag(self) -> Mapping[str, str]:
        """Return the header with the ETag."""
        return record_tag(self.name, self.revision)


@dataclass(frozen=True)
class Changes:
    """The changes by JSON of the records of one list.

    Attributes:
        blueprint: Where they are served.
        policy: Who may make them.
        list_name: The list, by which keys of submissions name a call.
    """

    blueprint: Blueprint
    policy: Policy
    list_name: str

    @property
    def by_managers(self) -> "Changes":
        """Return these changes for managers alone."""
        return replace(self, policy=self.policy.by_managers)

    def __call__(
        self,
        path: str,
        reply: type[Reply],
        body: type[Schema] | Schema | None = None,
        *,
        method: str = "POST",
        status: int = 200,
        version: Callable[..., Version] | None = None,
        failures: Sequence[type[QuartermasterError]] = (),
        conflict: type[Schema] | None = None,
        parameters: Sequence[Mapping[str, Any]] = (),
        rebuild: Callable[[int], dict[str, Any]] | None = None,
    ) -> Callable[[View], View]:
        """Return a decorator that serves a view as a change, made once under its key.

        The view returns the reply. It takes the loaded body, the arguments of the path, and what it
        names of `by` (the user's id), `revision`, `stamp` and `files` (the prepared attachments).

        `version` returns the version of the record that If-Match has to name. `conflict` is a reply
        with status 409 of its own. `rebuild` returns the reply by the id of the made record.
        """

        def declare(view: View) -> View:
            call = wraps(view)(_once(view, self.list_name, body is not None, version, rebuild))
            del call.__wrapped__
            call = change(if_match=IfMatch.RECORD if version else IfMatch.REFUSED)(call)
            call = self.blueprint.response(status, reply)(raises(*failures)(call))
            if conflict:
                declare_conflict = self.blueprint.alt_response(
                    409, schema=conflict, description=conflict.__doc__
                )
                call = declare_conflict(call)
            if body:
                call = self.blueprint.arguments(body)(call)
            route = self.blueprint.route(path, methods=[method], parameters=list(parameters))
            route(self.policy(call))
            return view

        return declare


def _once(
    view: Callable[..., dict[str, Any]],
    list_name: str,
    has_body: bool,
    version: Callable[..., Version] | None,
    rebuild: Callable[[int], dict[str, Any]] | None,
) -> Callable[..., dict[str, Any]]:
    names = inspect.signature(view).parameters

    def call(*loaded: Any, **where: Any) -> dict[str, Any]:
        body, sent = _without_files(loaded[0]) if has_body else (None, ())
        files: list[PreparedFile] = []

        def prepare() -> None:
            files[:] = prepare_files(sent, by=current_user().user_id)

        def run() -> StoredReply:
            given: dict[str, Any] = {}
            if version:
                current = version(**where)
                check_record(current.name, current.revision)
                given["revision"] = current.revision
            if "by" in names:
                given["by"] = current_user().user_id
            if "stamp" in names:
                given["stamp"] = request_stamp(list_name)
            if "files" in names:
                given["files"] = files
            given = {name: value for name, value in given.items() if name in names}
            try:
                return StoredReply(view(*((body,) if has_body else ()), **where, **given))
            except EditConflict:
                raise PreconditionFailed("It has changed since. Load it again.") from None

        with rename_fields({"files": FILES}):
            return run_once(
                StoredReply,
                run,
                list_name=list_name,
                prepare=prepare if sent else None,
                rebuild=(lambda made: StoredReply(rebuild(made))) if rebuild else None,
            ).values

    return call


def _without_files(loaded: Any) -> tuple[Any, Sequence[SentFile]]:
    """Return a loaded body without its attachments, and these."""
    if isinstance(loaded, tuple):
        return loaded
    if isinstance(loaded, dict) and FILES in loaded:
        return {name: value for name, value in loaded.items() if name != FILES}, loaded[FILES]
    return loaded, ()

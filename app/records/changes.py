"""The JSON calls that change records: each view is what one of them does, made once."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from functools import wraps
from typing import Any, TypeVar

from marshmallow import Schema

from app.api.blueprint import Blueprint, IfMatch, change, raises
from app.api.changes import StoredReply, request_stamp, run_once
from app.api.fields import rename_fields
from app.api.lists import check_record, if_match_versions, record_tag
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
        names: The JSON names of the fields that errors name, where they aren't camel case.
    """

    blueprint: Blueprint
    policy: Policy
    list_name: str
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_managers(self) -> "Changes":
        """Return these changes for managers alone."""
        return replace(self, policy=self.policy.by_managers)

    def of(self, list_name: str) -> "Changes":
        """Return the changes of another list that are served and made alike."""
        return replace(self, list_name=list_name)

    def __call__(
        self,
        path: str,
        reply: type[Schema],
        body: type[Schema] | Schema | None = None,
        *,
        method: str = "POST",
        status: int = 200,
        version: Callable[..., Version] | None = None,
        replaces: bool = False,
        takes_several: bool = False,
        failures: Sequence[type[QuartermasterError]] = (),
        conflict: type[Schema] | None = None,
        parameters: Sequence[Mapping[str, Any]] = (),
        rebuild: Callable[[int], Any] | None = None,
    ) -> Callable[[View], View]:
        """Return a decorator that serves a view as a change, made once under its key.

        The view returns the reply: JSON, or the dataclass that is stored for replays. It takes the
        loaded body, the arguments of the path, and by name `by` (the user's id), `revision` (of the
        record), `versions` (of the list), `stamp` and `files` (the prepared attachments).

        If-Match has to name what `version` returns, or for a call that `replaces` a whole list the
        version of the list. A call that `takes_several` takes a list of bodies, too. `conflict` is
        a reply with status 409 of its own. `rebuild` returns the reply by the made record's id.
        """

        def declare(view: View) -> View:
            call = wraps(view)(_once(view, self, body is not None, version, rebuild))
            del call.__wrapped__
            if_match = IfMatch.REQUIRED if replaces else IfMatch.REFUSED
            call = change(if_match=IfMatch.RECORD if version else if_match)(call)
            call = self.blueprint.response(status, reply)(raises(*failures)(call))
            if conflict:
                declare_conflict = self.blueprint.alt_response(
                    409, schema=conflict, description=conflict.__doc__
                )
                call = declare_conflict(call)
            if takes_several and isinstance(body, type):
                call = self.blueprint.one_or_many(body)(call)
            elif body:
                call = self.blueprint.arguments(body)(call)
            route = self.blueprint.route(path, methods=[method], parameters=list(parameters))
            route(self.policy(call))
            return view

        return declare


def _once(
    view: Callable[..., Any],
    changes: Changes,
    has_body: bool,
    version: Callable[..., Version] | None,
    rebuild: Callable[[int], Any] | None,
) -> Callable[..., Any]:
    signature = inspect.signature(view)
    is_json = not is_dataclass(signature.return_annotation)
    result_type = StoredReply if is_json else signature.return_annotation

    def call(*loaded: Any, **where: Any) -> Any:
        body, sent = _without_files(loaded[0]) if has_body else (None, ())
        files: list[PreparedFile] = []
        given: dict[str, Callable[[], Any]] = {
            "by": lambda: current_user().user_id,
            "stamp": lambda: request_stamp(changes.list_name),
            "versions": lambda: if_match_versions(changes.list_name),
            "files": lambda: files,
        }

        def run() -> Any:
            values = {name: given[name]() for name in signature.parameters if name in given}
            if version:
                current = version(**where)
                check_record(current.name, current.revision)
                values["revision"] = current.revision
            try:
                reply = view(*((body,) if has_body else ()), **where, **values)
            except EditConflict:
                if version is None:
                    raise
                raise PreconditionFailed("It has changed since. Load it again.") from None
            return StoredReply(reply) if is_json else reply

        def prepare() -> None:
            files[:] = prepare_files(sent, by=current_user().user_id)

        def remake(record_id: int) -> Any:
            reply = rebuild(record_id) if rebuild else None
            return StoredReply(reply) if is_json and reply is not None else reply

        with rename_fields({"files": FILES, **changes.names}):
            result = run_once(
                result_type,
                run,
                list_name=changes.list_name,
                prepare=prepare if sent else None,
                rebuild=remake if rebuild else None,
            )
        return result.values if is_json else result

    return call


def _without_files(loaded: Any) -> tuple[Any, Sequence[SentFile]]:
    """Return a loaded body without its attachments, and these."""
    if isinstance(loaded, tuple):
        return loaded
    if isinstance(loaded, dict) and FILES in loaded:
        return {name: value for name, value in loaded.items() if name != FILES}, loaded[FILES]
    return loaded, ()

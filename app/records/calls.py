"""The JSON calls of records: the list of a kind, whole or in parts, and changes, each made once."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from functools import partial, wraps
from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, ValidationError, fields, post_load, validate

from app import dates, names
from app.api.blueprint import Blueprint, IfMatch, change, raises
from app.api.changes import StoredReply, request_stamp, run_once
from app.api.fields import FullMessage, JsonText, parse_value, rename_fields
from app.api.lists import (
    JsonRow,
    ListPaging,
    ViewPaging,
    check_record,
    if_match_versions,
    list_part,
    whole_list,
)
from app.api.schemas import FILES
from app.attachments.services import PreparedFile, prepare_files
from app.errors import EditConflict, PreconditionFailed, QuartermasterError
from app.records.filters import MAX_QUOTED_LENGTH
from app.records.reading import check_order, read_part, read_whole
from app.records.record import NOTHING, Query, R, Record
from app.sent_files import SentFile
from app.sorting import SORT, SortColumns
from app.versions import version_of
from app.web.access import current_user
from app.web.caching import PRIVATE
from app.web.policies import Policy, View


@dataclass(frozen=True)
class ListRequest:
    """The requested query of a list, and all its rows or one part of them."""

    query: Query
    paging: ListPaging


class ListParameters(ViewPaging):
    """The parameters of a list's call: a part of it, and its filters."""

    record: ClassVar[Record[Any]]

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> ListRequest:
        sent = {**self.called, SORT: SORT}.items()
        typed = {name: data.pop(parameter) for name, parameter in sent if parameter in data}
        query = self.record.parse(typed, in_call=True)
        for name, problem in query.problems.items():
            raise ValidationError(FullMessage(problem), self.called[name])
        return ListRequest(query, super()._paging(data, **options))


def parameters_of(record: Record[Any]) -> type[ListParameters]:
    """Return the parameters of a list's call."""
    own: dict[str, Any] = {"record": record, "called": {}}
    for each in record.filters:
        about = (each.description, each.example, each.json_schema, each.refusal)
        for called, name in each.calls.items():
            own["called"][name] = called
            own[called] = each.parameter or parameter(called, *about)
            if name == dates.RANGE:
                own[called] = RANGE_PARAMETER
    if record.sorting:
        own[SORT] = order_parameter(record.sorting)
    return type(f"{record.name.title()}Parameters", (ListParameters,), own)


def order_parameter(sorting: SortColumns) -> fields.String:
    """Return the parameter of a list's order."""
    orders = [str(order) for order, _ in sorting.orders(0)]
    about = {"description": "The column to sort by, from the end with a minus before it"}
    metadata = {**about, "example": orders[0]}
    error = f"Must be one of: {', '.join(sorting.columns)} (with - for descending)."
    return fields.String(validate=validate.OneOf(orders, error=error), metadata=metadata)


def parameter(
    called: str,
    description: str,
    example: str,
    schema: Mapping[str, Any] = NOTHING,
    refusal: str = "",
) -> fields.String:
    """Return a parameter of a list: a choice or a day by its JSON Schema, else a text.

    `refusal` is the message about another choice, which stands at its {}.
    """
    about = {"description": description, "example": example}
    metadata = {**schema, **{name: text for name, text in about.items() if text}}
    named = partial(fields.String, data_key=called, metadata=metadata)
    if "enum" in schema:
        error = FullMessage(refusal.replace("{}", f"{{input:.{MAX_QUOTED_LENGTH}}}"))
        return named(validate=validate.OneOf(schema["enum"], error=error or None))
    if schema.get("format") == "date":
        # An empty day is refused: the sender would get all rows for none.
        return named(validate=lambda text: parse_value(dates.parse_day, text))
    what, limit = called.capitalize(), names.MAX_SEARCH_LENGTH
    return JsonText(limit=limit, what=what, data_key=called, metadata=metadata)


RANGE_PARAMETER = parameter(
    dates.RANGE,
    "The days of a quick range, in place of `from` and `to`",
    "last-30-days",
    {"enum": dates.RANGES},
)


def list_response(
    requested: ListRequest,
    record: Record[R],
    write: Callable[[Any], Iterable[JsonRow]],
    version: Callable[[], int | str] | None = None,
) -> Response:
    """Serve the list of a query: whole with the ETag of its version and query, or one part.

    `write` returns rows as JSON. A `version` that is a text begins with the list's own version and
    a point, before the versions of other displayed data. Raises Invalid for an impossible order.
    """
    query, paging = requested.query, requested.paging
    check_order(record, query, is_part=paging.limit is not None)
    if paging.limit is None:
        current = version() if version else version_of(record.list_name)
        return whole_list(record.list_name, current, lambda: write(read_whole(record, query)))
    rows, next_key = read_part(record, query, paging.after, paging.limit)
    return list_part(write(rows), paging.limit, next_key)


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
        return {"ETag": f'"{self.name}-{self.revision}"', "Cache-Control": PRIVATE}


@dataclass(frozen=True)
class Changes:
    """The changes by JSON of one list.

    `names` has errors' fields whose names aren't camel case; `failures` are the errors of all its
    calls beyond those of the policy and the body.
    """

    blueprint: Blueprint
    policy: Policy
    list_name: str
    names: Mapping[str, str] = field(default_factory=dict)
    failures: Sequence[type[QuartermasterError]] = ()

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
        replies_alike: bool = False,
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
        version of the list. A call that `takes_several` takes a list of bodies, too, and if it
        `replies_alike`, with a list of replies. `conflict` is a reply with status 409 of its own.
        `rebuild` returns the reply by the made record's id.
        """
        bp = self.blueprint

        def declare(view: View) -> View:
            call = wraps(view)(_once(view, self, body is not None, version, rebuild))
            del call.__wrapped__
            if_match = IfMatch.REQUIRED if replaces else IfMatch.REFUSED
            call = change(if_match=IfMatch.RECORD if version else if_match)(call)
            call = bp.response(status, reply)(raises(*self.failures, *failures)(call))
            if conflict:
                call = bp.alt_response(409, schema=conflict, description=conflict.__doc__)(call)
            if takes_several and isinstance(body, type):
                call = bp.one_or_many(body, reply if replies_alike else None, status)(call)
            elif body:
                call = bp.arguments(body)(call)
            bp.route(path, methods=[method], parameters=list(parameters))(self.policy(call))
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
    if isinstance(loaded, tuple):
        return loaded
    if isinstance(loaded, dict) and FILES in loaded:
        return {name: value for name, value in loaded.items() if name != FILES}, loaded[FILES]
    return loaded, ()

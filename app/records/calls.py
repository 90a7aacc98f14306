"""The call of a kind of record's list: its parameters, the whole list, and its parts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Response
from marshmallow import ValidationError, fields, post_load, validate

from app import dates, names
from app.api.fields import FullMessage, JsonText, parse_value
from app.api.lists import JsonRow, ListPaging, Paging, list_part, whole_list
from app.records.filters import Filter
from app.records.reading import check_order, read_part, read_whole
from app.records.record import NOTHING, Query, R, Record
from app.sorting import SORT, SortColumns
from app.versions import version_of


@dataclass(frozen=True)
class ListRequest:
    """The requested query of a list, and all its rows or one part of them."""

    query: Query
    paging: ListPaging


class ListParameters(Paging):
    """The parameters of a list's call: a part of it, and its filters."""

    record: ClassVar[Record[Any]]

    @post_load
    def _paging(self, data: dict[str, Any], **options: Any) -> ListRequest:
        typed = {name: data.pop(called) for called, name in self._names().items() if called in data}
        if SORT in data:
            typed[SORT] = data.pop(SORT)
        query = self.record.parse(typed, in_call=True)
        called = {name: called for called, name in self._names().items()}
        for name, problem in query.problems.items():
            raise ValidationError(FullMessage(problem), called[name])
        return ListRequest(query, super()._paging(data, **options))

    def _names(self) -> Mapping[str, str]:
        """Return the filters' arguments: their names in addresses by their names in calls."""
        calls = (each.calls.items() for each in self.record.filters)
        return {called: name for items in calls for called, name in items}


def parameters_of(record: Record[Any]) -> type[ListParameters]:
    """Return the parameters of a list's call."""
    named = {called: _parameter(each, called) for each in record.filters for called in each.calls}
    if record.sorting:
        named[SORT] = order_parameter(record.sorting)
    return type(f"{record.name.title()}Parameters", (ListParameters,), {**named, "record": record})


def order_parameter(sorting: SortColumns) -> fields.String:
    """Return the parameter of a list's order."""
    orders = [str(order) for order, _ in sorting.orders(0)]
    about = {"description": "The column to sort by, from the end with a minus before it"}
    metadata = {**about, "example": orders[0]}
    return fields.String(validate=validate.OneOf(orders), metadata=metadata)


def _parameter(filter_: Filter, called: str) -> Any:
    if filter_.parameter:
        return filter_.parameter
    return parameter(called, filter_.description, filter_.example, filter_.json_schema)


def parameter(
    called: str, description: str, example: str, schema: Mapping[str, Any] = NOTHING
) -> fields.String:
    """Return a parameter of a list: a choice or a day by its JSON Schema, else a text."""
    about = {"description": description, "example": example}
    metadata = {**schema, **{name: text for name, text in about.items() if text}}
    if "enum" in schema:
        return fields.String(
            validate=validate.OneOf(schema["enum"]), data_key=called, metadata=metadata
        )
    if schema.get("format") == "date":
        # An empty day is refused: the sender would get all rows for none.
        return fields.String(
            validate=lambda text: parse_value(dates.parse_day, text),
            data_key=called,
            metadata=metadata,
        )
    what, limit = called.capitalize(), names.MAX_SEARCH_LENGTH
    return JsonText(limit=limit, what=what, data_key=called, metadata=metadata)


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

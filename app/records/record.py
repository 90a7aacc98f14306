"""A kind of record, declared once: its columns, its filters, and the orders of its list."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Select
from sqlalchemy.orm import InstrumentedAttribute

from app.day_counts import Days
from app.fields import Field, camel_case, fields_of
from app.records.filters import Conditions, DayRange, Filter, Problems, Search
from app.sorting import SORT, SortColumn, SortColumns, SortKind, SortOrder, TypedQuery
from app.tables.csv_files import cell_writer, escape, write_rows
from app.versions import version_of

NOTHING: Mapping[str, Any] = {}

R = TypeVar("R")


@dataclass(frozen=True)
class Column(Generic[R]):
    """A column of a list, of its files and of its JSON, as far as it is in each.

    Attributes:
        name: Its name in the addresses that sort by it, in files and in JSON.
        value: Returns a row's value; None for a column of the list alone.
        field: The kind of its values, by which files and replies write them; None for texts.
        heading: Its heading in the list; the label of `field` unless given.
        by: The columns by which the database sorts it; without them the list can't be sorted by it.
        css_class: The class of its heading and cells; 'num' for numbers of a `field`.
        kind: The kind of its values, which decides its first direction; that of `field` if given.
        indexed: Whether an index has its order, for any number of rows.
        within: The choice of a filter, as its name and value, that the index is limited to.
        parts: The choices of a filter, as its name and values, whose rows follow each other in this
            order, each in the order of the list.
        changes: Whether it is left out for viewers.
        stays: Whether nobody can hide it, as the first column of a list.
    """

    name: str
    value: Callable[[R], Any] | None = None
    _: KW_ONLY
    field: Field[Any] | None = None
    heading: str = ""
    css_class: str = ""
    by: Sequence[Any] = ()
    kind: SortKind = SortKind.TEXT
    indexed: bool = False
    within: tuple[str, str] | None = None
    parts: tuple[str, Sequence[str]] | None = None
    changes: bool = False
    stays: bool = False

    def __post_init__(self) -> None:
        """Fill in what follows from the field."""
        if self.field:
            kind = SortKind(self.field.sort_kind)
            css_class = self.css_class or ("num" if kind is SortKind.NUMBER else "")
            filled = {"heading": self.heading or self.field.label, "kind": kind}
            vars(self).update(filled, css_class=css_class)

    def show(self, row: R) -> Any:
        """Return a row's value as people read it; without `value`, its attribute of this name."""
        value = self.value(row) if self.value else getattr(row, self.name)
        return self.field.show(value) if self.field else value

    @cached_property
    def write(self) -> Callable[[Any], str]:
        """Return the function that writes a value as a cell of a CSV file."""
        return cell_writer(self.field) if self.field else _write


def columns_of(
    state: type[Any], entity: Callable[[R], Any], **headings: str
) -> Iterator[Column[R]]:
    """Yield the columns of a state's fields, of a row's `entity`; `headings` replace labels."""
    for each in fields_of(state).values():
        read = _reader(entity, each.name)
        yield Column(each.json, read, field=each, heading=headings.get(each.name, ""))


def columns_at(*paths: str) -> list[Column[Any]]:
    """Return columns of the values at paths of a row's attributes, named after their last parts."""
    return [Column(camel_case(path.rpartition(".")[2]), attrgetter(path)) for path in paths]


@dataclass(frozen=True)
class Query(TypedQuery):
    """The filters and the order in an address: as typed (`values`), and as `parsed`.

    `problems` are the errors in them, by the names of their arguments; `scope` are the conditions
    of all rows that the list has now.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    parsed: Mapping[str, Any] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    order: SortOrder | None = None
    scope: Conditions = ()

    @property
    def filters(self) -> Mapping[str, str]:
        """Return the values without the order."""
        return self.without_order

    @property
    def days(self) -> DayRange:
        """Return the days of its range, both open without one."""
        days: DayRange = self.parsed.get("days", DayRange())
        return days


@dataclass(frozen=True, kw_only=True)
class Record(Generic[R]):
    """A kind of record, the source of its list, its files and its call.

    Attributes:
        name: Its name for people, such as 'repair'.
        plural: Names the list's page, template and file.
        list_name: The name of the list's version, which changes with the rows.
        version: Returns a version of the rows; the list's version unless given.
        model: The model whose rows are listed; it has an `id`.
        scope: Returns the conditions of all rows that the list has.
        read: Reads the rows of a statement of models, each with its `id`; the models unless given.
        rows: Returns what was read with its additional values, in order; as it is unless given.
        page_rows: Returns the rows of a page, if they show less than a file has of them.
        columns: All columns, in the order of files.
        file: The columns of its files; those of `columns` that have a value unless given.
        listed: The names of the list's columns, or of their attributes, in their order; all unless
            given.
        order: The order of the list; a unique column ends it.
        default: The name of that order in addresses, None for a list that can't be sorted.
        key: The unique column by which the call orders rows, and other orders end.
        call_by: The column by which the call orders rows before their key.
        stream: Returns the rows that meet conditions, in the order of the call, as they are read;
            for whole lists that don't fit into memory.
        days: Returns the counted days that have the matches of a query, None to count them.
        is_capped: Whether its matches are counted up to a limit even without words.
    """

    name: str
    plural: str
    list_name: str
    version: Callable[[], Hashable] | None = None
    model: type[Any]
    scope: Callable[[], Conditions] = tuple
    read: Callable[[Select[*tuple[Any, ...]]], Sequence[Any]] | None = None
    rows: Callable[[Sequence[Any]], Sequence[R]] = lambda rows: rows
    page_rows: Callable[[Sequence[Any]], Sequence[Any]] | None = None
    columns: Sequence[Column[R]]
    file: Sequence[Column[Any]] = ()
    listed: Sequence[str] = ()
    filters: Sequence[Filter] = ()
    order: Sequence[ColumnElement[Any] | InstrumentedAttribute[Any]]
    default: SortOrder | None = None
    key: InstrumentedAttribute[Any]
    newest_first: bool = False
    call_by: InstrumentedAttribute[Any] | None = None
    stream: Callable[[Conditions], Iterable[R]] | None = None
    per_page: int = 25
    days: Callable[[Query], Days | None] | None = None
    is_capped: bool = False

    def current_version(self) -> Hashable:
        """Return the version of the rows."""
        return self.version() if self.version else version_of(self.list_name)

    @property
    def file_columns(self) -> Mapping[str, Column[Any]]:
        """Return the columns of its files by name."""
        return {column.name: column for column in self.file or self.columns if column.value}

    @cached_property
    def headings(self) -> Sequence[Column[R]]:
        """Return the columns of the list."""
        by_name = {column.name: column for column in self.columns}
        return [by_name[camel_case(name)] for name in self.listed or by_name]

    @cached_property
    def cells(self) -> Sequence[Column[R]]:
        """Return the columns of the list that show something of a row."""
        return [column for column in self.headings if not column.changes]

    @cached_property
    def sorting(self) -> SortColumns | None:
        """Return the orders of the list by its columns, None if it can't be sorted."""
        columns = {
            column.name: SortColumn(
                column.heading, column.kind, indexed=column.indexed or column.parts is not None
            )
            for column in self.columns
            if column.by
        }
        return SortColumns(columns, self.default) if self.default else None

    @property
    def arguments(self) -> Sequence[str]:
        """Return the names of the filters in addresses of the list."""
        return [name for each in self.filters if each.on_screen for name in each.arguments]

    def parse(self, arguments: Mapping[str, str], *, in_call: bool = False) -> Query:
        """Return the query of an address; invalid choices are left out of its values."""
        values: dict[str, str] = {}
        parsed: dict[str, Any] = {}
        problems: Problems = {}
        for each in self.filters:
            names = each.arguments if in_call or each.on_screen else ()
            typed = {n: arguments[n].strip() for n in names if arguments.get(n, "").strip()}
            value = each.parse(typed, problems) if typed else ""
            if value == "":
                continue
            parsed[each.name] = value
            values |= typed
            if not in_call and (problem := each.check(value)):
                problems[each.name] = problem
        order = None
        if self.sorting and (text := arguments.get(SORT, "").strip()):
            order = self.sorting.parse(text)
            values[SORT] = text
        found = {name: problem for name, problem in problems.items() if problem}
        return Query(values, parsed, found, order, self.scope())

    def where(self, query: Query, *, by_row: bool = False) -> Conditions:
        """Return the conditions of the rows that match; `by_row` tests each without an index."""
        filtered = (
            each.where(query.parsed[each.name], by_row=by_row)
            for each in self.filters
            if each.name in query.parsed
        )
        return [*query.scope, *chain.from_iterable(filtered)]

    def is_search(self, query: Query) -> bool:
        """Return whether a query has words; their matches are counted up to a limit."""
        return any(isinstance(each, Search) and each.name in query.parsed for each in self.filters)

    def parts(self, query: Query) -> Sequence[Query]:
        """Return the queries whose rows, one after the other, are those of a query in its order."""
        name, choices = (self.column(query.order).parts if query.order else None) or ("", ())
        if not query.order or not choices:
            return [query]
        if name in query.parsed:
            return [replace(query, order=None)]
        return [
            replace(
                query,
                values={**query.values, name: choice},
                parsed={**query.parsed, name: choice},
                order=None,
            )
            for choice in choices[:: -1 if query.order.descending else 1]
        ]

    def column(self, order: SortOrder) -> Column[R]:
        """Return the column that an order is by."""
        return next(column for column in self.columns if column.name == order.by)

    def has_index(self, query: Query) -> bool:
        """Return whether an index has the order of a query; that of the call has one."""
        if query.order is None:
            return True
        column = self.column(query.order)
        name, value = column.within or ("", "")
        return column.indexed and query.values.get(name, "") == value

    def indexed_orders(self, query: Query) -> Sequence[str]:
        """Return the columns whose order an index has for a query."""
        names = self.sorting.columns if self.sorting else ()
        return [name for name in names if self.has_index(replace(query, order=SortOrder(name)))]

    def keys(self, order: SortOrder | None) -> Sequence[InstrumentedAttribute[Any]]:
        """Return the columns of an order that an index has; the last of them is unique."""
        by = self.column(order).by if order else [self.call_by] if self.call_by else ()
        return [*by, *([] if self.key in by else [self.key])]

    def is_descending(self, order: SortOrder | None) -> bool:
        """Return whether an order that an index has is the opposite of its columns' own."""
        return order.descending if order else self.newest_first

    def order_by(self, order: SortOrder | None) -> Sequence[ColumnElement[Any]]:
        """Return the columns of an order that an index has, all in its direction."""
        keys = self.keys(order)
        return [key.desc() if self.is_descending(order) else key.asc() for key in keys]


def csv_lines(
    columns: Sequence[Column[R]], rows: Iterable[R], *, quotes_all: bool = False
) -> Iterator[str]:
    """Yield a CSV file of rows by columns in chunks of whole lines."""
    exported = [(each.name, each.value, each.write) for each in columns if each.value]
    cells = ([write(value(row)) for _, value, write in exported] for row in rows)
    return write_rows([name for name, _, _ in exported], cells, quotes_all=quotes_all)


def _reader(entity: Callable[[R], Any], name: str) -> Callable[[R], Any]:
    return lambda row: getattr(entity(row), name)


def _write(value: Any) -> str:
    return "" if value is None else escape(str(value))

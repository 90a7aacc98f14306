"""What a text finds in the lists of a person's divisions.

All lists share a statement that finds exact keys, the beginnings of names and the numbers of
matches, and one for the first matches of each. Then the rows of each kind are read.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import attrgetter
from typing import Any

from sqlalchemy import Select, literal, select, union_all
from sqlalchemy.orm import InstrumentedAttribute

from app import names
from app.db import db
from app.divisions import Division
from app.identity import SignedInUser
from app.names import MAX_SEARCH_LENGTH
from app.records.filters import Conditions
from app.records.record import NOTHING, Query, Record
from app.reference_numbers import Series, parse_number
from app.search import TRIGRAM_LENGTH, find_matches
from app.sums import capped, capped_count

MIN_LENGTH = 2
MAX_ROWS = 5
"""The most rows of a kind, and of a list that a text names exactly."""

TOO_SHORT = "Type two letters or more."


class Stage(IntEnum):
    """How a row was found, the best first; or the number of matches."""

    EXACT = 0
    BEGINNING = 1
    MATCH = 2
    TOTAL = 3


@dataclass(frozen=True)
class KindList:
    """A list with rows of a kind; `place` has the arguments of its address that name it."""

    divisions: frozenset[Division]
    record: Record[Any]
    place: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""


@dataclass(frozen=True, kw_only=True)
class SearchKind:
    """A kind of record that the search finds; the first of its lists names it.

    Attributes:
        page: The endpoint of its lists.
        exact: The column of its keys, or with a `series` of its numbers; `begins` unless given.
        begins: The column of the keys of names, in an index after the list's own columns, which is
            limited to the conditions `begin`.
        key: Returns the key of a text.
        where: Returns what tells a row from others, by its list's label.
        url: Returns the address of a row, by its list's place.
        part: Returns the arguments that lead to a row's part of its list.
    """

    lists: Sequence[KindList]
    page: str
    exact: InstrumentedAttribute[Any] | None = None
    series: Series | None = None
    begins: InstrumentedAttribute[Any] | None = None
    key: Callable[[str], str] = names.key
    begin: Conditions = ()
    title: Callable[[Any], str] = attrgetter("name")
    where: Callable[[Any, str], str] = lambda *_: ""
    id: Callable[[Any], Any] = attrgetter("id")
    url: Callable[[Any, Mapping[str, Any]], str]
    part: Callable[[Any], Mapping[str, Any]] = lambda _: NOTHING

    @property
    def record(self) -> Record[Any]:
        """Return the record of its first list."""
        return self.lists[0].record


@dataclass(frozen=True)
class Hit:
    """A row that a search found; the calls of its `kind` take its `id`."""

    kind: str
    id: str
    title: str
    where: str
    url: str
    division: Division
    exact: bool


@dataclass(frozen=True)
class HitGroup:
    """The first rows of a kind that aren't exact; `part` is that of the first.

    `totals` are the numbers of matches of each list, `total` of all; they are capped.
    """

    kind: SearchKind
    hits: Sequence[Hit]
    part: Mapping[str, Any]
    totals: Sequence[tuple[KindList, int]]
    total: int


@dataclass(frozen=True)
class Found:
    """What a text found: exact rows first, then the first ones of each kind with matches."""

    text: str
    exact: Sequence[Hit] = ()
    groups: Sequence[HitGroup] = ()
    problem: str = ""

    @property
    def hits(self) -> Sequence[Hit]:
        """Return all rows, the exact ones first."""
        return [*self.exact, *(hit for group in self.groups for hit in group.hits)]


def find(kinds: Sequence[SearchKind], text: str, user: SignedInUser) -> Found:
    """Return what a text finds in a user's divisions; it is cut at MAX_SEARCH_LENGTH."""
    text = text.strip()[:MAX_SEARCH_LENGTH]
    if len(names.key(text)) < MIN_LENGTH:
        return Found(text, problem=TOO_SHORT)
    lists = [
        (kind, each, each.record.parse({"q": text}))
        for kind in kinds
        for each in kind.lists
        if each.divisions & user.divisions
    ]
    # Words inside of texts need the index of trigrams.
    has_words = any(len(word) >= TRIGRAM_LENGTH for word in names.search_words(text))
    found = _read(
        part
        for place, (kind, each, query) in enumerate(lists)
        for part in _counts(place, kind, each.record, query, text, has_words=has_words)
    )
    if has_words:
        found |= _read(
            _part(place, Stage.MATCH, _first_matches(each.record, query, total))
            for place, (_, each, query) in enumerate(lists)
            # Beginning rows go before others, for which an order may have to be walked far.
            if (total := sum(found[place, Stage.TOTAL]))
            and len({*found[place, Stage.BEGINNING]} - {*found[place, Stage.EXACT]}) < MAX_ROWS
        )
    exact: list[Hit] = []
    groups: list[HitGroup] = []
    for kind in kinds:
        own = {place: each for place, (of, each, _) in enumerate(lists) if of is kind}
        # An exact row may also be a beginning one, and both are matches.
        places = {
            id_: (stage, each)
            for stage in (Stage.MATCH, Stage.BEGINNING, Stage.EXACT)
            for place, each in own.items()
            for id_ in found.get((place, stage), ())
        }
        if not places:
            continue
        model = kind.record.model
        statement = select(model).where(model.id.in_(places)).order_by(*kind.record.order)
        rows = sorted(db.session.scalars(statement), key=lambda row: places[row.id][0])
        hits = [_hit(kind, *places[row.id], row, user) for row in rows]
        named = [hit for hit in hits if hit.exact]
        rest, totals = hits[len(named) :], {at: sum(found[at, Stage.TOTAL]) for at in own}
        exact += named
        groups.append(
            HitGroup(
                kind,
                rest[:MAX_ROWS],
                kind.part(rows[len(named)]) if rest else NOTHING,
                [(own[at], capped(total)) for at, total in totals.items()],
                max(len(named), capped(sum(totals.values()))),
            )
        )
    return Found(text, exact, groups)


def _counts(
    place: int, kind: SearchKind, record: Record[Any], query: Query, text: str, *, has_words: bool
) -> Iterator[Select[int, int, int]]:
    rows, key = select(record.model.id), kind.key(text)
    # Digits alone may be of anything.
    number = parse_number(text, kind.series) if kind.series and not text.isdecimal() else None
    exact = number if kind.series else key
    column = kind.begins if kind.exact is None else kind.exact
    if column is not None and exact is not None:
        is_exact = rows.where(*query.scope, column == exact)
        yield _part(place, Stage.EXACT, is_exact.limit(MAX_ROWS))
    counted = rows.where(*record.where(query)) if has_words else None
    if kind.begins is not None and key:
        # No character comes after this one.
        is_begin = (kind.begins >= key, kind.begins < key + "\U0010ffff")
        begin = rows.where(*query.scope, *kind.begin, *is_begin)
        yield _part(place, Stage.BEGINNING, begin.order_by(kind.begins).limit(2 * MAX_ROWS))
        counted = begin if counted is None else counted
    if counted is not None:
        yield _part(place, Stage.TOTAL, capped_count(counted))


def _first_matches(record: Record[Any], query: Query, total: int) -> Select[Any]:
    statement = select(record.model.id).order_by(*record.order)
    found = find_matches(
        statement, record.model.id, lambda by_row: record.where(query, by_row=by_row), capped(total)
    )
    # Exact and beginning ones are among them.
    return found.part(3 * MAX_ROWS, 0)


def _part(place: int, stage: Stage, statement: Select[Any]) -> Select[int, int, int]:
    return select(literal(place), literal(int(stage)), *statement.subquery().c)


def _read(parts: Iterator[Select[int, int, int]]) -> dict[tuple[int, Stage], list[int]]:
    found: dict[tuple[int, Stage], list[int]] = defaultdict(list)
    statements = list(parts)
    for place, stage, value in db.session.execute(union_all(*statements)) if statements else ():
        found[place, Stage(stage)].append(value)
    return found


def _hit(kind: SearchKind, stage: Stage, found_in: KindList, row: Any, user: SignedInUser) -> Hit:
    allowed = found_in.divisions & user.divisions
    return Hit(
        kind.record.name,
        str(kind.id(row)),
        kind.title(row),
        kind.where(row, found_in.label),
        kind.url(row, found_in.place),
        # The one to which opening it leads.
        user.chosen if user.chosen in allowed else min(allowed),
        stage is Stage.EXACT,
    )

"""Odometer readings: single ones, their neighbours, lists of them, and forecasts."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, column, func, or_, select, text, values
from sqlalchemy.orm import InstrumentedAttribute, aliased
from sqlalchemy.sql import bindparam

from app.accounts.history import SYSTEM, lost_race
from app.accounts.models import User
from app.db import db, stream_rows
from app.errors import existing
from app.fleet.models import Check, Vehicle
from app.lists import batches, rows_with
from app.mileage import rules
from app.mileage.models import DOUBTFUL, OdometerReading
from app.mileage.rules import Forecast, Mileage, ReadingSource, ReadingSpan
from app.paging import Page, load_page
from app.search import without_index
from app.sums import count_matches

ROWS_PER_PAGE = 50

MAX_DOUBTFUL = 25
"""How many doubtful readings the page asks about at once."""

_IS_DOUBTFUL = text(DOUBTFUL)


def is_used(row: type[OdometerReading]) -> tuple[Any, ...]:
    """Return the conditions that a reading is used."""
    return row.is_accepted, row.void_at.is_(None)


ACCEPTED = is_used(OdometerReading)

_NEWEST_FIRST = [getattr(OdometerReading, name).desc() for name in ("day", "miles", "id")]


class ReadingPlace(NamedTuple):
    """The vehicle, the day and the miles of a reading."""

    reg_key: str
    day: date
    miles: int


class Surroundings(NamedTuple):
    """The readings in use before and after a place, and whether one just like it is stored."""

    before: Mileage | None
    after: Mileage | None
    is_stored: bool


def current_mileage(reg_key: str) -> OdometerReading | None:
    """Return a vehicle's newest reading in use by day, or None."""
    return db.session.scalar(_newest(reg_key).limit(1))


def current_mileages(reg_keys: Collection[str] | None) -> Mapping[str, OdometerReading]:
    """Return the newest reading in use by vehicle; None means of all listed vehicles."""
    if reg_keys is None:
        return _newest_of(select(Vehicle.reg_key).distinct().subquery("vehicles"))
    found: dict[str, OdometerReading] = {}
    for keys in batches(sorted(set(reg_keys))):
        key = column("reg_key", OdometerReading.reg_key.type)
        found.update(_newest_of(values(key, name="vehicles").data([(k,) for k in keys]).cte()))
    return found


def reading_before(check: Check) -> OdometerReading | None:
    """Return the newest reading in use up to a check's day, other than its own."""
    own = reading_of(ReadingSource.CHECK, check.id)
    is_other = OdometerReading.id != (own.id if own else 0)
    newest = _newest(check.reg_key, OdometerReading.day <= check.day, is_other)
    return db.session.scalar(newest.limit(1))


def surroundings(places: Collection[ReadingPlace]) -> Mapping[ReadingPlace, Surroundings]:
    """Return the readings around each place."""
    found: dict[ReadingPlace, Surroundings] = {}
    for batch in batches(sorted(set(places))):
        given = batch[0]._asdict() if len(batch) == 1 else {}
        several = values(*_PLACE, name="places").data(list(batch))
        statement = _AROUND_ONE if given else _around(several.cte())
        for key, day, miles, stored, *days in db.session.execute(statement, given):
            first, last = (Mileage(*pair) if pair[0] else None for pair in (days[:2], days[2:]))
            found[ReadingPlace(key, day, miles)] = Surroundings(first, last, stored)
    return found


def _around(place: FromClause) -> Select[Any]:
    row = OdometerReading
    before, after, same = aliased(row), aliased(row), aliased(row)
    is_same = (getattr(same, each.name) == each for each in place.c)
    beside = (before.day, before.miles, after.day, after.miles)
    joined = place.outerjoin(before, before.id == _neighbour(place, is_before=True))
    joined = joined.outerjoin(after, after.id == _neighbour(place, is_before=False))
    is_stored = select(same.id).where(*is_same).exists()
    return select(*place.c, is_stored, *beside).select_from(joined)


def _neighbour(place: FromClause, *, is_before: bool) -> ColumnElement[int]:
    """Return the id of the newest reading in use up to a place's day, or of the first after it."""
    other, at = aliased(OdometerReading), place.c
    is_beside = other.day <= at.day if is_before else other.day > at.day
    upwards = (other.day, other.miles, other.id)
    order = [column.desc() for column in upwards] if is_before else upwards
    beside = select(other.id).where(other.reg_key == at.reg_key, is_beside, *is_used(other))
    return beside.order_by(*order).limit(1).correlate(place).scalar_subquery()


_PLACE = [column(name, getattr(OdometerReading, name).type) for name in ReadingPlace._fields]
_AROUND_ONE = _around(
    select(*(bindparam(c.name, type_=c.type).label(c.name) for c in _PLACE)).cte()
)
"""The statement of a single place, as most are: to build and compile one takes 12 ms."""


def contradicting(row: OdometerReading) -> Sequence[OdometerReading]:
    """Return the readings in use that a reading contradicts, the nearest by day first."""
    other = OdometerReading
    earlier = _newest(row.reg_key, other.day < row.day, other.miles > row.miles)
    later = _newest(row.reg_key, other.day > row.day, other.miles < row.miles)
    return [*db.session.scalars(earlier), *reversed(db.session.scalars(later).all())]


def reading_of(source: ReadingSource, source_id: int) -> OdometerReading | None:
    """Return the reading of a check, a repair or a done item."""
    statement = select(OdometerReading).filter_by(source=source, source_id=source_id)
    return db.session.scalar(statement.limit(1))


def sources_in_use(source: ReadingSource, source_ids: Collection[int]) -> set[int]:
    """Return which checks, repairs or done items have a reading that is used, by their ids."""
    in_use = select(OdometerReading.source_id).where(OdometerReading.source == source, *ACCEPTED)
    rows = rows_with(in_use, OdometerReading.source_id, source_ids)
    return {id_ for (id_,) in rows if id_ is not None}


@cache
def is_unused(
    source: ReadingSource, source_id: ColumnElement[int] | InstrumentedAttribute[int]
) -> ColumnElement[bool]:
    """Return the condition that a check, repair or done item has a reading that isn't used."""
    row = aliased(OdometerReading)
    is_of = (row.source == source, row.source_id == source_id)
    return select(row.id).where(*is_of, or_(~row.is_accepted, row.void_at.is_not(None))).exists()


def get_reading(reading_id: int) -> OdometerReading:
    """Return a reading; raises NotFound."""
    row = db.session.get(OdometerReading, reading_id)
    return existing(row, "There is no such reading. Load the list again.")


def _newest_of(vehicles: FromClause) -> dict[str, OdometerReading]:
    row = aliased(OdometerReading)
    statement = select(row).select_from(vehicles).join(row, row.id == _newest_id(vehicles))
    return {found.reg_key: found for found in db.session.scalars(statement)}


def _newest_id(vehicles: FromClause) -> ColumnElement[int]:
    newest = _newest(vehicles.c.reg_key).with_only_columns(OdometerReading.id)
    return newest.limit(1).correlate(vehicles).scalar_subquery()


def _newest(reg_key: Any, *where: ColumnElement[bool]) -> Select[OdometerReading]:
    is_of = OdometerReading.reg_key == reg_key
    return select(OdometerReading).where(is_of, *ACCEPTED, *where).order_by(*_NEWEST_FIRST)


@dataclass(frozen=True)
class VehicleMileage:
    """A vehicle's newest reading, and its forecast if there is one."""

    last: Mileage
    forecast: Forecast | None


def mileages(reg_keys: Select[str | None], today: date) -> Mapping[str | None, VehicleMileage]:
    """Return the mileage of each vehicle that has a reading, by registration key."""
    found = _spans(reg_keys, rules.window_start(today))
    # Few vehicles run for so long without two readings in the window.
    rare = [
        key
        for key, (last, span) in found.items()
        if not (rules.is_stale(last, today) or rules.is_far_enough(span))
    ]
    of_rare = select(OdometerReading.reg_key).where(OdometerReading.reg_key.in_(rare))
    all_time = {key: span for key, (_, span) in _spans(of_rare, date.min).items()} if rare else {}
    return {
        key: VehicleMileage(last, rules.make_forecast(span, all_time.get(key), today))
        for key, (last, span) in found.items()
    }


def _spans(
    reg_keys: Select[str | None], since: date
) -> dict[str | None, tuple[Mileage, ReadingSpan | None]]:
    """Return the newest reading of vehicles, and their span since a day: they never fall."""
    rows = db.session.execute(_select_spans(reg_keys), {"since": since})
    return {
        key: (end := Mileage(day, miles), first and ReadingSpan(Mileage(first, low), end, count))
        for key, day, miles, first, low, count in rows
    }


@lru_cache(maxsize=64)
def _select_spans(reg_keys: Select[str | None]) -> Select[Any]:
    """Return the statement of `_spans`, kept since building it takes as long as running it."""
    vehicles = reg_keys.distinct().subquery("vehicles")
    row, newest, oldest = OdometerReading, aliased(OdometerReading), aliased(OdometerReading)
    is_since = row.day >= bindparam("since", type_=row.day.type)
    in_window = select(row.id).where(row.reg_key == vehicles.c.reg_key, *ACCEPTED, is_since)
    first = in_window.order_by(row.day, row.miles, row.id).limit(1).scalar_subquery()
    count = in_window.with_only_columns(func.count()).scalar_subquery()
    ends = (newest.day, newest.miles, oldest.day, oldest.miles)
    return (
        select(vehicles.c.reg_key, *ends, count)
        .select_from(vehicles)
        .join(newest, newest.id == _newest_id(vehicles))
        .outerjoin(oldest, oldest.id == first)
    )


def reading_problems() -> Iterator[str]:
    """Yield the vehicles whose readings in use fall from one day to a later one."""
    row, later = OdometerReading, aliased(OdometerReading)
    is_less = (later.reg_key == row.reg_key, later.day > row.day, later.miles < row.miles)
    statement = (
        select(row.reg_key, row.day, row.miles)
        .where(*ACCEPTED, select(later.id).where(*is_less, *is_used(later)).exists())
        .order_by(row.reg_key, row.day)
    )
    for reg_key, day, miles in db.session.execute(statement):
        yield f"{reg_key}: {miles} miles of {day} are more than on a later day"


@dataclass(frozen=True)
class ReadingRow:
    """A reading in a list; `recorded_by` and `void_by` are usernames, '' for the terminal."""

    reading: OdometerReading
    recorded_by: str
    void_by: str
    question: str = ""


def doubtful_readings(reg_key: str = "") -> Sequence[ReadingRow]:
    """Return readings that wait for a decision, the newest first, each with its question."""
    statement = select(OdometerReading).where(_IS_DOUBTFUL)
    if reg_key:
        # Few readings are doubtful, while a vehicle has one for each of its checks.
        statement = statement.where(without_index(OdometerReading.reg_key) == reg_key)
    return _rows(statement.limit(MAX_DOUBTFUL), with_questions=True)


def decided_message(row: OdometerReading) -> str:
    """Return who decided on a reading and when, '' before a decision."""
    if row.state != "accepted":
        return void_message(row)
    if row.accepted_at is None:
        return f"{row.miles:,} of {row.reg} is in use already. Nothing was changed."
    done = f"accepted {row.miles:,} of {row.reg}"
    return lost_race(row.accepted_by, done, row.accepted_at, unnamed=SYSTEM)


def void_message(row: OdometerReading) -> str:
    """Return who voided a reading and when, '' for a reading that isn't void."""
    if row.void_at is None:
        return ""
    done = f"voided {row.miles:,} of {row.reg}"
    return lost_race(row.void_by, done, row.void_at, unnamed=SYSTEM)


def count_doubtful() -> int:
    """Return how many readings wait for a decision, AtLeast the limit of counts."""
    return count_matches(select(OdometerReading.id).where(_IS_DOUBTFUL))


def reading_page(reg_key: str, page: int) -> Page[ReadingRow]:
    """Return a page of a vehicle's readings, newest first."""
    found = select(OdometerReading).where(OdometerReading.reg_key == reg_key)
    return load_page(
        page,
        total=db.session.execute(found.with_only_columns(func.count())).scalar_one(),
        per_page=ROWS_PER_PAGE,
        load=lambda limit, offset: _rows(found.limit(limit).offset(offset)),
    )


def all_readings() -> Iterable[OdometerReading]:
    """Yield the readings that aren't void, by vehicle and day."""
    row = OdometerReading
    statement = select(row).where(row.void_at.is_(None)).order_by(row.reg_key, row.day, row.id)
    return (row for (row,) in stream_rows(statement))


def question_about(reading: OdometerReading) -> str:
    """Return the question about a doubtful reading."""
    return _questions([reading])[reading.id]


def _questions(readings: Sequence[OdometerReading]) -> Mapping[int, str]:
    places = {row.id: ReadingPlace(row.reg_key, row.day, row.miles) for row in readings}
    around = surroundings(places.values())
    found: dict[int, str] = {}
    for id_, place in places.items():
        earlier, later, _ = around[place]
        doubt = rules.find_doubt(place.miles, place.day, before=earlier, after=None)
        beside = later if earlier is None or (later and doubt is None) else earlier
        found[id_] = rules.describe_doubt(place.miles, place.day, beside)
    return found


def _rows(
    statement: Select[OdometerReading], *, with_questions: bool = False
) -> Sequence[ReadingRow]:
    recorder, voider = aliased(User), aliased(User)
    names = (func.coalesce(user.username, "") for user in (recorder, voider))
    found = db.session.execute(
        statement.outerjoin(recorder, recorder.id == OdometerReading.recorded_by)
        .outerjoin(voider, voider.id == OdometerReading.void_by)
        .add_columns(*names)
        .order_by(OdometerReading.day.desc(), OdometerReading.id.desc())
    ).all()
    questions = _questions([row for row, *_ in found]) if with_questions else {}
    return [ReadingRow(row, by, void_by, questions.get(row.id, "")) for row, by, void_by in found]

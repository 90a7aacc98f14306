"""Due items as they stand today, their notices and calendars, and the work done on them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, union_all

from app import dates
from app.accounts.queries import usernames
from app.db import db
from app.defects.models import Defect, OffRoad
from app.defects.rules.fields import OffRoadReason
from app.defects.rules.off_road import Objection
from app.due.models import DueDone, DueItem, DueItemVehicle, DuePlan
from app.due.rules.due import DueGroup, DueStanding, DueState, Terms, judge
from app.due.rules.fields import Blocks, DueKind, blocks_when_overdue
from app.due.rules.next_due import NextDue, Work, interval_of_kind, next_due, plan_interval
from app.errors import NotFound, existing
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import IN_LISTS
from app.fleet.rules.vehicles import UPKEEP
from app.lists import batches, grouped, rows_with
from app.mileage import queries as readings
from app.mileage.queries import ReadingPlace, Surroundings, VehicleMileage
from app.mileage.rules import Mileage, ReadingSource, find_doubt
from app.versions import cached, version_of

Statement = Select[*tuple[Any, ...]]

_NO_ITEM = "There is no such item. Load the list again."


@dataclass(frozen=True)
class DueRow:
    """An open item as it stands today; `vehicles` are the registrations by their keys."""

    id: int
    vehicles: Mapping[str, str]
    plan_id: int | None
    terms: Terms
    standing: DueStanding
    revision: int
    is_shared: bool = False

    @property
    def regs(self) -> str:
        """Return the registration, or how many vehicles share the item."""
        if self.is_shared:
            return f"{len(self.vehicles)} vehicles"
        return next(iter(self.vehicles.values()))


def open_items(today: date | None = None) -> Sequence[DueRow]:
    """Return all open items as they stand today, the first that is due first."""
    day = today or dates.today()
    # A worker keeps them until upkeep changes or the day ends.
    version = (UPKEEP, version_of(UPKEEP))
    return cached(version, lambda: _rows(day, _IS_OPEN), "open items", day.isoformat())


def items_of(
    reg_keys: Collection[str],
    today: date | None = None,
    *,
    condition: Callable[[Any], bool] | None = None,
) -> Sequence[DueRow]:
    """Return the open items of vehicles as they stand today, all without a `condition`."""
    day = today or dates.today()
    rows: list[DueRow] = []
    for keys in batches(sorted(set(reg_keys))):
        rows += _rows(day, *_open_of(keys), condition=condition)
    return rows


def items_and_mileage(reg_key: str, today: date) -> tuple[Sequence[DueRow], Mileage | None]:
    """Return the open items of a listed vehicle as they stand today, and its newest reading.

    Of an item that others share, it is the only vehicle.
    """
    listed = select(Vehicle.reg_key).where(IN_LISTS, Vehicle.reg_key == reg_key)
    mileages = readings.mileages(listed, today)
    last = mileages[reg_key].last if mileages else None
    alone: Mapping[int, Mapping[str, str]] = defaultdict(lambda: {reg_key: ""})
    return _rows(today, *_open_of([reg_key]), mileages=mileages, shared=alone), last


def _open_of(reg_keys: Sequence[str]) -> Sequence[ColumnElement[bool]]:
    own = select(DueItem.id).where(DueItem.reg_key.in_(reg_keys), _IS_OPEN)
    shared = select(DueItemVehicle.due_item_id).where(DueItemVehicle.reg_key.in_(reg_keys))
    return [_IS_OPEN, DueItem.id.in_(own.union_all(shared))]


def items_of_plan(plan_id: int) -> Sequence[DueRow]:
    """Return the open items of a plan as they stand today."""
    return _rows(dates.today(), _IS_OPEN, DueItem.plan_id == plan_id)


def objections(
    reg_keys: Collection[str], today: date, rows: Sequence[DueRow] | None = None
) -> Mapping[str, Sequence[Objection]]:
    """Return the overdue items that keep vehicles off the road: 'Its MOT ran out on 18 Nov'."""
    found: dict[str, list[Objection]] = defaultdict(list)
    for row in items_of(reg_keys, today, condition=may_block) if rows is None else rows:
        if text := row.standing.objection:
            for key in row.vehicles.keys() & set(reg_keys):
                found[key].append(Objection(text, kind=row.terms.kind))
    return found


def due_notices(reg_keys: Collection[str] | None) -> Mapping[str, Sequence[str]]:
    """Return notices of overdue and soon due items by vehicle; None means all vehicles."""
    today = dates.today()
    rows = open_items(today) if reg_keys is None else items_of(reg_keys, today)
    # Plans that block nothing give drivers no notice.
    noticed = [row for row in rows if row.standing.notice and row.terms.blocks is not Blocks.NONE]
    found = ((key, row.standing.notice) for row in noticed for key in row.vehicles)
    return grouped(each for each in found if reg_keys is None or each[0] in reg_keys)


def count_by_state(rows: Iterable[DueRow]) -> tuple[int, int]:
    """Return how many items are overdue, and how many are soon or today due."""
    states = [row.standing.state for row in rows]
    soon = states.count(DueState.SOON) + states.count(DueState.TODAY)
    return states.count(DueState.OVERDUE), soon


def by_group(rows: Iterable[DueRow]) -> Mapping[DueGroup, Sequence[DueRow]]:
    """Return the items of each part of the list, in its order."""
    found = grouped((row.standing.group, row) for row in rows)
    return {group: found.get(group, ()) for group in DueGroup}


def get_item(item_id: int) -> DueItem:
    """Return an item; raises NotFound."""
    return existing(db.session.get(DueItem, item_id), _NO_ITEM)


def get_row(item_id: int, *, also_closed: bool = False) -> DueRow:
    """Return an open item, or `also_closed` a closed one, as it stands today; raises NotFound."""
    rows = _rows(dates.today(), DueItem.id == item_id, *([] if also_closed else [_IS_OPEN]))
    return existing(next(iter(rows), None), _NO_ITEM)


def vehicles_by(owner: Any, owner_ids: Collection[int]) -> Mapping[int, Mapping[str, str]]:
    """Return the registrations by key in a table of vehicles, by the ids in its `owner` column."""
    row, found = owner.class_, defaultdict[int, dict[str, str]](dict)
    vehicles = select(owner, row.reg_key, row.reg).order_by(row.reg_key)
    for owner_id, key, reg in rows_with(vehicles, owner, owner_ids):
        found[owner_id][key] = reg
    return found


shared_vehicles = partial(vehicles_by, DueItemVehicle.due_item_id)
"""Returns the registrations by key of the vehicles that share items, by the item's id."""


def of_vehicles(statement: Statement) -> Sequence[tuple[Statement, Any, Any]]:
    """Return a statement about own and shared items, each with its columns of item and vehicle."""
    own = statement.add_columns(DueItem.reg, DueItem.reg_key).where(DueItem.reg_key.is_not(None))
    row = DueItemVehicle
    shared = statement.add_columns(row.reg, row.reg_key).join(row, row.due_item_id == DueItem.id)
    return (own, DueItem.id, DueItem.reg_key), (shared, row.due_item_id, row.reg_key)


_IS_OPEN = DueItem.closed_at.is_(None)

_OFF_ROAD_REASON = (
    select(OffRoad.reason)
    .where(OffRoad.until.is_(None), OffRoad.reg_key == DueItem.reg_key)
    .scalar_subquery()
)

_STORED = (
    *(DueItem.id, DueItem.reg, DueItem.reg_key, DueItem.plan_id, DueItem.revision),
    *(DueItem.kind, DueItem.label, DueItem.due_on, DueItem.due_miles, DueItem.snoozed_until),
    DuePlan.blocks,
    func.coalesce(DuePlan.soon_days, Terms.soon_days).label("soon_days"),
    func.coalesce(DuePlan.soon_miles, Terms.soon_miles).label("soon_miles"),
    and_(DueItem.kind == DueKind.TAX, _OFF_ROAD_REASON == OffRoadReason.SORN).label("is_laid_up"),
)
"""What an item is judged by: entities would take several times as long to load."""

_TERMS = [each.name for each in fields(Terms)]


def may_block(item: Any) -> bool:
    """Return whether an item keeps its vehicle off the road once it is overdue."""
    return blocks_when_overdue(item.kind, item.blocks) is Blocks.BLOCK


def _rows(
    today: date,
    *where: ColumnElement[bool],
    condition: Callable[[Any], bool] | None = None,
    mileages: Mapping[str | None, VehicleMileage] | None = None,
    shared: Mapping[int, Mapping[str, str]] | None = None,
) -> list[DueRow]:
    """Return the items that meet conditions as they stand on a day.

    `mileages` and the vehicles of `shared` items are read unless given.
    """
    items, keys = _selected(*where)
    found = [*filter(condition, db.session.execute(items))]
    if mileages is None:
        is_needed = any(item.due_miles is not None for item in found)
        mileages = readings.mileages(keys, today) if is_needed else {}
    if shared is None:
        shared = shared_vehicles([item.id for item in found if item.reg_key is None])
    rows = []
    for item in found:
        row = _judged(item, mileages.get(item.reg_key), today)
        rows.append(replace(row, vehicles=shared[row.id]) if row.is_shared else row)
    return sorted(rows, key=_order)


@lru_cache(maxsize=64)
def _selected(*where: ColumnElement[bool]) -> tuple[Statement, Select[str | None]]:
    """Return the statements of some items, and of the vehicles of items that a mileage makes due.

    Those of all open items are kept: to build them takes as long as to run them.
    """
    items = select(*_STORED).outerjoin(DuePlan, DuePlan.id == DueItem.plan_id).where(*where)
    by_miles = (DueItem.due_miles.is_not(None), DueItem.reg_key.is_not(None))
    return items, select(DueItem.reg_key).where(*where, *by_miles)


@lru_cache(maxsize=2_000)
def _judged(item: Any, mileage: VehicleMileage | None, today: date) -> DueRow:
    """Judge a stored item; after a change most are the same, and their judgement too."""
    stored = {name: getattr(item, name) for name in _TERMS}
    terms = Terms(**stored | {"blocks": blocks_when_overdue(item.kind, item.blocks)})
    last, forecast = (mileage.last, mileage.forecast) if mileage else (None, None)
    is_laid_up = bool(item.is_laid_up)
    standing = judge(terms, today, mileage=last, forecast=forecast, is_laid_up=is_laid_up)
    vehicles = {item.reg_key: item.reg}
    is_shared = item.reg_key is None
    return DueRow(item.id, vehicles, item.plan_id, terms, standing, item.revision, is_shared)


def _order(row: DueRow) -> tuple[date, str, int]:
    return row.standing.first_on or date.max, row.terms.label, row.id


def proposal(item: DueItem, done_on: date, done_miles: int | None) -> NextDue:
    """Return when an item that is done on a day is due again, counted from `miles_when_done`."""
    plan = db.session.get(DuePlan, item.plan_id) if item.plan_id else None
    interval = plan_interval(plan) if plan and plan.is_active else interval_of_kind(item.kind)
    miles = miles_when_done(item, done_on, done_miles)
    return next_due(item.kind, interval, work_on(item, done_on, miles))


def work_on(item: DueItem, done_on: date, done_miles: int | None) -> Work:
    """Return the work from which `next_due` counts."""
    return Work(done_on, done_miles, item.due_on, item.due_miles, item.anchor_day)


def miles_when_done(item: DueItem, day: date, miles: int | None) -> int | None:
    """Return the entered mileage if it fits the readings, else the last one, else the newest."""
    if item.reg_key is None:
        return None
    place = ReadingPlace(item.reg_key, day, miles or 0)
    around = readings.surroundings([place])
    before, after, _ = around[place]
    if miles is not None and find_doubt(miles, day, before=before, after=after) is None:
        return miles
    return _last_miles(around)[place]


def miles_of_done(rows: Sequence[DueDone]) -> Mapping[int, int | None]:
    """Return the mileage of each done work by id: the entered one unless its reading is unused."""
    used = readings.sources_in_use(ReadingSource.DUE, [row.id for row in rows])
    places = {
        row.id: ReadingPlace(row.reg_key, row.done_on, 0)
        for row in rows
        if row.reg_key is not None and row.id not in used
    }
    last = _last_miles(readings.surroundings(places.values()))
    return {row.id: last[places[row.id]] if row.id in places else row.done_miles for row in rows}


def _last_miles(around: Mapping[ReadingPlace, Surroundings]) -> Mapping[ReadingPlace, int | None]:
    missing = {place.reg_key for place, at in around.items() if at.before is None}
    newest = readings.current_mileages(missing)
    last = {place: at.before or newest.get(place.reg_key) for place, at in around.items()}
    return {place: reading.miles if reading else None for place, reading in last.items()}


def get_done(done_id: int, *, of: int | None = None) -> DueDone:
    """Return done work, of one item alone if that is named; raises NotFound."""
    row = db.session.get(DueDone, done_id)
    if row is None or of not in (None, row.due_item_id):
        raise NotFound("There is no such entry. Load the page again.")
    return row


@dataclass(frozen=True)
class DoneRow:
    """Done work, with the usernames of its record and its undo."""

    done: DueDone
    recorded_by: str
    undone_by: str


def history_of(item: DueItem, limit: int) -> Sequence[DoneRow]:
    """Return the work done on an item's kind for its vehicle, or on a shared item itself."""
    statement = select(DueDone).order_by(DueDone.done_on.desc(), DueDone.id.desc()).limit(limit)
    if item.reg_key is None:
        leads = select(DueDone.due_item_id).where(DueDone.next_item_id == item.id)
        is_of = or_(DueDone.due_item_id == item.id, DueDone.due_item_id.in_(leads))
        statement = statement.where(is_of)
    else:
        statement = statement.where(DueDone.reg_key == item.reg_key, DueDone.kind == item.kind)
    rows = db.session.execute(statement).scalars().all()
    users = usernames({id_ for row in rows for id_ in (row.recorded_by, row.undone_by)})
    return [DoneRow(row, users[row.recorded_by], users[row.undone_by]) for row in rows]


def left_problems() -> Iterator[str]:
    """Yield the open items and defects of vehicles that are in no list."""
    open_of = of_vehicles(select(DueItem.id).where(_IS_OPEN))
    items = union_all(*(statement for statement, _, _ in open_of)).subquery()
    listed = select(Vehicle.id).where(IN_LISTS, Vehicle.reg_key == items.c.reg_key)
    statement = select(items.c.id, items.c.reg).where(~listed.exists())
    for item_id, reg in db.session.execute(statement.order_by(items.c.id, items.c.reg_key)):
        yield f"{reg}: item {item_id} is open, and the vehicle is in no list"
    listed = select(Vehicle.id).where(IN_LISTS, Vehicle.reg_key == Defect.reg_key)
    left = select(Defect).where(Defect.closed_at.is_(None), ~listed.exists())
    for defect in db.session.execute(left.order_by(Defect.number)).scalars():
        yield f"{defect.reg}: {defect.reference} is open, and the vehicle is in no list"

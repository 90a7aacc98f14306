"""Due items as they stand today, their notices and calendars, and the work done on them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Select, func, or_, select, union_all

from app import dates
from app.accounts.queries import user, usernames
from app.db import db
from app.defects.models import Defect, OffRoad
from app.defects.rules.fields import OffRoadReason
from app.defects.rules.off_road import Objection
from app.divisions import Division
from app.due.models import CalendarFeed, DueDone, DueItem, DueItemVehicle, DuePlan
from app.due.rules.due import DueGroup, DueStanding, DueState, Terms, judge
from app.due.rules.fields import Blocks, DueKind, blocks_when_overdue
from app.due.rules.icalendar import CalendarDay
from app.due.rules.next_due import NextDue, Work, interval_of_kind, next_due, plan_interval
from app.errors import NotFound, existing
from app.events.models import RecordedEvent
from app.fleet.models import Vehicle
from app.fleet.queries.vehicles import IN_LISTS
from app.fleet.rules.vehicles import UPKEEP
from app.lists import batches, rows_with
from app.mileage import queries as readings
from app.mileage.queries import ReadingPlace, Surroundings
from app.mileage.rules import ReadingSource, find_doubt
from app.versions import cached, version_of

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
    return cached(version, lambda: _rows(_open(), day), "open items", day.isoformat())


def items_of(reg_keys: Collection[str], today: date | None = None) -> Sequence[DueRow]:
    """Return the open items of vehicles as they stand today."""
    day = today or dates.today()
    rows: list[DueRow] = []
    for keys in batches(sorted(set(reg_keys))):
        own = select(DueItem.id).where(DueItem.reg_key.in_(keys), DueItem.closed_at.is_(None))
        shared = select(DueItemVehicle.due_item_id).where(DueItemVehicle.reg_key.in_(keys))
        rows += _rows(_open().where(DueItem.id.in_(own.union_all(shared))), day)
    return rows


def items_of_plan(plan_id: int) -> Sequence[DueRow]:
    """Return the open items of a plan as they stand today."""
    return _rows(_open().where(DueItem.plan_id == plan_id), dates.today())


def objections(reg_keys: Collection[str], today: date) -> Mapping[str, Sequence[Objection]]:
    """Return the overdue items that keep vehicles off the road: 'Its MOT ran out on 18 Nov'."""
    found: dict[str, list[Objection]] = defaultdict(list)
    for row in items_of(reg_keys, today):
        if text := row.standing.objection:
            for key in row.vehicles.keys() & set(reg_keys):
                found[key].append(Objection(text, kind=row.terms.kind))
    return found


def due_notices(reg_keys: Collection[str] | None) -> Mapping[str, Sequence[str]]:
    """Return notices of overdue and soon due items by vehicle; None means all vehicles."""
    today = dates.today()
    rows = open_items(today) if reg_keys is None else items_of(reg_keys, today)
    found: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        notice = row.standing.notice
        # Plans that block nothing give drivers no notice.
        if notice and row.terms.blocks is not Blocks.NONE:
            for key in row.vehicles:
                if reg_keys is None or key in reg_keys:
                    found[key].append(notice)
    return found


def count_by_state(rows: Iterable[DueRow]) -> tuple[int, int]:
    """Return how many items are overdue, and how many are soon or today due."""
    states = [row.standing.state for row in rows]
    soon = states.count(DueState.SOON) + states.count(DueState.TODAY)
    return states.count(DueState.OVERDUE), soon


def by_group(rows: Iterable[DueRow]) -> Mapping[DueGroup, Sequence[DueRow]]:
    """Return the items of each part of the list, in its order."""
    groups: dict[DueGroup, list[DueRow]] = {group: [] for group in DueGroup}
    for row in rows:
        groups[row.standing.group].append(row)
    return groups


def get_item(item_id: int) -> DueItem:
    """Return an item; raises NotFound."""
    return existing(db.session.get(DueItem, item_id), _NO_ITEM)


def get_row(item_id: int, *, also_closed: bool = False) -> DueRow:
    """Return an open item, or `also_closed` a closed one, as it stands today; raises NotFound."""
    items = _all() if also_closed else _open()
    rows = _rows(items.where(DueItem.id == item_id), dates.today())
    return existing(next(iter(rows), None), _NO_ITEM)


def shared_vehicles(item_ids: Collection[int]) -> Mapping[int, Mapping[str, str]]:
    """Return the registrations by key of the vehicles that share items, by the item's id."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    rows = select(DueItemVehicle).order_by(DueItemVehicle.reg_key)
    for (row,) in rows_with(rows, DueItemVehicle.due_item_id, item_ids):
        found[row.due_item_id][row.reg_key] = row.reg
    return found


def _open() -> Select[*tuple[Any, ...]]:
    return _all().where(DueItem.closed_at.is_(None)).order_by(DueItem.due_on, DueItem.id)


def _all() -> Select[*tuple[Any, ...]]:
    return select(DueItem, DuePlan).outerjoin(DuePlan, DuePlan.id == DueItem.plan_id)


def _rows(statement: Select[*tuple[Any, ...]], today: date) -> list[DueRow]:
    found = [(item, plan) for item, plan in db.session.execute(statement)]
    by_miles = {item.reg_key for item, _ in found if item.due_miles is not None and item.reg_key}
    mileages = readings.mileages(by_miles, today)
    shared = shared_vehicles({item.id for item, _ in found if item.reg_key is None})
    laid_up = _laid_up({i.reg_key for i, _ in found if i.kind is DueKind.TAX and i.reg_key})
    rows = []
    for item, plan in found:
        key, mileage = item.reg_key, mileages.get(item.reg_key)
        terms = _terms(item, plan)
        standing = judge(
            terms,
            today,
            mileage=mileage.last if mileage else None,
            forecast=mileage.forecast if mileage else None,
            is_laid_up=key in laid_up,
        )
        is_shared = key is None
        vehicles = shared.get(item.id, {}) if is_shared else {key: item.reg}
        rows.append(
            DueRow(item.id, vehicles, item.plan_id, terms, standing, item.revision, is_shared)
        )
    return sorted(rows, key=_order)


def _terms(item: DueItem, plan: DuePlan | None) -> Terms:
    return Terms(
        kind=item.kind,
        label=item.label,
        due_on=item.due_on,
        due_miles=item.due_miles,
        blocks=blocks_when_overdue(item.kind, plan.blocks if plan else None),
        snoozed_until=item.snoozed_until,
        soon_days=plan.soon_days if plan else Terms.soon_days,
        soon_miles=plan.soon_miles if plan else Terms.soon_miles,
    )


def _order(row: DueRow) -> tuple[date, str, int]:
    return row.standing.first_on or date.max, row.terms.label, row.id


def _laid_up(reg_keys: Collection[str]) -> set[str]:
    is_laid_up = (OffRoad.until.is_(None), OffRoad.reason == OffRoadReason.SORN)
    laid_up = select(OffRoad.reg_key).where(*is_laid_up)
    return {key for (key,) in rows_with(laid_up, OffRoad.reg_key, reg_keys)}


def proposal(item: DueItem, done_on: date, done_miles: int | None) -> NextDue:
    """Return when an item that is done on a day is due again, counted from `miles_when_done`."""
    plan = db.session.get(DuePlan, item.plan_id) if item.plan_id else None
    interval = plan_interval(plan) if plan and plan.is_active else interval_of_kind(item.kind)
    miles = miles_when_done(item, done_on, done_miles)
    return next_due(item.kind, interval, work_on(item, done_on, miles))


def work_on(item: DueItem, done_on: date, done_miles: int | None) -> Work:
    """Return work done on an item, as what follows is counted from it."""
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
    """Return the miles of the last reading up to each day, else of the vehicle's newest."""
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
    own = select(DueItem.id, DueItem.reg_key, DueItem.reg).where(DueItem.closed_at.is_(None))
    shared = (
        select(DueItem.id, DueItemVehicle.reg_key, DueItemVehicle.reg)
        .join(DueItem, DueItem.id == DueItemVehicle.due_item_id)
        .where(DueItem.closed_at.is_(None))
    )
    items = union_all(own.where(DueItem.reg_key.is_not(None)), shared).subquery()
    listed = select(Vehicle.id).where(IN_LISTS, Vehicle.reg_key == items.c.reg_key)
    statement = select(items.c.id, items.c.reg).where(~listed.exists())
    for item_id, reg in db.session.execute(statement.order_by(items.c.id, items.c.reg_key)):
        yield f"{reg}: item {item_id} is open, and the vehicle is in no list"
    listed = select(Vehicle.id).where(IN_LISTS, Vehicle.reg_key == Defect.reg_key)
    left = select(Defect).where(Defect.closed_at.is_(None), ~listed.exists())
    for defect in db.session.execute(left.order_by(Defect.number)).scalars():
        yield f"{defect.reg}: {defect.reference} is open, and the vehicle is in no list"


READERS = {Division.FLEET, Division.GPM}
"""The divisions whose people can have a calendar."""


def token_hash(token: str) -> str:
    """Return the stored hash of a secret address."""
    return sha256(token.encode()).hexdigest()


def current_feed(user_id: int) -> CalendarFeed | None:
    """Return the address of a user that works, None without one."""
    statement = select(CalendarFeed).filter_by(user_id=user_id)
    newest = statement.where(CalendarFeed.revoked_at.is_(None)).order_by(CalendarFeed.id.desc())
    return db.session.execute(newest.limit(1)).scalar_one_or_none()


def check_token(token: str) -> None:
    """Check that an address works and its active owner may read it; raises NotFound."""
    statement = select(CalendarFeed).filter_by(token_hash=token_hash(token))
    feed = db.session.execute(statement).scalar_one_or_none()
    owner = user(feed.user_id) if feed is not None and feed.revoked_at is None else None
    if owner is None or owner.disabled_at is not None or not owner.roles().keys() & READERS:
        raise NotFound("There is no such calendar.")


def calendar_days(today: date) -> Sequence[CalendarDay]:
    """Return due items as events of whole days, mileages on the days they are expected."""
    found = [(row, *at) for row in open_items(today) if (at := row.standing.calendar_day)]
    changed = _last_changes([row.id for row, _, _ in found])
    return [
        CalendarDay(
            uid=f"due-{row.id}@quartermaster",
            day=day,
            summary=f"{row.regs}: {row.terms.label}" + (f" ({mark})" if mark else ""),
            description=row.standing.reason,
            sequence=row.revision,
            changed_at=changed[row.id],
        )
        for row, day, mark in found
    ]


def _last_changes(item_ids: Sequence[int]) -> Mapping[int, datetime]:
    opened = select(DueItem.id, DueItem.opened_at)
    changed = (
        select(RecordedEvent.subject_id, func.max(RecordedEvent.at))
        .where(RecordedEvent.subject_kind == "due_item")
        .group_by(RecordedEvent.subject_id)
    )
    changes = rows_with(changed, RecordedEvent.subject_id, map(str, item_ids))
    found = dict(rows_with(opened, DueItem.id, item_ids))
    return found | {int(id_): at for id_, at in changes}

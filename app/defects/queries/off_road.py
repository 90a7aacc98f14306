"""The vehicles off the road, since when, and the objections to their return."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, aliased

from app import dates
from app.accounts.history import lost_race
from app.accounts.models import User
from app.db import db, stream_rows
from app.defects.models import Defect, OffRoad
from app.defects.queries.defects import IS_OPEN, seen_after_repair
from app.defects.rules import off_road as rules
from app.defects.rules.fields import UNBOOKED, OffRoadReason
from app.defects.rules.off_road import BoardFilter, NextStep, Objection
from app.errors import existing
from app.fleet.rules.findings import Severity, Standing
from app.lists import batches, grouped
from app.paging import Page, load_page
from app.reference_numbers import ReferenceNumber, Series

OBJECTING: list[Callable[[Collection[str], date], Mapping[str, Sequence[Objection]]]] = []
"""The functions of features above this one that name what else keeps vehicles off the road."""

Overdue = Mapping[str, Sequence[Objection]]
Stops = Mapping[str, Sequence[Defect]]

ROWS_PER_PAGE = 100

_IS_CURRENT = OffRoad.until.is_(None)

_IS_STOPPING = and_(IS_OPEN, Defect.severity == Severity.STOP)

_IS_UNBOOKED = (
    select(Defect.id)
    .where(Defect.reg_key == OffRoad.reg_key, _IS_STOPPING, Defect.state.in_(UNBOOKED))
    .exists()
)


def is_off_road(reg_key: ColumnElement[str] | InstrumentedAttribute[str]) -> ColumnElement[bool]:
    """Return the condition that a vehicle is off the road now."""
    return select(OffRoad.id).where(_IS_CURRENT, OffRoad.reg_key == reg_key).exists()


def was_off_road(reg_key: str, at: datetime) -> bool:
    """Return whether a vehicle was off the road at a time."""
    is_of = (OffRoad.reg_key == reg_key, OffRoad.since <= at)
    lasted = select(OffRoad.id).where(*is_of, or_(_IS_CURRENT, OffRoad.until > at))
    return db.session.scalar(lasted.limit(1)) is not None


def current_times(reg_keys: Collection[str]) -> Mapping[str, OffRoad]:
    """Return the times off the road that last, by vehicle."""
    statement = select(OffRoad).where(_IS_CURRENT, OffRoad.reg_key.in_(reg_keys))
    return {row.reg_key: row for row in db.session.scalars(statement)}


def off_road_since(reg_keys: Collection[str] | None) -> Mapping[str, date]:
    """Return the day since when vehicles are off the road; None means of all."""
    statement = select(OffRoad.reg_key, OffRoad.since).where(_IS_CURRENT)
    if reg_keys is not None:
        statement = statement.where(OffRoad.reg_key.in_(reg_keys))
    return {row.reg_key: dates.london_day(row.since) for row in db.session.execute(statement)}


@dataclass(frozen=True)
class BoardRow:
    """A vehicle off the road, with its reasons, its stop defects and its next step.

    `overdue` names other reasons to keep it off the road, such as an MOT that ran out. With
    `is_seen` somebody still saw one of its defects after the repair.
    """

    time: OffRoad
    reasons: Sequence[str]
    defects: Sequence[Defect]
    overdue: Sequence[str]
    next_step: NextStep
    lasts: str
    days_over: int
    is_seen: bool

    @property
    def unnamed(self) -> Sequence[str]:
        """Return the numbers of the stop defects that its reasons don't name."""
        text = " ".join(self.reasons)
        return [row.reference for row in self.defects if row.reference not in text]

    @property
    def is_ready(self) -> bool:
        """Return whether only a manager is missing: all is mended, and nothing else keeps it."""
        reason = self.time.reason
        if self.overdue or self.is_seen or rules.other_reasons(reason, self.time.detail):
            return False
        is_mended = self.next_step is NextStep.RETURN and reason is OffRoadReason.DEFECT
        return is_mended or self.next_step is NextStep.SIGN_OFF


@dataclass(frozen=True)
class BoardSums:
    """The times of the vehicles off the road by filter, longest first, and their days in all."""

    times: Mapping[BoardFilter | None, Sequence[OffRoad]]
    days: int

    @property
    def off_road(self) -> int:
        """Return how many there are."""
        return len(self.times[None])

    @property
    def late(self) -> int:
        """Return how many are back later than expected."""
        return len(self.times[BoardFilter.LATE])


def board_sums(today: date) -> BoardSums:
    """Return the sums of all vehicles that are off the road, with their times."""
    statement = select(OffRoad, _IS_UNBOOKED).where(_IS_CURRENT)
    found = db.session.execute(statement.order_by(OffRoad.since, OffRoad.reg)).all()
    times: dict[BoardFilter | None, Sequence[OffRoad]] = {
        None: [time for time, _ in found],
        BoardFilter.UNBOOKED: [time for time, is_unbooked in found if is_unbooked],
        BoardFilter.LATE: [time for time, _ in found if rules.days_over(time.expected_back, today)],
    }
    days = sum(rules.days_off(time.since, None, today) for time in times[None])
    return BoardSums(times, days)


def board_page(times: Sequence[OffRoad], page: int, today: date) -> Page[BoardRow]:
    """Return a page of vehicles off the road."""

    def load(limit: int, offset: int) -> Sequence[BoardRow]:
        return board_rows(times[offset : offset + limit], today)

    return load_page(page, total=len(times), per_page=ROWS_PER_PAGE, load=load)


def board_rows(
    times: Sequence[OffRoad], today: date, overdue: Overdue | None = None
) -> Sequence[BoardRow]:
    """Return current times off the road as rows of the board; `overdue` is read unless given."""
    keys = [time.reg_key for time in times]
    stops = _stop_defects(keys)
    overdue = _overdue(keys, today) if overdue is None else overdue
    seen_after = seen_after_repair([defect for each in stops.values() for defect in each])
    return [
        BoardRow(
            time=time,
            reasons=rules.describe_reason(time.reason, time.detail, defects, seen_after),
            defects=defects,
            overdue=[each.text for each in overdue.get(time.reg_key, ())],
            next_step=rules.next_step(defects),
            lasts=rules.describe_days(time.since, None, today),
            days_over=rules.days_over(time.expected_back, today),
            is_seen=any(defect.id in seen_after for defect in defects),
        )
        for time, defects in ((time, stops.get(time.reg_key, ())) for time in times)
    ]


def get_time(time_id: int) -> OffRoad:
    """Return a time off the road; raises NotFound."""
    time = db.session.get(OffRoad, time_id)
    return existing(time, "There is no such time off the road. Load the list again.")


def returned_message(time: OffRoad) -> str:
    """Return who put a vehicle back on the road and when, '' while it is off the road."""
    done = f"put {time.reg} back on the road"
    return lost_race(time.signed_as, done, time.until) if time.until else ""


@dataclass(frozen=True)
class TimeRow:
    """A time off the road with its defect's number, and who opened and closed it."""

    time: OffRoad
    defect_number: int | None
    opened_by: str
    closed_by: str

    @property
    def defect(self) -> str | None:
        """Return the number of its defect as people say it."""
        number = self.defect_number
        return None if number is None else str(ReferenceNumber(Series.DEFECT, number))


def times_of(reg_key: str, limit: int | None = None, before_id: int = 0) -> Sequence[TimeRow]:
    """Return the times that a vehicle was off the road, newest first, or those before an id."""
    statement = _times().where(OffRoad.reg_key == reg_key).limit(limit)
    if before_id:
        statement = statement.where(OffRoad.id < before_id)
    return [TimeRow(*row) for row in db.session.execute(statement)]


def time_row(time_id: int) -> TimeRow:
    """Return a time off the road by its id."""
    return TimeRow(*db.session.execute(_times().where(OffRoad.id == time_id)).one())


def all_times() -> Iterator[TimeRow]:
    """Yield all times off the road, the newest first."""
    return (TimeRow(*row) for row in stream_rows(_times()))


def last_time(reg_key: str) -> OffRoad | None:
    """Return the time off the road of a vehicle that lasts, else its last one."""
    order = (OffRoad.until.is_not(None), OffRoad.since.desc(), OffRoad.id.desc())
    return db.session.scalar(select(OffRoad).filter_by(reg_key=reg_key).order_by(*order).limit(1))


def _times() -> Select[*tuple[Any, ...]]:
    opener, closer = aliased(User), aliased(User)
    signed_as = func.coalesce(func.nullif(OffRoad.signed_as, ""), closer.username, "")
    return (
        select(OffRoad, Defect.number, func.coalesce(opener.username, ""), signed_as)
        .outerjoin(Defect, Defect.id == OffRoad.defect_id)
        .outerjoin(opener, opener.id == OffRoad.opened_by)
        .outerjoin(closer, closer.id == OffRoad.closed_by)
        .order_by(OffRoad.since.desc(), OffRoad.id.desc())
    )


def _stop_defects(reg_keys: Collection[str]) -> Stops:
    statement = select(Defect).where(Defect.reg_key.in_(reg_keys), _IS_STOPPING)
    # SQLite would read all defects to have them in order.
    rows = sorted(db.session.scalars(statement), key=lambda row: row.number)
    return grouped((row.reg_key, row) for row in rows)


def objections_to(
    reg_keys: Collection[str], overdue: Overdue | None = None, stops: Stops | None = None
) -> Overdue:
    """Return the objections to the return of vehicles: they are read unless given."""
    stops = _stop_defects(reg_keys) if stops is None else stops
    overdue = _overdue(reg_keys, dates.today()) if overdue is None else overdue
    return {
        key: [*map(rules.stop_objection, stops.get(key, ())), *overdue.get(key, ())]
        for key in reg_keys
    }


def standings(reg_keys: Collection[str]) -> Mapping[str, Standing]:
    """Return whether vehicles may be used; one without a mapping may."""
    found: dict[str, Standing] = {}
    for keys in batches(sorted(set(reg_keys))):
        counted = select(Defect.reg_key, func.count()).where(Defect.reg_key.in_(keys), IS_OPEN)
        defects = dict(db.session.execute(counted.group_by(Defect.reg_key)).all())
        times = current_times(keys)
        for key, objections in objections_to(keys).items():
            time = times.get(key)
            reasons = [objection.text for objection in objections]
            if time and not reasons:
                reasons = [f"Off the road: {time.reason.label}"]
            if reasons or defects.get(key):
                found[key] = Standing(
                    is_roadworthy=not reasons,
                    reasons=reasons,
                    off_road_since=dates.london_day(time.since) if time else None,
                    open_defects=defects.get(key, 0),
                )
    return found


def _overdue(reg_keys: Collection[str], today: date) -> Mapping[str, Sequence[Objection]]:
    found = chain.from_iterable(find(reg_keys, today).items() for find in OBJECTING)
    return grouped((key, each) for key, objections in found for each in objections)


def off_road_problems() -> Iterator[str]:
    """Yield the times off the road that end before they begin."""
    wrong = select(OffRoad).where(OffRoad.until < OffRoad.since).order_by(OffRoad.id)
    for time in db.session.scalars(wrong):
        yield f"{time.reg}: time off the road {time.id} ends before it begins"


def stop_problems() -> Iterator[str]:
    """Yield the stop defects that are open of vehicles on the road, unless that was overridden."""
    time = select(OffRoad.id).where(OffRoad.reg_key == Defect.reg_key)
    current = time.where(_IS_CURRENT).exists()
    is_overridden = (OffRoad.override_reason != "", OffRoad.until >= Defect.reported_at)
    overridden = time.where(*is_overridden).exists()
    stopping = select(Defect).where(_IS_STOPPING, ~current, ~overridden)
    for defect in db.session.scalars(stopping.order_by(Defect.number)):
        yield f"{defect.reference} stops {defect.reg}, which isn't off the road"

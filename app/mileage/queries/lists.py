"""Lists of odometer readings: the doubtful ones, a vehicle's, and all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, text

from app.accounts.history import SYSTEM, lost_race
from app.accounts.queries import usernames
from app.db import db, stream_rows
from app.mileage.models import DOUBTFUL, OdometerReading
from app.mileage.queries.readings import ReadingPlace, surroundings
from app.mileage.rules import describe_doubt, find_doubt
from app.paging import Page, load_page
from app.search import without_index

ROWS_PER_PAGE = 50

MAX_DOUBTFUL = 25
"""How many doubtful readings the page asks about at once."""

_IS_DOUBTFUL = text(DOUBTFUL)


@dataclass(frozen=True)
class ReadingRow:
    """A reading in a list; `recorded_by` and `void_by` are usernames, '' for the terminal."""

    reading: OdometerReading
    recorded_by: str
    void_by: str
    question: str = ""

    @property
    def state(self) -> str:
        """Return how it stands: 'accepted', 'doubtful' or 'void'."""
        if self.reading.void_at is not None:
            return "void"
        return "accepted" if self.reading.is_accepted else "doubtful"


def doubtful_readings(reg_key: str = "") -> Sequence[ReadingRow]:
    """Return readings that wait for a decision, the newest first, each with its question."""
    statement = select(OdometerReading).where(_IS_DOUBTFUL)
    if reg_key:
        # Few readings are doubtful, while a vehicle has one for each of its checks.
        statement = statement.where(without_index(OdometerReading.reg_key) == reg_key)
    newest = statement.order_by(OdometerReading.day.desc(), OdometerReading.id.desc())
    return _rows(db.session.execute(newest.limit(MAX_DOUBTFUL)).scalars().all())


def decided_message(row: OdometerReading) -> str:
    """Return who decided on a reading and when, '' before a decision."""
    if row.accepted_at is not None and row.void_at is None:
        done = f"accepted {row.miles:,} of {row.reg}"
        return lost_race(row.accepted_by, done, row.accepted_at, unnamed=SYSTEM)
    if row.is_accepted and row.void_at is None:
        return f"{row.miles:,} of {row.reg} is in use already. Nothing was changed."
    return void_message(row)


def void_message(row: OdometerReading) -> str:
    """Return who voided a reading and when, '' for a reading that isn't void."""
    if row.void_at is None:
        return ""
    done = f"voided {row.miles:,} of {row.reg}"
    return lost_race(row.void_by, done, row.void_at, unnamed=SYSTEM)


def count_doubtful() -> int:
    """Return how many readings wait for a decision."""
    statement = select(func.count()).select_from(OdometerReading).where(_IS_DOUBTFUL)
    return db.session.execute(statement).scalar_one()


def reading_page(reg_key: str, page: int) -> Page[ReadingRow]:
    """Return a page of a vehicle's readings, newest first."""
    is_of = OdometerReading.reg_key == reg_key
    newest = (
        select(OdometerReading)
        .where(is_of)
        .order_by(OdometerReading.day.desc(), OdometerReading.id.desc())
    )
    counted = select(func.count()).select_from(OdometerReading).where(is_of)
    return load_page(
        page,
        total=db.session.execute(counted).scalar_one(),
        per_page=ROWS_PER_PAGE,
        load=lambda limit, offset: _rows(
            db.session.execute(newest.limit(limit).offset(offset)).scalars().all()
        ),
    )


def all_readings() -> Iterable[OdometerReading]:
    """Yield the readings that aren't void, by vehicle and day."""
    statement = (
        select(OdometerReading)
        .where(OdometerReading.void_at.is_(None))
        .order_by(OdometerReading.reg_key, OdometerReading.day, OdometerReading.id)
    )
    return (row for (row,) in stream_rows(statement))


def question_about(reading: OdometerReading) -> str:
    """Return the question about a doubtful reading."""
    return _questions([reading])[reading.id]


def _questions(readings: Sequence[OdometerReading]) -> Mapping[int, str]:
    """Return the questions about doubtful readings, each with a contradicting neighbour."""
    places = {row.id: ReadingPlace(row.reg_key, row.day, row.miles) for row in readings}
    around = surroundings(places.values())
    found: dict[int, str] = {}
    for reading_id, place in places.items():
        earlier, later, _ = around[place]
        is_high_enough = find_doubt(place.miles, place.day, before=earlier, after=None) is None
        beside = later if earlier is None or (later and is_high_enough) else earlier
        found[reading_id] = describe_doubt(place.miles, place.day, beside)
    return found


def _rows(readings: Sequence[OdometerReading]) -> Sequence[ReadingRow]:
    users = usernames({id_ for row in readings for id_ in (row.recorded_by, row.void_by)})
    questions = _questions([row for row in readings if not row.is_accepted and not row.void_at])
    return [
        ReadingRow(row, users[row.recorded_by], users[row.void_by], questions.get(row.id, ""))
        for row in readings
    ]

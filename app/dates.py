"""Days as London sees them, times in UTC (design §4)."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from app.errors import Invalid

LONDON = ZoneInfo("Europe/London")
EARLIEST_DAY = date(2000, 1, 1)


def utc_now() -> datetime:
    """Return the present moment in UTC."""
    return datetime.now(UTC)


def london_day(moment: datetime) -> date:
    """Return the day in London at an aware moment."""
    return moment.astimezone(LONDON).date()


def today() -> date:
    """Return today's date in London."""
    return london_day(utc_now())


def noon_in_london(day: date) -> datetime:
    """Return 12:00 Europe/London of a day as UTC, the time of a stock operation (seed §4)."""
    return datetime.combine(day, time(12), LONDON).astimezone(UTC)


def start_of_day(day: date) -> datetime:
    """Return when a day begins in London, as UTC."""
    return datetime.combine(day, time(), LONDON).astimezone(UTC)


def end_of_day(day: date) -> datetime:
    """Return when a day has ended in London, the next one's beginning, as UTC."""
    if day == date.max:
        return datetime.max.replace(tzinfo=UTC)
    return start_of_day(day + timedelta(days=1))


def parse_moment(text: str) -> datetime:
    """Read a day, a London time or a moment with its offset, to the second.

    Raises Invalid when it is none of them, before EARLIEST_DAY and in the future.
    """
    said = text.strip()
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        moment = None
    if moment is None or len(said) < 10 or said[4:5] != "-":
        raise Invalid(f'"{said[:40]}" is not a date like 2011-12-09 or 2011-12-09 12:50')
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=LONDON)
    if moment.date() < EARLIEST_DAY:
        raise Invalid(f"Date can't be before {format_day(EARLIEST_DAY)}.")
    # Today's operations stand at 12:00, which may be yet to come.
    if moment.year > today().year + 1 or london_day(moment) > today():
        raise Invalid("Date can't be in the future.")
    return moment.astimezone(UTC).replace(microsecond=0)


def parse_day(text: str) -> date:
    """Read '2011-12-09'.

    Raises Invalid when it is not such a day.
    """
    try:
        return datetime.strptime(text.strip(), "%Y-%m-%d").date()  # noqa: DTZ007 (a day has no zone)
    except ValueError:
        raise Invalid(f'"{text[:40]}" is not a date like 2011-12-09') from None


def check_day(day: date, *, days_ahead: int = 0, earliest: date = EARLIEST_DAY) -> date:
    """Return a day that somebody chose; `days_ahead` is how far in the future it may lie.

    Raises Invalid beyond that and before `earliest`.
    """
    last = today() + timedelta(days=days_ahead)
    if day > last:
        raise Invalid(
            f"Date can't be after {format_day(last)}."
            if days_ahead
            else "Date can't be in the future."
        )
    if day < earliest:
        raise Invalid(f"Date can't be before {format_day(earliest)}.")
    return day


def format_day(day: date) -> str:
    """Write a day as '9 Dec 2011'."""
    return f"{day.day} {day:%b %Y}"


def short_day(day: date) -> str:
    """Write a day as '9 Dec', where its year is clear."""
    return f"{day.day} {day:%b}"


def format_time(moment: datetime) -> str:
    """Write a moment's London time as '14:02'."""
    return f"{moment.astimezone(LONDON):%H:%M}"


def format_local_time(moment: datetime) -> str:
    """Write a moment's London time as '2011-12-09 12:50', with seconds where there are any."""
    local = moment.astimezone(LONDON)
    return f"{local:%Y-%m-%d %H:%M:%S}" if local.second else f"{local:%Y-%m-%d %H:%M}"

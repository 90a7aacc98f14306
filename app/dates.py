"""Days and times of London."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from app.errors import Invalid

LONDON = ZoneInfo("Europe/London")
EARLIEST_DAY = date(2000, 1, 1)

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DAY_IN_TEXT = re.compile(rf"(?<![\w./-]){_DAY.pattern}(?![\w/-]|\.\w)", re.ASCII)

_moment: ContextVar[datetime | None] = ContextVar("moment", default=None)


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return _moment.get() or datetime.now(UTC)


@contextmanager
def as_of(moment: datetime) -> Iterator[None]:
    """Stop the clock at a past moment, for the demo's past events."""
    token = _moment.set(moment)
    try:
        yield
    finally:
        _moment.reset(token)


def london_day(moment: datetime) -> date:
    """Return the London day of an aware datetime."""
    return moment.astimezone(LONDON).date()


def today() -> date:
    """Return today's date in London."""
    return london_day(utc_now())


def noon_in_london(day: date) -> datetime:
    """Return 12:00 Europe/London on a day as UTC: the effective time of a stock operation."""
    return datetime.combine(day, time(12), LONDON).astimezone(UTC)


def start_of_day(day: date) -> datetime:
    """Return midnight at the start of a London day, as UTC."""
    return datetime.combine(day, time(), LONDON).astimezone(UTC)


def end_of_day(day: date) -> datetime:
    """Return midnight at the end of a London day, as UTC."""
    if day == date.max:
        return datetime.max.replace(tzinfo=UTC)
    return start_of_day(day + timedelta(days=1))


def parse_moment(text: str) -> datetime:
    """Parse a day, a London time or a time with an offset into UTC, to the second.

    Raises Invalid, also before EARLIEST_DAY and in the future.
    """
    stripped = text.strip()
    try:
        moment = datetime.fromisoformat(stripped)
    except ValueError:
        moment = None
    if moment is None or len(stripped) < 10 or stripped[4:5] != "-":
        raise Invalid(f'"{stripped[:40]}" is not a date like 2011-12-09 or 2011-12-09 12:50')
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=LONDON)
    if moment.date() < EARLIEST_DAY:
        raise Invalid(describe_early(EARLIEST_DAY))
    # Operations of today are dated 12:00, which may still be in the future.
    if moment.year > today().year + 1 or london_day(moment) > today():
        raise Invalid("Date can't be in the future.")
    return moment.astimezone(UTC).replace(microsecond=0)


def parse_day(text: str) -> date:
    """Parse a day such as '2011-12-09'. Raises Invalid for any other text."""
    try:
        if _DAY.fullmatch(text):
            # Twenty times as fast as strptime, which also takes "2011-2-9".
            return date.fromisoformat(text)
        return datetime.strptime(text.strip(), "%Y-%m-%d").date()  # noqa: DTZ007 (a day has no zone)
    except ValueError:
        expected = "in the calendar" if _DAY.fullmatch(text) else "a date like 2011-12-09"
        raise Invalid(f'"{text[:40]}" is not {expected}') from None


def parse_range(values: Mapping[str, str]) -> tuple[date | None, date | None, dict[str, str]]:
    """Return the days `from` and `to`, None for a missing one, and their errors by name.

    `range` is both in a word (docs/domain.md, History).
    """
    days: dict[str, date | None] = {"from": None, "to": None}
    problems: dict[str, str] = {}
    if values.get(RANGE):
        found = days_of_range(values)
        if not found:
            problems[RANGE] = f"Range must be one of: {', '.join(RANGES)}."
        elif not days.keys().isdisjoint(values):
            problems[RANGE] = "Choose either range or from and to."
        values = found
    for name in days:
        try:
            days[name] = parse_day(values[name]) if name in values else None
        except Invalid as error:
            problems[name] = error.message
    start, end = days["from"], days["to"]
    if start and end and start > end:
        first, last = format_day(start), format_day(end)
        problems["from"] = f"From ({first}) is later than to ({last})."
    return start, end, problems


def check_day(day: date, *, days_ahead: int = 0, earliest: date = EARLIEST_DAY) -> date:
    """Return a chosen day. Raises Invalid unless it is from `earliest` to `days_ahead` days on."""
    if day > last_day(days_ahead):
        raise Invalid(describe_late(days_ahead))
    if day < earliest:
        raise Invalid(describe_early(earliest))
    return day


def last_day(days_ahead: int) -> date:
    """Return the last day that can be chosen."""
    return today() + timedelta(days=days_ahead)


def describe_late(days_ahead: int) -> str:
    """Return the message for a day after the last allowed one."""
    if not days_ahead:
        return "Date can't be in the future."
    return f"Date can't be after {format_day(last_day(days_ahead))}."


def describe_early(earliest: date) -> str:
    """Return the message for a day before the first allowed one."""
    return f"Date can't be before {format_day(earliest)}."


@lru_cache(maxsize=4096)
def format_day(day: date) -> str:
    """Format a day as '9 Dec 2011'."""
    return f"{day.day} {day:%b %Y}"


def format_days_in(text: str) -> str:
    """Return a text with each day such as '2011-12-09' in it as '9 Dec 2011'."""
    if "-" not in text:
        return text

    def formatted(match: re.Match[str]) -> str:
        try:
            return format_day(parse_day(match[0]))
        except Invalid:
            return match[0]

    return _DAY_IN_TEXT.sub(formatted, text)


def short_day(day: date) -> str:
    """Format a day without its year, as '9 Dec'."""
    return f"{day.day} {day:%b}"


def format_time(moment: datetime) -> str:
    """Format the London time of a datetime as '14:02'."""
    return f"{moment.astimezone(LONDON):%H:%M}"


def short_time(moment: datetime) -> str:
    """Format the London time of a datetime for a sentence, as '9:40'."""
    return format_time(moment).removeprefix("0")


def moment_in_sentence(moment: datetime, today: date) -> str:
    """Return when something happened, for a sentence: 'at 9:40', 'on 3 Nov 2026 at 9:40'."""
    day = london_day(moment)
    on = "" if day == today else f"on {format_day(day)} "
    return f"{on}at {short_time(moment)}"


def describe_sending(made_at: datetime | None, sent_at: datetime) -> str:
    """Return 'Sent 14:02, made 9:40', with days that differ; '' for a change sent in a minute."""
    if made_at is None or abs(sent_at - made_at) <= timedelta(minutes=1):
        return ""
    days = [london_day(moment) for moment in (sent_at, made_at)]
    texts = [short_time(moment) for moment in (sent_at, made_at)]
    if days[0] != days[1]:
        format_either = short_day if days[0].year == days[1].year else format_day
        texts = [f"{format_either(day)} {time}" for day, time in zip(days, texts, strict=True)]
    return f"Sent {texts[0]}, made {texts[1]}"


def format_machine_time(moment: datetime) -> str:
    """Format a datetime for the `datetime` of HTML, which has no microseconds."""
    return moment.isoformat(timespec="seconds")


def format_local_time(moment: datetime) -> str:
    """Format a datetime as London time, '2011-12-09 12:50', with seconds unless they are 0."""
    return utc_as_local_time(moment.astimezone(UTC).replace(tzinfo=None))


@lru_cache(maxsize=4096)
def utc_as_local_time(moment: datetime) -> str:
    """Format a naive UTC time as `format_local_time` does; fast for many times of few hours."""
    start = _local_hour(moment.replace(minute=0, second=0, microsecond=0))
    second = f":{moment.second:02d}" if moment.second else ""
    return f"{start}{moment.minute:02d}{second}"


@lru_cache(maxsize=4096)
def _local_hour(hour: datetime) -> str:
    """Return the beginning of all times in an hour of UTC; London is whole hours from UTC."""
    return f"{hour.replace(tzinfo=UTC).astimezone(LONDON):%Y-%m-%d %H:}"


@dataclass(frozen=True)
class DateRange:
    """A labelled range of days; `start` and `end` are included."""

    label: str
    start: date
    end: date

    @property
    def word(self) -> str:
        """Return the word of the range in addresses, such as 'last-7-days'."""
        return self.label.lower().replace(" ", "-")


def quick_ranges(today: date) -> Sequence[DateRange]:
    """Return the quick ranges (docs/domain.md, History); all but the last month end today."""
    month = today.replace(day=1)
    last_month_end = month - timedelta(days=1)
    return (
        DateRange("Today", today, today),
        DateRange("Last 7 days", today - timedelta(days=6), today),
        DateRange("Last 30 days", today - timedelta(days=29), today),
        DateRange("This month", month, today),
        DateRange("Last month", last_month_end.replace(day=1), last_month_end),
        DateRange("Year to date", today.replace(month=1, day=1), today),
    )


RANGE = "range"
"""The name of a quick range in addresses, where its word moves with the day."""

RANGES = [quick.word for quick in quick_ranges(EARLIEST_DAY)]


def days_of_range(values: Mapping[str, str]) -> Mapping[str, str]:
    """Return the days `from` and `to` of the quick range in an address, {} without one."""
    found = (quick for quick in quick_ranges(today()) if quick.word == values.get(RANGE))
    return {n: str(day) for quick in found for n, day in (("from", quick.start), ("to", quick.end))}


def near_day(day: date, today: date) -> str:
    """Return a day as '18 Nov', with its year if that is 300 days or more from today."""
    return short_day(day) if abs((day - today).days) < 300 else format_day(day)


def weekday(day: date, today: date) -> str:
    """Return a day with its weekday, as 'Mon 23 Nov', and with its year if it isn't this one."""
    return f"{day:%a} {short_day(day) if day.year == today.year else format_day(day)}"

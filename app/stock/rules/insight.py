"""Rules of stock's reports; docs/domain.md, Insight."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from app.divisions import SITES, Division, Site
from app.fields import LabelledEnum

MAX_MONTHS = 24
MAX_DAYS = 3650
IDLE_DAYS = 90
NOT_COUNTED_DAYS = (90, 180, 365)


class Question(LabelledEnum):
    """A question that a report about stock answers."""

    USE = "use", "Use"
    TOP = "top", "Most used"
    VALUE = "value", "Value"
    COUNTS = "counts", "Stock checks"
    IDLE = "idle", "Not used"


class Grouping(LabelledEnum):
    """What use is added up by."""

    TEAM = "team", "Team"
    ITEM = "item", "Item"


@dataclass(frozen=True)
class InsightFilters:
    """What a report is about; `recorded_by` is the day on which the stock `as_of` a day was so."""

    division: Division
    start: date
    end: date
    site: Site | None = None
    by: Grouping = Grouping.TEAM
    as_of: date | None = None
    recorded_by: date | None = None
    days: int | None = None

    @property
    def sites(self) -> Sequence[Site]:
        """Return the sites that the report is about."""
        return [self.site] if self.site else SITES[self.division]


class UseLine(NamedTuple):
    """The units and pence that a team used, or of an item, in the month that begins on a day."""

    day: date
    amount: int
    value: int
    key: Hashable
    name: str
    site: Site | None = None
    item_id: int | None = None
    unit: str = ""


class SiteValue(NamedTuple):
    """The value of a site's stock at the end of a day in pence, None before it is known."""

    day: date
    site: Site
    value: int | None


class CountLine(NamedTuple):
    """What a month's checks of a site found: `right` lines had no difference, others were short."""

    day: date
    site: Site
    lines: int
    right: int
    short: int
    short_value: int


def describe_share(part: int, whole: int) -> str:
    """Return a share such as '98.5%', rounded down, '–' of nothing."""
    return f"{1000 * part // whole / 10:.1f}%" if whole else "–"


def describe_users(sites: Sequence[Site]) -> str:
    """Return which sites use an item, as 'Northern uses it', '' without any."""
    labels = " and ".join(site.label for site in sites)
    return f"{labels} {'uses' if len(sites) == 1 else 'use'} it" if sites else ""

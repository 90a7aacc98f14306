"""The waiting work of a division, with the action for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import url_for

from app import dates
from app.assets.queries import register
from app.assets.rules import NO_VALUE
from app.bookings.queries import desk as bookings
from app.bookings.rules import BookingKind
from app.dashboard.queries import Reads
from app.dashboard.rules import list_some
from app.defects.queries import defects as defect_list
from app.defects.queries import off_road
from app.defects.rules.fields import DefectState
from app.defects.rules.off_road import BoardFilter
from app.deliveries import queries as deliveries
from app.deliveries.models import Delivery
from app.divisions import SITES, Division, Role, Site, Store
from app.due.queries import due
from app.due.rules.due import DueGroup
from app.fleet.queries import overview as fleet
from app.fleet.queries import review_queue
from app.fleet.queries.checks import CheckRow
from app.fleet.rules.checks import CheckFlag, damage_text
from app.mileage import queries as readings
from app.money import count_of, format_number, format_pence
from app.names import truncate
from app.stock.queries import overview
from app.sums import add_counts
from app.web.access import current_user

MAX_ROWS = 4
"""How many deliveries or checks are on the dashboard; the others are behind a link."""

MAX_NAMES = 2
"""How many of several defects, items or vehicles a row names."""

MAX_FINDING = 60
"""The length of the excerpt from a check's damage or notes."""


@dataclass(frozen=True)
class Need:
    """A piece of waiting work with its action, in a dialog or not; a link to more has none."""

    title: str
    url: str
    action: str = ""
    action_url: str = ""
    note: str = ""
    badges: Sequence[tuple[str, str]] = ()
    in_dialog: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of waiting work: its number, the words for one and for several, and its rows."""

    count: Callable[[Reads], int]
    words: tuple[str, str]
    needs: Callable[[Reads], Sequence[Need]]


def needs_of(division: Division, reads: Reads) -> Sequence[Need]:
    """Return the waiting work of a division, the most urgent first."""
    return [need for kind in KINDS[division] for need in reads.attempt(kind.needs, reads) or ()]


def waiting_in(division: Division) -> Sequence[str]:
    """Return the waiting work of a division in words, such as '3 deliveries late'."""
    reads = Reads()
    totals = ((reads.attempt(kind.count, reads) or 0, kind.words) for kind in KINDS[division])
    return [count_of(total, *words) for total, words in totals if total]


def _counted(
    count: Callable[[Reads], int],
    words: tuple[str, str],
    endpoint: str,
    arguments: Mapping[str, Any],
    names: Callable[[Reads], Sequence[str]] | None = None,
) -> Kind:
    """Return a kind of work with one row, which has the first names and leads to the list."""

    def needs(reads: Reads) -> Sequence[Need]:
        total = count(reads)
        first = names(reads)[:MAX_NAMES] if names and total else ()
        if not total or (names and not first):
            return []
        url = url_for(endpoint, **arguments)
        note = list_some(first, total) if first else ""
        return [Need(count_of(total, *words), url, "Show", url, note)]

    return Kind(count, words, needs)


def _late(division: Division) -> Kind:
    def count(reads: Reads) -> int:
        return reads(deliveries.outlook, division, dates.today()).late

    def needs(reads: Reads) -> Sequence[Need]:
        total, today = count(reads), dates.today()
        late = reads(deliveries.late_deliveries, division, today, MAX_ROWS) if total else ()
        text = count_of(total, "late delivery", "late deliveries")
        url = url_for("deliveries.deliveries", division=division.value)
        return _first([*map(_late_delivery, late)], total, text, url)

    return Kind(count, ("delivery late", "deliveries late"), needs)


def _first(needs: Sequence[Need], total: int, text: str, url: str) -> Sequence[Need]:
    more = Need(f"All {text}", url)
    return [*needs, more] if needs and total > len(needs) else needs


def _late_delivery(delivery: Delivery) -> Need:
    days = (dates.today() - delivery.due_on).days
    supplier = f"{delivery.supplier}, " if delivery.supplier else ""
    division = delivery.store.division.value
    return Need(
        title=f"{format_number(delivery.amount)} × {delivery.item}",
        url=url_for("deliveries.deliveries", division=division),
        action="Mark Delivered",
        action_url=url_for("deliveries.mark_delivered", division=division, delivery_id=delivery.id),
        note=f"{supplier}for {delivery.office.label}",
        badges=[(f"{count_of(days, 'day')} late", "bad")],
        in_dialog=True,
    )


# Always the same objects, by which reads are known.
_TO_DECIDE = {
    DefectState.OPEN: (
        *defect_list.is_in_tab(DefectState.OPEN),
        *defect_list.is_as_bad(defect_list.NOT_ASSESSED),
    ),
    DefectState.REPAIRED: tuple(defect_list.is_in_tab(DefectState.REPAIRED)),
}


def _decides() -> bool:
    return Role.MANAGER in current_user().roles[Division.FLEET]


def _decision(state: DefectState, words: tuple[str, str], **filters: str) -> Kind:
    """Return the decision about defects of a state, which only managers make."""

    def count(reads: Reads) -> int:
        if not _decides():
            return 0
        totals = reads(defect_list.count_defects, *_TO_DECIDE.values())
        return totals[list(_TO_DECIDE).index(state)]

    def titles(reads: Reads) -> Sequence[str]:
        rows = reads(defect_list.first_defects, _TO_DECIDE[state], MAX_NAMES)
        return [f"{row.reg} {truncate(row.title, MAX_FINDING)}" for row in rows]

    return _counted(count, words, "defects.defects", {"state": state, **filters}, titles)


def _overdue(reads: Reads) -> Sequence[str]:
    overdue = due.by_group(reads(due.open_items))[DueGroup.OVERDUE]
    return [f"{row.regs} {row.terms.label}" for row in overdue]


def _off_road(board_filter: BoardFilter) -> Kind:
    def regs(reads: Reads) -> Sequence[str]:
        times = reads(off_road.board_sums, dates.today()).times[board_filter]
        return [time.reg for time in times]

    return _counted(
        lambda reads: len(regs(reads)),
        (f"vehicle {board_filter.label}", f"vehicles {board_filter.label}"),
        "defects.off_road",
        {"show": board_filter},
        regs,
    )


def _count_unreviewed(reads: Reads) -> int:
    return reads(fleet.check_totals, dates.today()).unreviewed


def _checks_to_review(reads: Reads) -> Sequence[Need]:
    total = _count_unreviewed(reads)
    checks = reads(review_queue.checks_to_review, MAX_ROWS) if total else ()
    text = count_of(total, *_TO_REVIEW)
    return _first([*map(_check, checks)], total, text, url_for("fleet.checks"))


def _check(check: CheckRow) -> Need:
    # The queue of checks to review, begun at this one.
    url = url_for("fleet.checks", check=check.id)
    badges = {
        CheckFlag.DAMAGE: ("Damage", "bad"),
        CheckFlag.COST: (f"{format_pence(check.cost)} repair", "warn"),
        CheckFlag.ODOMETER: ("Odometer fell", "warn"),
    }
    finding = truncate(damage_text(check.items) or check.notes, MAX_FINDING)
    facts = [finding, dates.short_day(check.day), check.submitted_by]
    return Need(
        title=check.reg,
        url=url,
        action="Review",
        action_url=url,
        note=", ".join(fact for fact in facts if fact),
        badges=[badges[flag] for flag in check.flags],
    )


def _shortages(
    division: Division,
    part: str,
    words: tuple[str, str],
    need: Callable[[Division, overview.Shortage], Need],
) -> Kind:
    # Each site has its own row, so the rest needs no list.
    def short(reads: Reads) -> Sequence[overview.Shortage]:
        return [each for each in reads(overview.shortages, division) if getattr(each, part)]

    return Kind(
        lambda reads: add_counts(getattr(each, part) for each in short(reads)),
        words,
        lambda reads: [need(division, each) for each in short(reads)],
    )


def _at_site(division: Division, site: Site) -> str:
    return f"{site.label}: " if len(SITES[division]) > 1 else ""


def _low(division: Division, items: overview.Shortage) -> Need:
    url = url_for("reorder.reorder", **Store(division, items.site).place)
    empty = f", of these {items.low_at_zero} at zero" if items.low_at_zero else ""
    title = f"{_at_site(division, items.site)}Low {items.low}{empty}"
    return Need(title, url, "Reorder", url, list_some(items.low_names, items.low))


def _at_zero(division: Division, items: overview.Shortage) -> Need:
    # Sorted by amount, the list begins with them.
    place = Store(division, items.site).place
    url = url_for("stock.inventory", sort="amount", **place)
    title = f"{_at_site(division, items.site)}{count_of(items.at_zero, *_ZERO)}"
    return Need(title, url, "Show", url, list_some(items.names, items.at_zero))


def _stock(division: Division) -> Sequence[Kind]:
    return [
        _shortages(division, "low", ("low item", "low items"), _low),
        _shortages(division, "at_zero", _ZERO, _at_zero),
    ]


def _bookings(part: str, words: tuple[str, str], kind: BookingKind = BookingKind.VEHICLE) -> Kind:

    def labels(reads: Reads) -> Sequence[str]:
        now = dates.utc_now().replace(second=0, microsecond=0)
        rows = getattr(reads(bookings.desk, (kind,), now), part)
        return [getattr(row, "subject", "") or row.booking.reference for row in rows]

    return _counted(lambda reads: len(labels(reads)), words, "bookings.desk", {}, labels)


_TO_REVIEW = "check to review", "checks to review"
_ZERO = "item at zero", "items at zero"
_LATE_BOOKINGS = "late booking", "late bookings"

KINDS: Mapping[Division, Sequence[Kind]] = {
    **{division: [_late(division), *_stock(division)] for division in SITES},
    Division.FLEET: [
        _bookings("late", _LATE_BOOKINGS),
        _bookings(
            "unfit", ("booking that needs another vehicle", "bookings that need another vehicle")
        ),
        _bookings("due_back", ("vehicle due back today", "vehicles due back today")),
        _off_road(BoardFilter.UNBOOKED),
        _decision(
            DefectState.OPEN,
            ("defect to assess", "defects to assess"),
            severity=defect_list.NOT_ASSESSED,
        ),
        _counted(
            lambda reads: len(_overdue(reads)),
            ("item overdue", "items overdue"),
            "due.due",
            {"group": DueGroup.OVERDUE},
            _overdue,
        ),
        _off_road(BoardFilter.LATE),
        _decision(DefectState.REPAIRED, ("defect to sign off", "defects to sign off")),
        _counted(
            lambda reads: reads(readings.count_doubtful) if _decides() else 0,
            ("reading to accept", "readings to accept"),
            "mileage.readings",
            {},
        ),
        Kind(_count_unreviewed, _TO_REVIEW, _checks_to_review),
    ],
    Division.ASSETS: [
        _bookings("late", _LATE_BOOKINGS, BookingKind.ASSET),
        _bookings("due_back", ("thing due back today", "things due back today"), BookingKind.ASSET),
        _counted(
            lambda reads: reads(register.count_unplaced),
            ("asset without a location", "assets without a location"),
            "assets.assets",
            {"location": NO_VALUE},
        ),
    ],
}
"""The kinds of work that wait in each division, the most urgent first."""

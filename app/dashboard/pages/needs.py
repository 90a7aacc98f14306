"""The waiting work of a division, with the action for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from flask import url_for

from app import dates
from app.assets.queries import register
from app.assets.queries.register import AssetFilters
from app.assets.rules import NO_VALUE
from app.dashboard.queries import Reads
from app.dashboard.rules import list_some
from app.defects.queries import lists as defect_list
from app.defects.queries import off_road
from app.defects.queries.lists import NOT_ASSESSED
from app.defects.rules.fields import DefectState
from app.defects.rules.off_road import BoardFilter
from app.deliveries import queries as deliveries
from app.deliveries.models import Delivery
from app.divisions import SITES, Division, Role, Store
from app.due.queries import due
from app.due.queries.due import DueRow
from app.due.rules.due import DueGroup
from app.fleet.queries import overview as fleet
from app.fleet.queries import review_queue
from app.fleet.queries.checks import CheckRow
from app.fleet.rules.checks import CheckFlag, damage_text
from app.money import count_of, format_number, format_pence
from app.names import truncate
from app.records.filters import Conditions
from app.stock.queries import overview
from app.stock.queries.overview import ItemsAtZero
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
    """A piece of waiting work, its page, and its action.

    With `in_dialog` the action's address opens a dialog.
    """

    title: str
    url: str
    action: str
    action_url: str
    note: str = ""
    badges: Sequence[tuple[str, str]] = ()
    in_dialog: bool = False


@dataclass(frozen=True)
class Needs:
    """The waiting work of one kind: in words, with its first rows and the address of its list."""

    text: str
    rows: int
    first: Sequence[Need]
    url: str

    @property
    def has_more(self) -> bool:
        """Return whether more rows exist than the first ones."""
        return self.rows > len(self.first)


@dataclass(frozen=True)
class Decision:
    """Defects that wait for a manager: the decision, and the filters of their list."""

    verb: str
    tab: DefectState
    severity: str = ""

    @cached_property
    def conditions(self) -> Conditions:
        """Return the conditions of the defects; always the same, by which reads are known."""
        as_bad = defect_list.is_as_bad(self.severity) if self.severity else ()
        return (*defect_list.is_in_tab(self.tab), *as_bad)

    def text(self, total: int) -> str:
        """Return how many wait in words, such as '2 defects to assess', '' for none."""
        return f"{count_of(total, 'defect')} {self.verb}" if total else ""


DECISIONS = (
    Decision("to assess", DefectState.OPEN, NOT_ASSESSED),
    Decision("to sign off", DefectState.REPAIRED),
)


def needs_of(division: Division, reads: Reads) -> Sequence[Needs]:
    """Return the waiting work of a division, the most urgent first."""
    found: list[Needs | None] = []
    if division is Division.GPM:
        found.append(_late_deliveries(reads))
    if division is Division.FLEET:
        found += _upkeep_needs(reads)
        found.append(_checks_to_review(reads))
    if division in SITES:
        found.append(_items_at_zero(division, reads))
    if division is Division.ASSETS:
        found.append(_assets_without_location(reads))
    return [needs for needs in found if needs and needs.rows]


def waiting_in(division: Division) -> Sequence[str]:
    """Return the waiting work of a division in words, such as '3 deliveries late'."""
    reads = Reads()
    texts: list[str] = []
    if division is Division.GPM:
        outlook = reads(deliveries.outlook, dates.today())
        texts.append(_late_text(outlook.late if outlook else 0))
    if division is Division.FLEET:
        texts += _upkeep_texts(reads)
        totals = reads(fleet.check_totals, dates.today())
        texts.append(_review_text(totals.unreviewed if totals else 0))
    if division in SITES:
        counts = reads(overview.count_at_zero, division) or {}
        texts.append(_zero_text(add_counts(counts.values())))
    if division is Division.ASSETS:
        texts.append(_unplaced_text(_count_unplaced(reads)))
    return [text for text in texts if text]


def _late_deliveries(reads: Reads) -> Needs | None:
    outlook = reads(deliveries.outlook, dates.today())
    late = reads(deliveries.late_deliveries, dates.today(), MAX_ROWS) if outlook else None
    if not outlook or not late:
        return None
    first = [_late_delivery(delivery) for delivery in late]
    text = count_of(outlook.late, "late delivery", "late deliveries")
    return Needs(text, outlook.late, first, url_for("deliveries.deliveries"))


def _late_delivery(delivery: Delivery) -> Need:
    days = (dates.today() - delivery.due_on).days
    supplier = f"{delivery.supplier}, " if delivery.supplier else ""
    return Need(
        title=f"{format_number(delivery.amount)} × {delivery.item}",
        url=url_for("deliveries.deliveries"),
        action="Mark Delivered",
        action_url=url_for("deliveries.mark_delivered", delivery_id=delivery.id),
        note=f"{supplier}for {delivery.office.label}",
        badges=[(f"{count_of(days, 'day')} late", "bad")],
        in_dialog=True,
    )


def _upkeep_needs(reads: Reads) -> Sequence[Needs | None]:
    to_assess, to_sign_off = (
        _defects_to_decide(decision, total, reads)
        for decision, total in zip(DECISIONS, _count_to_decide(reads), strict=True)
    )
    return [
        _off_road(BoardFilter.UNBOOKED, reads),
        to_assess,
        _overdue_items(reads),
        _off_road(BoardFilter.LATE, reads),
        to_sign_off,
    ]


def _upkeep_texts(reads: Reads) -> Sequence[str]:
    to_assess, to_sign_off = (
        decision.text(total)
        for decision, total in zip(DECISIONS, _count_to_decide(reads), strict=True)
    )
    return [
        _off_road_text(BoardFilter.UNBOOKED, reads),
        to_assess,
        _overdue_text(len(_overdue(reads))),
        _off_road_text(BoardFilter.LATE, reads),
        to_sign_off,
    ]


def _defects_to_decide(decision: Decision, total: int, reads: Reads) -> Needs | None:
    rows = reads(defect_list.first_defects, decision.conditions, MAX_NAMES) if total else None
    if not rows:
        return None
    names = [f"{row.reg} {truncate(row.title, MAX_FINDING)}" for row in rows]
    url = url_for("defects.defects", state=decision.tab, severity=decision.severity or None)
    return _one_row(decision.text(total), url, list_some(names, total))


def _count_to_decide(reads: Reads) -> Sequence[int]:
    """Return the number of defects for each decision, none for users other than managers."""
    is_manager = Role.MANAGER in current_user().roles[Division.FLEET]
    waiting = (decision.conditions for decision in DECISIONS)
    counts = reads(defect_list.count_defects, *waiting) if is_manager else None
    return counts or [0] * len(DECISIONS)


def _overdue_items(reads: Reads) -> Needs | None:
    overdue = _overdue(reads)
    if not overdue:
        return None
    names = [f"{row.regs} {row.terms.label}" for row in overdue[:MAX_NAMES]]
    url = url_for("due.due", group=DueGroup.OVERDUE)
    return _one_row(_overdue_text(len(overdue)), url, list_some(names, len(overdue)))


def _overdue(reads: Reads) -> Sequence[DueRow]:
    return due.by_group(reads(due.open_items) or ())[DueGroup.OVERDUE]


def _off_road(board_filter: BoardFilter, reads: Reads) -> Needs | None:
    regs = _regs_off_road(board_filter, reads)
    if not regs:
        return None
    url = url_for("defects.off_road", show=board_filter)
    names = list_some(regs[:MAX_NAMES], len(regs))
    return _one_row(_off_road_text(board_filter, reads), url, names)


def _off_road_text(board_filter: BoardFilter, reads: Reads) -> str:
    vehicles = len(_regs_off_road(board_filter, reads))
    return f"{count_of(vehicles, 'vehicle')} {board_filter.label}" if vehicles else ""


def _regs_off_road(board_filter: BoardFilter, reads: Reads) -> Sequence[str]:
    sums = reads(off_road.board_sums, dates.today())
    return sums.filtered[board_filter] if sums else ()


def _one_row(text: str, url: str, note: str) -> Needs:
    return Needs(text, 1, [Need(text, url, action="Show", action_url=url, note=note)], url)


def _checks_to_review(reads: Reads) -> Needs | None:
    totals = reads(fleet.check_totals, dates.today())
    total = totals.unreviewed if totals else 0
    checks = reads(review_queue.checks_to_review, MAX_ROWS) if total else None
    if not total or not checks:
        return None
    return Needs(_review_text(total), total, [*map(_check, checks)], url_for("fleet.checks"))


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


def _items_at_zero(division: Division, reads: Reads) -> Needs | None:
    found = reads(overview.items_at_zero, division)
    if not found:
        return None
    first = [_site_at_zero(division, items) for items in found]
    # Each site has its own row, so the rest needs no list.
    return Needs(_zero_text(add_counts(items.total for items in found)), len(first), first, "")


def _site_at_zero(division: Division, items: ItemsAtZero) -> Need:
    # Sorted by amount, the list begins with them.
    place = Store(division, items.site).place
    url = url_for("stock.inventory", sort="amount", **place)
    site = f"{items.site.label}: " if len(SITES[division]) > 1 else ""
    return Need(
        title=f"{site}{_zero_text(items.total)}",
        url=url,
        action="Show",
        action_url=url,
        note=list_some(items.names, items.total),
    )


def _assets_without_location(reads: Reads) -> Needs | None:
    unplaced = _count_unplaced(reads)
    if not unplaced:
        return None
    url = url_for("assets.assets", location=NO_VALUE)
    return _one_row(_unplaced_text(unplaced), url, "")


def _count_unplaced(reads: Reads) -> int:
    totals = reads(register.totals, AssetFilters(location=NO_VALUE))
    return totals.assets if totals else 0


def _late_text(late: int) -> str:
    return f"{count_of(late, 'delivery', 'deliveries')} late" if late else ""


def _overdue_text(overdue: int) -> str:
    return f"{count_of(overdue, 'item')} overdue" if overdue else ""


def _review_text(unreviewed: int) -> str:
    return f"{count_of(unreviewed, 'check')} to review" if unreviewed else ""


def _zero_text(items: int) -> str:
    return f"{count_of(items, 'item')} at zero" if items else ""


def _unplaced_text(assets: int) -> str:
    return f"{count_of(assets, 'asset')} without a location" if assets else ""

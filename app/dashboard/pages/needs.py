"""What waits in a division, with the action that answers it."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import url_for

from app import dates
from app.assets.queries import register
from app.assets.queries.register import AssetFilters
from app.assets.rules.fields import NO_VALUE
from app.dashboard.queries import Reads
from app.dashboard.rules import list_some, number_of
from app.deliveries import queries as deliveries
from app.deliveries.models import Delivery
from app.divisions import SITES, Division, Store
from app.fleet.queries import review_queue
from app.fleet.queries.checks import CheckRow
from app.fleet.rules.checks import CheckFlag, damage_text
from app.money import format_number, format_pence
from app.names import truncate
from app.stock.queries import at_zero
from app.stock.queries.at_zero import ItemsAtZero
from app.sums import add_counts

MAX_ROWS = 4
"""How many deliveries or checks are on the dashboard; the others are behind a link."""

MAX_FINDING = 60
"""How much of what a check says of damage, or of its notes, is."""


@dataclass(frozen=True)
class Need:
    """Something that waits, the page it is on, and what answers it.

    With `in_dialog` the action's address is that of a dialog.
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
    """What waits of one kind: all of it in words, the first of it, and where the rest is."""

    text: str
    total: int
    first: Sequence[Need]
    url: str

    @property
    def has_more(self) -> bool:
        """Return whether there is more than the first of it."""
        return self.total > len(self.first)


def needs_of(division: Division, reads: Reads) -> Sequence[Needs]:
    """Return what waits in a division, the most urgent first."""
    found: list[Needs | None] = []
    if division is Division.GPM:
        found.append(_late_deliveries(reads))
    if division is Division.FLEET:
        found.append(_checks_to_review(reads))
    if division in SITES:
        found.append(_items_at_zero(division, reads))
    if division is Division.ASSETS:
        found.append(_assets_without_location(reads))
    return [needs for needs in found if needs and needs.total]


def waiting_in(division: Division) -> Sequence[str]:
    """Return what waits in a division in words, such as '3 deliveries late'."""
    reads = Reads()
    texts: list[str] = []
    if division is Division.GPM:
        outlook = reads(deliveries.outlook, dates.today())
        texts.append(_late_text(outlook.late if outlook else 0))
    if division is Division.FLEET:
        texts.append(_review_text(reads(review_queue.count_to_review)))
    if division in SITES:
        counts = reads(at_zero.count_at_zero, division) or {}
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
    text = number_of(outlook.late, "late delivery", "late deliveries")
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
        badges=[(f"{number_of(days, 'day')} late", "bad")],
        in_dialog=True,
    )


def _checks_to_review(reads: Reads) -> Needs | None:
    total = reads(review_queue.count_to_review)
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
    found = reads(at_zero.items_at_zero, division)
    if not found:
        return None
    first = [_site_at_zero(division, items) for items in found]
    # Each site has its own row, so there is no list of the rest.
    return Needs(_zero_text(add_counts(items.total for items in found)), len(first), first, "")


def _site_at_zero(division: Division, items: ItemsAtZero) -> Need:
    # Sorted by amount, the list begins with them.
    place = Store(division, items.site).place
    url = url_for("stock.inventory", sort="amount", **place)
    site = f"{items.site.label}: " if len(SITES[division]) > 1 else ""
    return Need(
        title=_zero_text(items.total),
        url=url,
        action="Show",
        action_url=url,
        note=f"{site}{list_some(items.names, items.total)}",
    )


def _assets_without_location(reads: Reads) -> Needs | None:
    unplaced = _count_unplaced(reads)
    if not unplaced:
        return None
    url = url_for("assets.assets", location=NO_VALUE)
    text = _unplaced_text(unplaced)
    return Needs(text, 1, [Need(text, url, action="Show", action_url=url)], url)


def _count_unplaced(reads: Reads) -> int:
    totals = reads(register.totals, AssetFilters(location=NO_VALUE))
    return totals.assets if totals else 0


def _late_text(late: int) -> str:
    return f"{number_of(late, 'delivery', 'deliveries')} late" if late else ""


def _review_text(unreviewed: int | None) -> str:
    return f"{number_of(unreviewed, 'check')} to review" if unreviewed else ""


def _zero_text(items: int) -> str:
    return f"{number_of(items, 'item')} at zero" if items else ""


def _unplaced_text(assets: int) -> str:
    return f"{number_of(assets, 'asset')} without a location" if assets else ""

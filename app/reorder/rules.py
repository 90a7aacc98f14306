"""What to reorder, from where and how much; pure. docs/domain.md, Minimums and the reorder list."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app import names
from app.divisions import SITES, Division, Site
from app.lists import grouped
from app.money import format_number
from app.stock.rules.levels import NO_LEVEL, LevelState, Source
from app.stock.rules.use import NO_USE, DailyUse

KEPT_DAYS = 30
"""The days of use that a site keeps when others take from it."""


@dataclass(frozen=True)
class Position:
    """An item at a site: its amount, what is on order, its level and its use; a price in pence."""

    site: Site
    item_id: int
    name: str
    unit: str
    amount: int
    on_order: int = 0
    level: LevelState = NO_LEVEL
    use: DailyUse = NO_USE
    price: int = 0
    is_snoozed: bool = False

    @property
    def minimum(self) -> int:
        """Return the minimum in force, 0 without one."""
        return self.level.in_force or 0

    @property
    def need(self) -> int:
        """Return how many are missing up to the target."""
        return max(self.level.target or 0, self.minimum) - self.amount - self.on_order

    @property
    def spare(self) -> int:
        """Return how many another site may have."""
        return max(self.amount - max(self.minimum, self.use.of(KEPT_DAYS)), 0)

    @property
    def days_left(self) -> int | None:
        """Return how many days the amount lasts, None without use."""
        return self.use.days_left(self.amount)

    @property
    def why(self) -> str:
        """Return why it is to be reordered, in a sentence."""
        on_order = f", {format_number(self.on_order)} on order" if self.on_order else ""
        used = f", used {self.use}" if self.use.units else ""
        here = f"{format_number(self.amount)} here"
        return f"Below {format_number(self.minimum)}: {here}{on_order}{used}."


@dataclass(frozen=True)
class Proposal:
    """What to take of an item from another site with `available`, or from a supplier ('' for none).

    With a quantity of 0 nothing can be taken, as `why` says.
    """

    position: Position
    quantity: int
    why: str
    from_site: Site | None = None
    supplier: str = ""
    available: int = 0

    @property
    def key(self) -> tuple[str, Site | None, str]:
        """Return what tells it from the other proposals of a site."""
        return self.position.name, self.from_site, self.supplier

    @property
    def cost(self) -> int:
        """Return what is paid for it, in pence."""
        return 0 if self.from_site else self.quantity * self.position.price


def propose(division: Division, positions: Iterable[Position]) -> Sequence[Proposal]:
    """Return what to reorder; `positions` are the items of these names at all sites.

    Sites give first what they can spare, each unit once; the rest comes from the supplier in whole
    packs. Sites in need are served by the days that they have left, then in their order.
    """
    proposals: list[Proposal] = []
    for found in grouped((names.key(each.name), each) for each in positions).values():
        alike = sorted(found, key=lambda each: SITES[division].index(each.site))
        spare = {each.site: each.spare for each in alike}
        for each in sorted(alike, key=urgency):
            if each.amount + each.on_order < each.minimum and not each.is_snoozed:
                proposals += _of_position(each, alike, spare)
    return proposals


def urgency(position: Position) -> tuple[bool, int]:
    """Return what orders positions by the days that they have left, without use last."""
    left = position.days_left
    return left is None, left or 0


def _of_position(
    position: Position, alike: Sequence[Position], spare: dict[Site, int]
) -> Sequence[Proposal]:
    level, need = position.level, position.need
    others = [each for each in alike if each.site is not position.site]
    if level.source is Source.SITE:
        others = [each for each in others if each.site is level.from_site]
    notes = [
        f"{each.site.label} counts it in {each.unit}: no transfer."
        for each in others
        if spare[each.site] and each.unit != position.unit
    ]
    found: list[Proposal] = []
    donors = [each for each in others if each.unit == position.unit and spare[each.site]]
    for donor in sorted(donors, key=lambda each: -spare[each.site]):
        taken = min(spare[donor.site], need)
        if taken:
            more = format_number(spare[donor.site])
            why = f"{position.why} {donor.site.label} has {more} more than it needs."
            found.append(Proposal(position, taken, why, donor.site, available=donor.amount))
        spare[donor.site] -= taken
        need -= taken
    if not need:
        return found
    if level.source is Source.SITE and level.from_site:
        notes.append(f"{level.from_site.label} has {'no more' if found else 'none'} to spare.")
        available = sum(each.amount for each in others)
        none = Proposal(position, 0, position.why, level.from_site, available=available)
        last = found.pop() if found else none
        return [*found, replace(last, why=" ".join([last.why, *notes]))]
    quantity = -(-need // level.pack) * level.pack
    reason = "What other sites can’t spare." if found else position.why
    if level.target or level.pack > 1:
        target = f"Up to {format_number(max(level.target or 0, position.minimum))}"
        packs = f" in packs of {format_number(level.pack)}" if level.pack > 1 else ""
        notes.insert(0, f"{target}{packs}.")
    why = " ".join([reason, *notes])
    return [*found, Proposal(position, quantity, why, supplier=level.supplier)]


def by_source(proposals: Iterable[Proposal]) -> Sequence[Sequence[Proposal]]:
    """Return proposals by their sources: sites, suppliers by name, and what has no supplier."""

    def source(each: Proposal) -> tuple[int, bool, str]:
        site = list(Site).index(each.from_site) if each.from_site else len(Site)
        return site, not each.supplier, names.key(each.supplier)

    parts = grouped((source(each), each) for each in proposals)
    return [parts[key] for key in sorted(parts)]

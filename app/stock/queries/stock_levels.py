"""Reads of minimums and targets."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app import dates, names
from app.directory import queries as directory
from app.divisions import Store
from app.lists import rows_with
from app.stock.models import Item, StockLevel
from app.stock.queries import levels
from app.stock.queries.use import item_pasts
from app.stock.rules.levels import DEFAULT_LEAD, NO_LEVEL, LevelState, Source
from app.stock.rules.use import NO_USE, DailyUse, ItemPast, Suggestion, daily_use, suggest_minimum


@dataclass(frozen=True)
class LevelRow:
    """An item with its level, None if nobody has set one, its use and what that suggests."""

    item: Item
    level: StockLevel | None
    use: DailyUse = NO_USE
    suggestion: Suggestion | None = None
    past: ItemPast | None = None

    @property
    def state(self) -> StockLevel | LevelState:
        """Return its level, or what stands for none."""
        return self.level or NO_LEVEL

    @property
    def revision(self) -> int:
        """Return the revision of its level, 0 without one."""
        return self.level.revision if self.level else 0

    @property
    def hint(self) -> str:
        """Return what its use suggests, in a sentence."""
        return self.suggestion.reason if self.suggestion else ""

    @property
    def source(self) -> str:
        """Return where it is reordered: the supplier, the other site, or nowhere."""
        if self.state.source is Source.SITE and self.state.from_site:
            return self.state.from_site.label
        is_named = self.state.source is Source.SUPPLIER
        return self.state.supplier if is_named else self.state.source.label

    @property
    def suggested_target(self) -> int | None:
        """Return the target that goes with the suggested minimum, None without one."""
        return self.suggestion.target(self.use, self.state.pack) if self.suggestion else None


def get_level(store: Store, item_id: int) -> LevelRow:
    """Return a live item with its level and what its use suggests; raises NotFound."""
    (row,) = suggested_rows([levels.get_item(store, item_id)])
    return row


def levels_of(item_ids: Collection[int]) -> Mapping[int, StockLevel]:
    """Return the levels of items by their ids."""
    found = rows_with(select(StockLevel), StockLevel.item_id, item_ids)
    return {level.item_id: level for (level,) in found}


def level_rows(items: Sequence[Item]) -> Sequence[LevelRow]:
    """Return items with their levels."""
    found = levels_of([item.id for item in items])
    return [LevelRow(item, found.get(item.id)) for item in items]


def suggested_rows(items: Sequence[Item]) -> Sequence[LevelRow]:
    """Return items with their levels, their use, and the minimums that it suggests."""
    pasts = item_pasts({item.id: item.amount for item in items}, dates.today())
    leads = directory.lead_days()
    rows = []
    for row in level_rows(items):
        if past := pasts.get(row.item.id):
            suggestion = suggest_minimum(past, lead_of(row.level, leads))
            row = LevelRow(row.item, row.level, daily_use(past), suggestion, past)
        rows.append(row)
    return rows


def lead_of(level: StockLevel | None, leads: Mapping[str, int]) -> int:
    """Return the days from an order of an item to its delivery: its own, or its supplier's."""
    if level is None:
        return DEFAULT_LEAD
    own = level.lead_days
    return leads.get(names.key(level.supplier), DEFAULT_LEAD) if own is None else own

"""Reads of how items are used."""

from collections.abc import Mapping
from datetime import date, timedelta

from sqlalchemy import case, func, select

from app.lists import grouped, rows_with
from app.stock.models import ItemUse
from app.stock.rules.use import YEAR, DayUse, ItemPast


def item_pasts(amounts: Mapping[int, int], today: date) -> Mapping[int, ItemPast]:
    """Return the last year of items by id, given their amounts; one without movements has none."""
    item = ItemUse.item_id
    moved_on = func.min(case((ItemUse.delta != 0, ItemUse.day)))
    firsts = select(item, func.min(ItemUse.day), moved_on).group_by(item)
    in_year = ItemUse.day > today - timedelta(days=YEAR)
    movements = (
        select(item, ItemUse.day, ItemUse.delta, ItemUse.units - ItemUse.undone)
        .where(in_year, ItemUse.day <= today)
        .order_by(item, ItemUse.day)
    )
    days = grouped(
        (item_id, DayUse(day, delta, taken))
        for item_id, day, delta, taken in rows_with(movements, item, amounts)
    )
    return {
        item_id: ItemPast(today, amounts[item_id], first, stocked_from, days.get(item_id, ()))
        for item_id, first, stocked_from in rows_with(firsts, item, amounts)
    }

"""The imports of stock: items, their minimums, and old history."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from app.divisions import SITES, STORES, Division, Store
from app.records.reading import read_all
from app.records.targets import Imported, ImportTarget
from app.stock.queries import levels
from app.stock.queries.history import stream_history
from app.stock.queries.history_scope import HistoryFilters
from app.stock.queries.locks import lock_site
from app.stock.rules.items import DEFAULT_UNIT, ITEM_ALIASES, REASON
from app.stock.schemas.history import HISTORY_ALIASES, HISTORY_FILE, history_entries, read_history
from app.stock.schemas.items import STOCK_FILE, read_stock
from app.stock.schemas.levels import CLEARED, LEVEL_FILE, list_of, read_levels
from app.stock.services import history as past_services
from app.stock.services import items as services
from app.stock.services import levels as level_services
from app.stock.services.history import PastHistory
from app.tables.csv_files import Table


def _versions(store: Store, *places: int, locks: bool = False) -> Sequence[int]:
    if locks:
        lock_site(store)
    state = levels.site_state(store)
    return [state[place] for place in places]


def _stock_target(store: Store) -> ImportTarget[Any]:
    return ImportTarget(
        key=f"{store.division}-{store.site}-stock",
        label=f"Stock of {store}",
        call=f"/{store.division}/inventory/{store.site}",
        division=store.division,
        columns=STOCK_FILE,
        required=["item", "amount"],
        aliases=ITEM_ALIASES,
        key_columns=["item"],
        alike=["item"],
        units="amount",
        empty_means={"unit": DEFAULT_UNIT},
        read=read_stock,
        version=partial(_versions, store, 0),
        current=lambda: levels.all_stock(store),
        apply=lambda lines, by, name, progress=iter: services.set_stock(
            store,
            lines[0],
            keeps=lines[1],
            reason=f"Import of {name}"[: REASON.limit],
            progress=progress,
            by=by,
        ),
        remove=lambda keys, by: services.set_stock(
            store, [], reason="Undo of an import", removed=keys, by=by
        ),
    )


def _level_target(store: Store) -> ImportTarget[Any]:
    return ImportTarget(
        key=f"{store.division}-{store.site}-levels",
        label=f"Levels of {store}",
        call=f"/{store.division}/levels/{store.site}",
        division=store.division,
        columns=LEVEL_FILE,
        required=["item"],
        aliases=ITEM_ALIASES,
        key_columns=["item"],
        empty_means=dict.fromkeys(column.name for column in LEVEL_FILE if column.name != "item"),
        blanks=[CLEARED],
        read=read_levels,
        check=partial(level_services.check_levels, store=store),
        version=partial(_versions, store, 0, 1),
        current=lambda: read_all(list_of(store)),
        apply=lambda file, by, *_: level_services.import_levels(file, store=store, by=by),
        way_back="Import a file with the earlier levels.",
    )


def _history_target(division: Division) -> ImportTarget[Any]:
    main = Store(division, SITES[division][0])

    def apply(
        past: PastHistory, by: int | None, _: str, progress: past_services.Progress = iter
    ) -> Imported:
        change = past_services.add_history(division, past, progress=progress, by=by)
        rows, added, unchanged = len(past.lines), change.added, change.unchanged
        return Imported(f"{rows} rows: {added} added, {unchanged} already there")

    return ImportTarget(
        key=f"{division}-history",
        label=f"History of {division.label}",
        call=f"/{division}/history",
        division=division,
        columns=HISTORY_FILE,
        required=["date", "event", "team", "item", "amount"],
        aliases=HISTORY_ALIASES,
        new_rows=lambda past: [line.row for line in past_services.missing_lines(division, past)],
        read=lambda source: read_history(Table(source), division),
        read_json=lambda file: read_history(history_entries(file), division),
        version=partial(_versions, main, 3),
        current=lambda: stream_history(division, HistoryFilters(), oldest_first=True),
        apply=apply,
        way_back="Old history stays: it can't be taken back.",
    )


_ALL = (*map(_stock_target, STORES), *map(_level_target, STORES), *map(_history_target, SITES))
TARGETS = {each.key: each for each in _ALL}

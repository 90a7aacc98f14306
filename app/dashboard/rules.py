"""The figures of the dashboard's tiles, and words for waiting work; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.money import format_number, format_pence


@dataclass(frozen=True)
class Figures:
    """The content of a tile: a number, notes that explain it, and a warning."""

    number: int
    notes: tuple[str, ...]
    warning: str = ""


def stock_figures(items: int, units: int, value: int) -> Figures:
    """Return the figures of a site's stock; `value` is in pence."""
    counted = _join([_word(items, "item"), f"{format_number(units)} {_word(units, 'unit')}"])
    return Figures(items, (counted, f"{format_pence(value)} value"))


def asset_figures(assets: int, pieces: int, value: int) -> Figures:
    """Return the figures of the asset register; `value` is in pence."""
    counted = _join([_word(assets, "asset"), f"{format_number(pieces)} {_word(pieces, 'piece')}"])
    return Figures(assets, (counted, f"{format_pence(value)} value"))


def delivery_figures(pending: int, late: int) -> Figures:
    """Return the figures of the deliveries."""
    warning = f"{format_number(late)} late" if late else ""
    return Figures(pending, ("pending",), warning)


def due_figures(overdue: int, soon: int) -> Figures:
    """Return the figures of due items: the numbers of soon and of overdue ones."""
    warning = f"{format_number(overdue)} overdue" if overdue else ""
    return Figures(soon, ("soon",), warning)


def vehicle_figures(
    by_status: Sequence[tuple[str, int]], vehicles: int, off_the_road: int
) -> Figures:
    """Return the figures of the vehicles, with their number per status."""
    counted = _join(
        # Non-breaking spaces keep a status and its number on one line.
        f"{format_number(n)} {status.lower()}".replace(" ", "\N{NO-BREAK SPACE}")
        for status, n in by_status
    )
    warning = f"{format_number(off_the_road)} off the road" if off_the_road else ""
    return Figures(vehicles, (counted,) if counted else (), warning)


def off_road_figures(off_road: int, late: int) -> Figures:
    """Return the figures of the vehicles off the road."""
    warning = f"{format_number(late)} late" if late else ""
    return Figures(off_road, (_word(off_road, "vehicle"),), warning)


def weekly_check_figures(this_week: int) -> Figures:
    """Return the figures of this week's checks."""
    return Figures(this_week, (f"{_word(this_week, 'check')} this week",))


def check_figures(checks: int, unreviewed: int) -> Figures:
    """Return the figures of all checks, with the number of unreviewed ones."""
    warning = f"{format_number(unreviewed)} not reviewed" if unreviewed else ""
    return Figures(checks, (_word(checks, "check"),), warning)


def history_figures(entries: int) -> Figures:
    """Return the figures of a history."""
    return Figures(entries, ("entry" if entries == 1 else "entries",))


def list_some(names: Sequence[str], total: int) -> str:
    """Return some names of a total in words, such as 'Mop, Mug and 9 more'."""
    others = total - len(names)
    *first, last = [*names, f"{format_number(others)} more"] if others else names
    return f"{', '.join(first)} and {last}" if first else last


def _word(number: int, word: str) -> str:
    return word if number == 1 else f"{word}s"


def _join(texts: Iterable[str]) -> str:
    # No line ends in the sign between two texts.
    return " ·\N{NO-BREAK SPACE}".join(texts)

"""The figures of the dashboard's tiles, and words for waiting work; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.money import count_of, format_number, format_pence


@dataclass(frozen=True)
class Figures:
    """The content of a tile: a number, notes that explain it, and a warning."""

    number: int
    notes: Sequence[str]
    warning: str = ""


def figures(
    number: int, one: str, many: str = "", *, warned: int = 0, warning: str = ""
) -> Figures:
    """Return the figures of a number of things, with a warning about some of them."""
    warned_of = f"{format_number(warned)} {warning}" if warned else ""
    return Figures(number, [_noun(number, one, many)], warned_of)


def valued_figures(number: int, noun: str, parts: int, part: str, value: int) -> Figures:
    """Return the figures of things with the number of their parts; `value` is in pence."""
    counted = _join([_noun(number, noun), count_of(parts, part)])
    return Figures(number, [counted, f"{format_pence(value)} value"])


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
    return Figures(vehicles, [counted] if counted else [], warning)


def list_some(names: Sequence[str], total: int) -> str:
    """Return some names of a total in words, such as 'Mop, Mug and 9 more'."""
    others = total - len(names)
    *first, last = [*names, f"{format_number(others)} more"] if others else names
    return f"{', '.join(first)} and {last}" if first else last


def _noun(number: int, one: str, many: str = "") -> str:
    return one if number == 1 else many or f"{one}s"


def _join(texts: Iterable[str]) -> str:
    # No line ends in the sign between two texts.
    return " ·\N{NO-BREAK SPACE}".join(texts)

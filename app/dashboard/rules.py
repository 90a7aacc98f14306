"""What a tile says; pure."""

from dataclasses import dataclass

from app.money import format_number, format_pence


@dataclass(frozen=True)
class Figures:
    """A number, what it counts with more of the kind, and what needs a look."""

    number: int
    notes: tuple[str, ...]
    warning: str = ""


def stock_figures(items: int, units: int, value: int) -> Figures:
    """Say what a site has in stock; its value is in pence."""
    counted = f"{_word(items, 'item')} · {format_number(units)} {_word(units, 'unit')}"
    return Figures(items, (counted, f"{format_pence(value)} value"))


def delivery_figures(pending: int, overdue: int) -> Figures:
    """Say how many deliveries are still to come."""
    warning = f"{format_number(overdue)} overdue" if overdue else ""
    return Figures(pending, ("pending",), warning)


def history_figures(entries: int) -> Figures:
    """Say how long a history is."""
    return Figures(entries, ("entry" if entries == 1 else "entries",))


def _word(number: int, word: str) -> str:
    return word if number == 1 else f"{word}s"

"""Parse and format money and whole numbers (docs/domain.md, Money, numbers and days)."""

import re
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from app.errors import Invalid

MAX_AMOUNT = 999_999_999
MAX_PENCE = 999_999_999
MILLION = 1_000_000

PRICE_PART = 100_000
"""Prices are split at this many pence before they are multiplied and summed up."""

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
_WHOLE = re.compile(rf"-?{_DIGITS}", re.ASCII)
_POUNDS = re.compile(rf"(-?)£?(?=[\d.])({_DIGITS}?)(\.\d+)?", re.ASCII)


def parse_whole_number(text: str) -> int:
    """Parse '12' or '1,234'. Raises Invalid for other texts, and for too many digits."""
    stripped = text.strip().replace("−", "-")
    if not _WHOLE.fullmatch(stripped) or len(stripped) > 20:
        raise Invalid(f'"{_short(text)}" is not a whole number')
    return int(stripped.replace(",", ""))


def parse_pounds(text: str, *, what: str = "Price") -> int:
    """Parse pounds such as '2.10' or '£1,234.5' into pence, rounding half up.

    Raises Invalid, also below 0 or above MAX_PENCE; its message calls the value `what`.
    """
    pounds = _pounds(text)
    if pounds < 0:
        raise Invalid(describe_low_price(what))
    if pounds > MAX_PENCE or (pence := _pence(pounds)) > MAX_PENCE:
        raise Invalid(describe_high_price(what))
    return pence


def describe_low_price(what: str) -> str:
    """Return the message for a price below 0."""
    return f"{what} must be 0 or more"


def describe_high_price(what: str) -> str:
    """Return the message for a price above MAX_PENCE."""
    return f"{what} must be at most {format_pence(MAX_PENCE)}"


def parse_total(text: str) -> int:
    """Parse a total price such as '-1,234.50' into pence, rounding half up.

    Raises Invalid for anything else, and beyond the price of MAX_AMOUNT pieces at MAX_PENCE.
    """
    maximum = MAX_AMOUNT * MAX_PENCE
    pounds = _pounds(text)
    if abs(pounds) > maximum or abs(pence := _pence(pounds)) > maximum:
        raise Invalid(f"Price must be at most {format_pence(maximum)}")
    return pence


@lru_cache(maxsize=4096)
def plain_pounds(pence: int) -> str:
    """Format pence as '1234.50', for form fields and CSV files."""
    if pence < 0:
        return f"-{plain_pounds(-pence)}"
    return f"{pence // 100}.{pence % 100:02d}"


def format_pence(pence: int) -> str:
    """Format pence as '£1,234.50'."""
    sign = "−" if pence < 0 else ""
    return f"{sign}£{abs(pence) // 100:,}.{abs(pence) % 100:02d}"


def format_number(number: int) -> str:
    """Format a whole number with en-GB grouping and a minus sign (U+2212): '−1,234'."""
    return f"{number:,}".replace("-", "−")


def count_of(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: '1 day', '1,200 miles'; `many` is `one` with an s."""
    return f"{format_number(number)} {one if number == 1 else many or f'{one}s'}"


def format_tick(number: int, top: int) -> str:
    """Format a number on a scale that ends at `top`: in millions ('2.5m') if that is shorter."""
    if top < MILLION:
        return format_number(number)
    return f"{number / MILLION:,g}m" if number else "0"


def format_change(number: int) -> str:
    """Format a difference with its sign: '+3', '−4' or '0'."""
    return f"+{number:,}" if number > 0 else format_number(number)


def format_pence_change(pence: int) -> str:
    """Format a difference in pence with its sign: '+£3.00', '−£4.50' or '£0.00'."""
    return f"+{format_pence(pence)}" if pence > 0 else format_pence(pence)


def _pounds(text: str) -> Decimal:
    stripped = text.strip().replace("−", "-").replace("£ ", "£")
    match = _POUNDS.fullmatch(stripped)
    if not match or len(stripped) > 30 or not (match[2] or match[3]):
        raise Invalid(f'"{_short(text)}" is not a price in pounds')
    return Decimal(match[1] + (match[2].replace(",", "") or "0") + (match[3] or ""))


def _pence(pounds: Decimal) -> int:
    return int((pounds * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"

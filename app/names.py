"""The shown name and the key that makes two names equal (design §4)."""

import unicodedata
from collections.abc import Iterable

from app.errors import Invalid

MAX_SEARCH_LENGTH = 200

_REFUSED = {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
"""They make one emoji or ligature of several characters, and phones write them."""


def clean(text: str, *, limit: int, what: str = "Name") -> str:
    """Return the name as it is shown: trimmed, its inner spacing kept.

    Raises Invalid for control and zero-width characters, and over `limit` characters.
    """
    trimmed = text.strip()
    # Long lists are cleaned too, and hardly any name holds what isn't printable.
    for character in "" if trimmed.isprintable() else trimmed:
        if unicodedata.category(character) in _REFUSED:
            raise Invalid(
                f"{what} holds a character that can't be seen (U+{ord(character):04X}); remove it"
            )
    return _within(trimmed, limit, what)


def _within(trimmed: str, limit: int, what: str) -> str:
    # Some characters beyond ASCII become many in the key, which has to fit into its column.
    if len(trimmed) > limit or (not trimmed.isascii() and len(key(trimmed)) > 3 * limit):
        raise Invalid(f"{what} must be at most {limit} characters")
    return trimmed


def clean_lines(text: str, *, limit: int, what: str) -> str:
    """Return a text of several lines as it is shown: each trimmed, none empty at either end.

    A tab is a space; other marks that can't be seen are left out but for the joiners of emoji.
    Raises Invalid over `limit` characters.
    """
    lines = [_within(_seen(line.expandtabs(1)), limit, what) for line in text.splitlines()]
    joined = "\n".join(lines).strip("\n")
    if len(joined) > limit:
        raise Invalid(f"{what} must be at most {limit} characters")
    return joined


def _seen(line: str) -> str:
    kept = (c for c in line if c in _JOINERS or unicodedata.category(c) not in _REFUSED)
    return "".join(kept).strip()


def truncate(text: str, limit: int) -> str:
    """Return the beginning of a text, with … where it goes on."""
    return text if len(text) <= limit else text[:limit].rstrip() + "…"


def key(name: str) -> str:
    """Return what two names share when they are the same: case, width and spacing don't count."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def search_words(search: str) -> list[str]:
    """Return the keys of a search's words, each once; a search is cut at MAX_SEARCH_LENGTH."""
    return list(dict.fromkeys(key(search[:MAX_SEARCH_LENGTH]).split()))


def merge_names(first: Iterable[str], then: Iterable[str]) -> list[str]:
    """Return the names of two lists as one, those of the first before the others, each once."""
    once: dict[str, str] = {}
    for name in (*first, *then):
        once.setdefault(key(name), name)
    return list(once.values())

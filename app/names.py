"""Names: their cleaning, and the key by which two names are equal.

See docs/domain.md, Names and keys.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from app.errors import Invalid

MAX_SEARCH_LENGTH = 200

MAX_EDITS = 2
"""By how many edits a name at most differs from one that it resembles."""

LONG = 8
"""From how many characters on a name may differ by MAX_EDITS; a shorter one differs by one."""

MAX_RESEMBLED = 5
"""How many of the names that a new one resembles are offered."""

_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
"""Zero-width joiners: phones write them inside emoji and ligatures."""


def clean(text: str, *, limit: int, what: str = "Name") -> str:
    """Return a name trimmed at both ends; messages call it `what`.

    Raises Invalid for control and zero-width characters and above `limit` characters.
    """
    trimmed = text.strip()
    # str.isprintable is fast, and nearly every name of a long list passes it.
    for character in "" if trimmed.isprintable() else trimmed:
        if unicodedata.category(character) in _INVISIBLE_CATEGORIES:
            raise Invalid(
                f"{what} holds a character that can't be seen (U+{ord(character):04X}); remove it"
            )
    return _check_length(trimmed, limit, what)


def _check_length(trimmed: str, limit: int, what: str) -> str:
    # NFKC turns some characters into many, and the key has to fit into its column.
    if len(trimmed) > limit or (not trimmed.isascii() and len(key(trimmed)) > 3 * limit):
        raise Invalid(describe_length(limit, what))
    return trimmed


def describe_length(limit: int, what: str) -> str:
    """Return the message for a text that is too long."""
    return f"{what} must be at most {limit} characters"


def clean_lines(text: str, *, limit: int, what: str) -> str:
    """Return a text of several lines: each line trimmed, without empty first and last lines.

    Tabs become spaces, and invisible characters are removed except the joiners of emoji.
    Raises Invalid above `limit` characters.
    """
    lines = [_check_length(_visible(line.expandtabs(1)), limit, what) for line in text.splitlines()]
    text = "\n".join(lines).strip("\n")
    if len(text) > limit:
        raise Invalid(describe_length(limit, what))
    return text


def _visible(line: str) -> str:
    visible = (
        c for c in line if c in _JOINERS or unicodedata.category(c) not in _INVISIBLE_CATEGORIES
    )
    return "".join(visible).strip()


def truncate(text: str, limit: int) -> str:
    """Return a text cut at `limit` characters, with … if it was longer."""
    return text if len(text) <= limit else text[:limit].rstrip() + "…"


@lru_cache(maxsize=8192)
def key(name: str) -> str:
    """Return the key of a name; names that differ only in case, width or spacing share it."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def search_words(search: str) -> list[str]:
    """Return the distinct words of a search as keys; a search is cut at MAX_SEARCH_LENGTH."""
    return list(dict.fromkeys(key(search[:MAX_SEARCH_LENGTH]).split()))


def merge_names(*lists: Iterable[str]) -> list[str]:
    """Return the names of lists without duplicates, the first list's names first."""
    by_key: dict[str, str] = {}
    for name in chain(*lists):
        by_key.setdefault(key(name), name)
    return list(by_key.values())


class Resembling(Invalid):
    """A name may be new, or stand for one of those that it resembles."""

    def __init__(self, field: str, name: str, resembled: Sequence[str]) -> None:
        super().__init__(f'New {field} "{name}"? Or {", ".join(resembled)}', field)
        self.details = {"resembles": resembled}


def match(field: str, name: str, existing: Iterable[str]) -> str:
    """Return the existing spelling of a name, or a new name itself.

    Raises Resembling for a new name that resembles existing ones; messages call it `field`.
    """
    typed, by_key = key(name), {key(each): each for each in existing if each}
    if not typed or typed in by_key:
        return by_key.get(typed, name)
    found = [each for other, each in by_key.items() if _resembles(typed, other)]
    if found:
        # A half-typed name is likelier than a slip.
        found.sort(key=lambda each: not key(each).startswith(typed))
        raise Resembling(field, name, found[:MAX_RESEMBLED])
    return name


def _resembles(typed: str, other: str) -> bool:
    edits = MAX_EDITS if len(typed) >= LONG else 1
    return other.startswith(typed) or _is_within(edits, typed, other)


def _is_within(edits: int, one: str, other: str) -> bool:
    """Return whether so many edits, each of a character or a swap of two, make texts equal."""
    if abs(len(one) - len(other)) > edits:
        return False
    while one and one[:1] == other[:1]:
        one, other = one[1:], other[1:]
    if not (one and other and edits):
        return len(one + other) <= edits
    rests = [(one[1:], other[1:]), (one[1:], other), (one, other[1:])]
    if one[:2] == other[1::-1]:
        rests.append((one[2:], other[2:]))
    return any(_is_within(edits - 1, *rest) for rest in rests)

"""What the directory's entries are, and what setting them changes; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app import names

LONGEST_NAME = 100
LONGEST_DESCRIPTION = 400
LONGEST_CODE = 60
LONGEST_HOLDER = 100
LONGEST_NOTES = 400


class Kind(StrEnum):
    """A list of the directory; its value is also the name of its data version."""

    TEAMS = "teams"
    SUPPLIERS = "suppliers"
    SERVICES = "services"
    KEYS = "keys"

    @property
    def noun(self) -> str:
        """Return what one entry is called."""
        return self.value.removesuffix("s")


@dataclass(frozen=True)
class NameState:
    """A team, supplier or service as a list names it; only services have a description."""

    name: str
    description: str = ""


@dataclass(frozen=True)
class KeyState:
    """A key as a list names it; its code, else its name, tells it from the others."""

    code: str = ""
    name: str = ""
    holder: str = ""
    notes: str = ""

    @property
    def label(self) -> str:
        """Return what people call it."""
        return self.code or self.name


@dataclass(frozen=True)
class ListChange:
    """How many entries a list added, changed, left as they were and removed."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0


def is_same(one: str, other: str) -> bool:
    """Tell whether two names mean the same."""
    return names.key(one) == names.key(other)


def updated_key(present: KeyState, wanted: KeyState) -> KeyState:
    """Return a key as an import sets it: code and name keep the spelling they had."""
    return KeyState(
        code=present.code if is_same(present.code, wanted.code) else wanted.code,
        name=present.name if is_same(present.name, wanted.name) else wanted.name,
        holder=wanted.holder,
        notes=wanted.notes,
    )


def holds_words(search: str, texts: Iterable[str]) -> bool:
    """Tell whether every word of a search stands in one of the texts."""
    keys = [names.key(text) for text in texts]
    return all(any(word in key for key in keys) for word in names.search_words(search))

"""The directory's lists and their entries; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from app import dates, names
from app.fields import Text, WholeNumber, attribute, fields_of
from app.money import count_of

NAME = Text(name="name", label="Name", limit=100, required="Name is required", example="Kitchen")
DESCRIPTION = Text(name="description", label="Description", limit=400, example="Inside and outside")

CODE = Text(name="code", label="Code", limit=60, example="K12")
KEY_NAME = Text(name="name", label="Name", limit=NAME.limit, example="Boiler room")
HOLDER = Text(
    name="holder", label="Holder", limit=100, example="Kitchen", description="Empty for nobody"
)
NOTES = Text(name="notes", label="Notes", limit=400, example="Seen by day")


class DirectoryList(StrEnum):
    """A list of the directory; its value is also the name of its data version."""

    TEAMS = "teams"
    SUPPLIERS = "suppliers"
    SERVICES = "services"
    KEYS = "keys"

    @property
    def noun(self) -> str:
        """Return the word for one entry."""
        return self.value.removesuffix("s")


@dataclass(frozen=True)
class NameState:
    """The content of a team, of a service with a description, or of a supplier with lead days."""

    name: str = attribute(NAME)
    description: str = attribute(DESCRIPTION)
    lead_days: int | None = attribute(
        WholeNumber(json="leadDays", label="Lead days", maximum=365, default=None, example=14)
    )


LEAD_DAYS = fields_of(NameState)["lead_days"]


@dataclass(frozen=True)
class KeyState:
    """The content of a key, identified by its code, or without one by its name."""

    code: str = attribute(CODE)
    name: str = attribute(KEY_NAME)
    holder: str = attribute(HOLDER)
    notes: str = attribute(NOTES)

    @property
    def label(self) -> str:
        """Return the code, or the name of a key without one."""
        return self.code or self.name


def is_same_name(first: str, second: str) -> bool:
    """Return whether two names have the same key."""
    return names.key(first) == names.key(second)


def current_holders(
    changes: Sequence[tuple[str, str, str]], now: Mapping[str, str], *, teams: Sequence[str]
) -> Sequence[str]:
    """Return the holders that keys got in these changes, newest first, by their present names.

    A change has the key's label, who had it before and who has it since; '' is nobody. A rename
    changes the holder of a key without a change of its own: the next change, or the key as it is
    `now` by its label, has another name than this one gave it. Only the new names of `teams` are
    followed; other names are as they were written.
    """
    listed = {names.key(team): team for team in teams}
    following = dict(now)
    renamed: dict[str, str] = {}
    for label_key, before, holder in changes:
        after = names.key(following.get(label_key, ""))
        if holder and after in listed:
            renamed.setdefault(names.key(holder), after)
        following[label_key] = before
    return [
        listed.get(renamed.get(key, key), holder)
        for _, _, holder in changes
        if (key := names.key(holder))
    ]


def describe_time_out(since: date, today: date) -> str:
    """Return since when somebody has had a key and how many days that is, in words."""
    if since >= today:
        return "since today"
    day = dates.short_day(since) if since.year == today.year else dates.format_day(since)
    days = (today - since).days
    return f"since {day}, {count_of(days, 'day')}"


def merge_imported(current: KeyState, imported: KeyState) -> KeyState:
    """Return a key as an import sets it; its code and name keep their current spelling."""
    return replace(
        imported,
        code=current.code if is_same_name(current.code, imported.code) else imported.code,
        name=current.name if is_same_name(current.name, imported.name) else imported.name,
    )

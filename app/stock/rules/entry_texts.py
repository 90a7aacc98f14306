"""The screens' names for entries of the ledger, beside the specification's event; pure."""

import re
from dataclasses import dataclass
from datetime import date

from app import dates
from app.divisions import Site
from app.stock.rules.history import DASH, UNKNOWN_SITE, HistoryEvent, event_of
from app.stock.rules.items import EntryKind

_SITES = "|".join(Site)
_TITLE = re.compile(
    rf"(delivery|withdrawal|transfer(?: (?:to|from) (?:{_SITES}))?|stock check|addition|correction"
    r"|removal|other)\b[\s:;]*",
    re.IGNORECASE,
)
_RECEIPT = re.compile(r"^((?:undo:\s*)*delivery) from GPM\b", re.IGNORECASE)
"""The reason of a delivery's receipt: all of them are in GPM's own history."""
_UNDO = re.compile(r"undo:\s*", re.IGNORECASE)
_SITE = re.compile(rf"\b(?:to|from|at) (?:{_SITES})\b", re.IGNORECASE)


@dataclass(frozen=True)
class EntryText:
    """The title of an entry, such as 'Stock check', and the rest of its reason.

    `event` is the specification's, '' if the title begins with it.
    """

    title: str
    event: str
    detail: str

    @property
    def note(self) -> str:
        """Return the note beside the title: the event and the detail."""
        return join_notes(self.event, self.detail)


def join_notes(*texts: str) -> str:
    """Return the texts that aren't empty as one."""
    return " · ".join(filter(None, texts))


def describe_entry(
    kind: EntryKind, reason: str, day: date, *, is_imported: bool = False
) -> EntryText:
    """Return the screens' description of an entry; its kind decides, then the reason's words.

    Only the reason tells corrections apart: an undo, a stock check sent as a whole list, or the
    text of an old history.
    """
    event = event_of(kind)
    text = _plain_text(reason if is_imported else _RECEIPT.sub(r"\1", reason), day)
    title = event.value if is_imported else kind.label
    if event is HistoryEvent.OTHER and (undone := _UNDO.match(text)):
        title, text = _undo_title(text[undone.end() :])
    elif named := _TITLE.match(text):
        words = _capitalised(named[1])
        if words.startswith(title) or _replaces(words, event, kind, is_imported=is_imported):
            title, text = words, text[named.end() :]
    return EntryText(title, "" if title.startswith(event) else event.value, text.strip())


def operation_title(kind: EntryKind, reason: str, day: date) -> str:
    """Return an operation's title by the kind, reason and day of its first entry.

    A reason such as 'Import of list.csv' says more than additions or corrections.
    """
    text = describe_entry(kind, reason, day)
    if kind in (EntryKind.ADDITION, EntryKind.CORRECTION) and text.title == kind.label:
        return text.detail.partition(";")[0] or text.title
    return text.title


def site_label(site: str) -> str:
    """Return the site of a history's row as people read it: 'Main', or a dash for none."""
    return DASH if site in (UNKNOWN_SITE, DASH) else site.title()


def _replaces(words: str, event: HistoryEvent, kind: EntryKind, *, is_imported: bool) -> bool:
    """Return whether the first words of a reason are a better title than the kind's."""
    if is_imported:
        return event is HistoryEvent.OTHER and words not in list(HistoryEvent)
    return kind is EntryKind.CORRECTION and words == EntryKind.COUNT.label


def _undo_title(text: str) -> tuple[str, str]:
    """Return the title of an undo of the described change, and the rest of the text."""
    is_redo = False
    while undone := _UNDO.match(text):
        is_redo, text = not is_redo, text[undone.end() :]
    word = "Redo" if is_redo else "Undo"
    named = _TITLE.match(text)
    if named is None:
        return word, text
    words = _capitalised(named[1])
    return f"{word} of {words[0].lower()}{words[1:]}", text[named.end() :]


def _capitalised(words: str) -> str:
    return _SITE.sub(_with_capital_site, words.capitalize())


def _with_capital_site(match: re.Match[str]) -> str:
    word, site = match[0].split()
    return f"{word} {site.title()}"


def _plain_text(text: str, day: date) -> str:
    """Return a text with capitalised sites and days as '9 Dec 2011', without the entry's own day.

    Its own day has a column beside it.
    """
    for own_day in (f"({day})", str(day)):
        text = re.sub(rf"(?<!\S){re.escape(own_day)}\s*(?=;|$)", "", text)
    return _SITE.sub(_with_capital_site, dates.format_days_in(text)).strip()

"""Rules of the history and the texts of its entries."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache

from app import dates
from app.divisions import Division, Site
from app.stock.rules.items import EntryKind

MAX_PLAUSIBLE_TEAM_LENGTH = 32

OTHER_SITE = "other"
UNKNOWN_SITE = ""
DASH = "–"


SITE_CHOICES = {
    Division.GFM: tuple(site.value for site in Site),
    Division.GPM: (*(site.value for site in Site), OTHER_SITE, DASH),
}


class HistoryEvent(StrEnum):
    """The event of a line of history on screen and in exports."""

    DELIVERY = "Delivery"
    WITHDRAWAL = "Withdrawal"
    OTHER = "Other"


_JOINED = re.compile(r"_|(?<=[^\W\d])-(?=[^\W\d])")

_EVENTS = {EntryKind.DELIVERY: HistoryEvent.DELIVERY, EntryKind.WITHDRAWAL: HistoryEvent.WITHDRAWAL}

# Neither, whatever the other words: a transfer's delivery is no delivery to the company.
_OTHER = re.compile(
    r"\b(transfer\w*|stock ?check|stock ?take|count\w*|undo|undone|cancel\w*|correct\w*|adjust\w*"
    r"|new item|import|remov\w*|deleted?|renam\w*|set)\b"
)
_DELIVERY = re.compile(
    r"\bdeliver\w*|\b(received?|receipt|restock\w*|goods in|stock in|booked in|checked in"
    r"|incoming|inbound)\b|^(in|inc|increased?|increment|\+ ?\d*)$"
)
_WITHDRAWAL = re.compile(
    r"\bwithdr[ae]w\w*|\b(issued?|taken|took|goods out|stock out|booked out|checked out"
    r"|outgoing|outbound)\b|^(out|dec|decreased?|decrement|[-−] ?\d*)$"
)


def event_of(kind: EntryKind) -> HistoryEvent:
    """Return the event that ledger entries of a kind are displayed as."""
    return _EVENTS.get(kind, HistoryEvent.OTHER)


def listed_amount(kind: EntryKind, delta: int, imported_amount: int | None) -> int:
    """Return the amount that a history displays for a ledger entry."""
    if imported_amount is not None:
        return imported_amount
    return abs(delta) if kind in _EVENTS else delta


IMPORTED_AS = {HistoryEvent.OTHER: EntryKind.CORRECTION} | {
    event: kind for kind, event in _EVENTS.items()
}

EVENT_BY_KIND: Mapping[str, HistoryEvent] = {kind.value: event_of(kind) for kind in EntryKind}
"""The events by the texts of kinds, as the ledger stores them."""


def kinds_of(event: HistoryEvent) -> list[EntryKind]:
    """Return the kinds of ledger entries that are displayed as an event."""
    return [kind for kind in EntryKind if event_of(kind) is event]


def is_called(kind: EntryKind, text: str) -> bool:
    """Return whether all entries of a kind are described by a text, whatever their reason."""
    texts: list[str] = [event_of(kind)]
    if kind not in (EntryKind.TRANSFER, EntryKind.CORRECTION):
        texts.append(kind.label)
    return any(text in called.casefold() for called in texts)


def signed_amount(event: HistoryEvent, amount: int) -> int:
    """Return the amount of a line of history as screens show it: a withdrawal takes it."""
    return -amount if event is HistoryEvent.WITHDRAWAL else amount


def parse_event(text: str, delta: int | None = None) -> HistoryEvent:
    """Return the event of an old text, or without one of a sign (docs/domain.md, History)."""
    words = " ".join(_JOINED.sub(" ", text).split()).casefold()
    if not words and delta:
        return HistoryEvent.DELIVERY if delta > 0 else HistoryEvent.WITHDRAWAL
    delivery, withdrawal = bool(_DELIVERY.search(words)), bool(_WITHDRAWAL.search(words))
    if _OTHER.search(words) or delivery == withdrawal:
        return HistoryEvent.OTHER
    return HistoryEvent.DELIVERY if delivery else HistoryEvent.WITHDRAWAL


_SITE = re.compile(rf"\b({'|'.join(Site)})\b")
_PLACE = re.compile(r"\b(from|to|at) +(?!gpm\b|gfm\b)[^\W\d_]")


def infer_site(text: str, division: Division) -> str:
    """Return the site in a text, else main for GFM, and OTHER_SITE or UNKNOWN_SITE for GPM."""
    words = " ".join(text.split()).casefold()
    if site := _SITE.search(words):
        return site[1]
    if division is Division.GFM:
        return Site.MAIN.value
    return OTHER_SITE if _PLACE.search(words) else UNKNOWN_SITE


_UNITS = (
    r"(?:x|×|pcs?|pieces?|units?|ea|each|kgs?|g|grams?|mgs?|mls?|cl|l|ltrs?|lit(?:re|er)s?|mm|cm"
    r"|m|metres?|meters?|inch(?:es)?|ft|oz|lbs?|box(?:es)?|packs?|pkts?|pk|packets?|cases?|pairs?"
    r"|rolls?|bottles?|tubs?|tins?|bags?|sets?|pallets?|cartons?|crates?|dozen|doz|hrs?|hours?)"
)
_QUANTITY = re.compile(
    rf"\d\s*{_UNITS}\b|(?<![a-z])[x×]\s*\d|\b(?:qty|quantity|amount|dozen|per|pack of|box of)\b"
    r"|\d\s*[/*%]|[*/%]\s*\d|\d[.,]\d",
    re.IGNORECASE,
)
_GOODS = re.compile(
    r"\b(?:uniforms?|polos?|(?:t[- ]?|sweat)?shirts?|trousers?|jackets?|fleeces?|hi[- ]?vis\w*"
    r"|vests?|gloves?|boots?|shoes?|aprons?|tabards?|overalls?|coveralls?|hats?|caps?|beanies?"
    r"|hood(?:ie|y|ies)s?|jumpers?|tunics?|work ?wear|clothing|ppe|lanyards?|socks?"
    r"|clean\w*|bleach|detergents?|disinfect\w*|soaps?|polish|mops?|mopheads?|buckets?|brooms?"
    r"|brush(?:es)?|sponges?|cloths?|wipes?|dusters?|bin ?(?:bags?|liners?)|liners?|sacks?"
    r"|toilet ?rolls?|paper|towels?|tissues?|saniti[sz]\w*|sprays?|chemicals?|hoovers?|vacuums?"
    r"|suppl(?:y|ies)|consumables?|stationery|materials?|refills?|equipment|batter(?:y|ies))\b",
    re.IGNORECASE,
)
_SIZE = re.compile(
    r"\b(?:[2-9]?X{1,4}[SL]|[2-9]X|[SML]\s*/\s*[SMLX]+)\b|\bsizes?\b|\b(?:UK|EU)\s?\d{1,2}\b"
    r"|^[SML]$|\([SML]\)|\b(?:small|medium|large|x-large)\b",
    re.IGNORECASE,
)
_LONE_SIZE = re.compile(r"(?P<before>\w+)[ -]+[SML]$")
_TEAM_WORDS = re.compile(
    r"teams?|crew|group|shift|squad|block|zone|area|floor|dept|department|office|site|ward|unit",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[_#@\\|<>={}\[\]]|\d{2,}[-/.]\d|\b[A-Z]{1,6}[-/ ]?\d{3,}|\b[A-Z]+-?\d+[A-Z]\w*|\b[A-Z]{2,}\d"
    r"|\b[A-Z]{1,4}-\d|\b[a-z]+-?\d{3,}|\b\d{2,}[A-Za-z]{1,3}\d|\b\d{3,}-?[A-Z]\b"
    r"|\b(?i:sku|ref|inv|po|id|code|order)[ .:]*\d|\b(?=(?:\w*\d){3})(?=\w*[A-Za-z])\w{6,}"
)


@lru_cache(maxsize=4096)
def display_team(text: str, *, is_imported: bool) -> str:
    """Return a history's team: one of our own field, or an imported plausible one, else ''."""
    return "" if is_imported and not is_plausible_team(text) else text


def is_plausible_team(text: str) -> bool:
    """Return whether an imported text names a team, not goods, a size, a quantity or a code."""
    team = text.strip()
    letters = sum(c.isalpha() for c in team)
    digits = sum(c.isdigit() for c in team)
    if not letters or digits > letters or len(team) > MAX_PLAUSIBLE_TEAM_LENGTH:
        return False
    if any(unicodedata.category(c) == "Sc" for c in team):
        return False
    return not (
        _QUANTITY.search(team)
        or _GOODS.search(team)
        or _SIZE.search(team)
        or ((end := _LONE_SIZE.search(team)) and not _TEAM_WORDS.fullmatch(end["before"]))
        or _CODE.search(team)
    )


_SITES = "|".join(Site)
_TITLE = re.compile(
    rf"(delivery|withdrawal|transfer(?: (?:to|from) (?:{_SITES}))?|stock check|addition|correction"
    r"|removal|other)\b[\s:;]*",
    re.IGNORECASE,
)
_RECEIPT = re.compile(r"^((?:undo:\s*)*delivery) from GPM\b", re.IGNORECASE)
"""The reason of a delivery's receipt: all of them are in GPM's own history."""
_UNDO = re.compile(r"undo:\s*", re.IGNORECASE)
_AT_SITE = re.compile(rf"\b(?:to|from|at) (?:{_SITES})\b", re.IGNORECASE)


@dataclass(frozen=True)
class EntryText:
    """An entry's title, the specification's `event` unless that begins it, and the other words."""

    title: str
    event: str
    detail: str

    @property
    def note(self) -> str:
        """Return the note beside the title: the event and the detail."""
        return " · ".join(filter(None, (self.event, self.detail)))


@dataclass(frozen=True, kw_only=True)
class EntryRow:
    """A ledger entry as histories show it; `made_at` is None unless it waited to be recorded."""

    id: int
    at: datetime
    text: EntryText
    team: str
    recorded_at: datetime
    made_at: datetime | None

    @property
    def note(self) -> str:
        """Return the note beside the title: the text's note, and when it was sent and made."""
        sending = dates.describe_sending(self.made_at, self.recorded_at)
        return " · ".join(filter(None, (self.text.note, sending)))


def describe_entry(
    kind: EntryKind, reason: str, day: date, *, is_imported: bool = False
) -> EntryText:
    """Return the screens' description of an entry by its kind, then its reason's words."""
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
    """Return an operation's title by its first entry; a reason says more than 'Correction'."""
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
    return _AT_SITE.sub(_with_capital_site, words.capitalize())


def _with_capital_site(match: re.Match[str]) -> str:
    word, site = match[0].split()
    return f"{word} {site.title()}"


def _plain_text(text: str, day: date) -> str:
    """Return a text with capitalised sites and short days, without the day that has a column."""
    for own_day in (f"({day})", str(day)):
        text = re.sub(rf"(?<!\S){re.escape(own_day)}\s*(?=;|$)", "", text)
    return _AT_SITE.sub(_with_capital_site, dates.format_days_in(text)).strip()

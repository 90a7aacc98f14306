"""History as people read it: events, sites, plausible teams, ranges of days; pure."""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

from app.divisions import Division, Site
from app.stock.rules.operations import Kind

LONGEST_PLAUSIBLE_TEAM = 32

OTHER_SITE = "other"
UNKNOWN_SITE = ""
DASH = "–"


class Event(StrEnum):
    """What a line of history is called on screen and in exports."""

    DELIVERY = "Delivery"
    WITHDRAWAL = "Withdrawal"
    OTHER = "Other"


_JOINED = re.compile(r"_|(?<=[^\W\d])-(?=[^\W\d])")

_EVENTS = {Kind.DELIVERY: Event.DELIVERY, Kind.WITHDRAWAL: Event.WITHDRAWAL}

# What is neither, whatever else is said: a transfer's delivery is no delivery to the company.
_NEITHER = re.compile(
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


def event_of(kind: Kind) -> Event:
    """Return the event that a ledger line of our own is shown as (design §4)."""
    return _EVENTS.get(kind, Event.OTHER)


def kinds_of(event: Event) -> list[Kind]:
    """Return the kinds of ledger lines that are shown as an event."""
    return [kind for kind in Kind if event_of(kind) is event]


def kind_of(event: Event) -> Kind:
    """Return the kind under which an imported line of this event is kept."""
    return next((kind for kind, shown in _EVENTS.items() if shown is event), Kind.CORRECTION)


def beside(event: Event, detail: str) -> str:
    """Return what a detail adds where the event stands already: 'to northern'."""
    said = detail.strip()
    if not said.casefold().startswith(event.casefold()):
        return said
    rest = said[len(event) :]
    return said if rest[:1].isalnum() else rest.strip()


def movement_detail(kind: Kind, reason: str, *, is_imported: bool) -> str:
    """Return what an item's history says beside the event: the kind of an Other, and the reason."""
    if is_imported or kind in _EVENTS or reason.casefold().startswith(kind.value):
        return beside(event_of(kind), reason)
    return ": ".join(filter(None, (kind.value.title(), reason)))


def normalise_event(text: str, delta: int | None = None) -> Event:
    """Read an event from any of the texts and signs that old histories have (seed §3).

    `delta` decides where the text says nothing.
    """
    said = " ".join(_JOINED.sub(" ", text).split()).casefold()
    if not said and delta:
        return Event.DELIVERY if delta > 0 else Event.WITHDRAWAL
    delivery, withdrawal = bool(_DELIVERY.search(said)), bool(_WITHDRAWAL.search(said))
    if _NEITHER.search(said) or delivery == withdrawal:
        return Event.OTHER
    return Event.DELIVERY if delivery else Event.WITHDRAWAL


_SITE = re.compile(rf"\b({'|'.join(Site)})\b")
_SOME_PLACE = re.compile(r"\b(from|to|at) +(?!gpm\b|gfm\b)[^\W\d_]")


def infer_site(text: str, division: Division) -> str:
    """Return the site that an event's text names.

    GFM's is main where it names none; GPM's is OTHER_SITE for a place that isn't a site, and
    UNKNOWN_SITE for none.
    """
    said = " ".join(text.split()).casefold()
    found = _SITE.search(said)
    if found:
        return found[1]
    if division is Division.GFM:
        return Site.MAIN.value
    return OTHER_SITE if _SOME_PLACE.search(said) else UNKNOWN_SITE


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
def shown_team(text: str, *, is_imported: bool) -> str:
    """Return the team that a line shows: of what was imported only a plausible one (seed §5).

    What somebody has said in a field for teams is one.
    """
    return "" if is_imported and not is_plausible_team(text) else text


def is_plausible_team(text: str) -> bool:
    """Tell whether a history row's team looks like one (seed §5); others aren't shown."""
    said = text.strip()
    letters = sum(c.isalpha() for c in said)
    digits = sum(c.isdigit() for c in said)
    if not letters or digits > letters or len(said) > LONGEST_PLAUSIBLE_TEAM:
        return False
    if any(unicodedata.category(c) == "Sc" for c in said):
        return False
    return not (
        _QUANTITY.search(said)
        or _GOODS.search(said)
        or _SIZE.search(said)
        or _ends_in_a_size(said)
        or _CODE.search(said)
    )


def _ends_in_a_size(said: str) -> bool:
    """Tell 'Polo M' from 'Team M'."""
    found = _LONE_SIZE.search(said)
    return bool(found) and not _TEAM_WORDS.fullmatch(found["before"] if found else "")

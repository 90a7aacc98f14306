"""What a check must say, and what in it needs a second look; pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from math import isfinite

from app import dates, money, names
from app.errors import Invalid
from app.fleet.rules.forms import FieldType, FormTemplate
from app.fleet.rules.plates import clean_plate

LONGEST_NOTES = 4000
LONGEST_REMARK = 400
MOST_ITEMS = 100
MOST_PHOTOS = 12
LONGEST_PHOTO_NAME = 200

ODOMETER_REQUIRED = "Mileage (odometer) is required and must be a number."
_ODOMETER_TOO_HIGH = f"Mileage (odometer) must be at most {money.format_number(money.MAX_AMOUNT)}."

Value = str | int | float | bool | None
Items = Mapping[str, Value]

_PLATE_NAMES = {"reg", "plate", "registration", "numberplate", "licenseplate", "licenceplate"}
_ODOMETER_NAMES = {"mileage", "odometer"}
_DAY_NAMES = {"date", "day", "month", "year", "expiry"}
_DAMAGE_NAMES = {"damage", "damages", "damaged"}
_DENYING_NAMES = {"undamaged", "no", "not", "without"}
_DENIALS = {"no", "none", "nil", "nothing", "not", "n", "a", "na"}
_DENIED = _DAMAGE_NAMES | {
    *("any", "apparent", "at", "found", "further", "known", "new", "noted", "noticed", "obvious"),
    *("other", "present", "report", "reported", "see", "seen", "to", "visible"),
}
_FINE = {"all", "fine", "good", "is", "ok", "okay", "undamaged"}
_YES = {"yes", "y", "true"}
_NO = {"no", "n", "false"}
_CLAUSE_END = re.compile(r"[.,;:!\n]+|(?:^|\s)[-–—]+(?=\s|$)")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_NUMBER = re.compile(r"(\d[\d,]*)(?:\.\d*)?", re.ASCII)


class Flag(StrEnum):
    """Why a check needs a second look."""

    DAMAGE = "damage"
    COST = "cost"
    ODOMETER = "odometer"


@dataclass(frozen=True)
class Reading:
    """What a check is about: which vehicle, how far it has gone, in whole miles."""

    reg: str
    odometer: int


def read_check(
    reg: str | None, odometer: Value, items: Items, template: FormTemplate | None = None
) -> Reading:
    """Return the plate and mileage of a check; what isn't said is found among its items.

    Raises Invalid with all that is wrong (the first rule set of seed §5).
    """
    wrong: dict[str, str] = {}
    plate, miles = "", 0
    try:
        plate = clean_plate((reg or "").strip() or find_plate(items, template))
    except Invalid as error:
        wrong["reg"] = error.message
    try:
        said = find_odometer(items) if odometer is None or odometer == "" else odometer
        miles = read_odometer(said)
    except Invalid as error:
        wrong["odometer"] = error.message
    if wrong:
        refused = Invalid(next(iter(wrong.values())))
        refused.fields = wrong
        raise refused
    return Reading(plate, miles)


def find_plate(items: Items, template: FormTemplate | None = None) -> str:
    """Return the plate among a check's items, '' where none says one.

    What its form calls a plate comes before what is called like one.
    """
    fields = template.fields if template else ()
    plates = {
        field.name: items.get(field.name) for field in fields if field.type is FieldType.PLATE
    }
    found = _said(plates, plates) or _find(items, _PLATE_NAMES)
    return str(found).strip() if isinstance(found, str | int) else ""


def find_odometer(items: Items) -> Value:
    """Return the mileage among a check's items as it is written, None where none says one.

    Forms write numbers as text, so '48,210' is one here.
    """
    found = _find(items, _ODOMETER_NAMES)
    written = _NUMBER.fullmatch(found.strip()) if isinstance(found, str) else None
    return int(written[1].replace(",", "")) if written else found


def read_odometer(value: Value) -> int:
    """Return a number of 0 or more as whole miles; raises Invalid for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid(ODOMETER_REQUIRED, "odometer")
    if value < 0 or (isinstance(value, float) and not isfinite(value)):
        raise Invalid(ODOMETER_REQUIRED, "odometer")
    if value > money.MAX_AMOUNT:
        raise Invalid(_ODOMETER_TOO_HIGH, "odometer")
    return int(value)


def find_notes(items: Items) -> str:
    """Return the notes among a check's items, '' where there are none."""
    found = _find(items, {"notes"})
    return found if isinstance(found, str) else ""


def is_notes(name: str) -> bool:
    """Tell whether a field holds the notes, which may be long."""
    return _joined(name) == "notes"


def says_damage(items: Items) -> bool:
    """Tell whether a field about damage says that there is some."""
    return any(_is_damage(_words(name), value) for name, value in items.items())


def flags(*, has_damage: bool, cost: int, odometer_fell: bool) -> list[Flag]:
    """Return why a check needs a second look; its cost is in pence."""
    found = {Flag.DAMAGE: has_damage, Flag.COST: cost > 0, Flag.ODOMETER: odometer_fell}
    return [flag for flag, is_raised in found.items() if is_raised]


def warning_of(last: int | None, odometer: int) -> str | None:
    """Return what to say where a vehicle's odometer fell below its last reading."""
    if last is None or odometer >= last:
        return None
    return f"Lower than the last reading, {money.format_number(last)}."


def say_reviewed_before(who: str, at: datetime) -> str:
    """Say by whom and when a check was reviewed, to somebody who wants to review it too."""
    day = dates.format_day(dates.london_day(at))
    return f"{who} reviewed this check on {day} at {dates.format_time(at)}."


def search_key(texts: Sequence[str], items: Items, day: date) -> str:
    """Return the key in which a search of checks looks for its words."""
    said = [show(value) for value in items.values()]
    return names.key(" ".join((*texts, *said, day.isoformat(), dates.format_day(day))))


def show(value: Value) -> str:
    """Write the value of a field as a person reads it."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return "" if value is None else str(value)


def labelled(items: Items, template: FormTemplate | None, notes: str) -> list[tuple[str, str]]:
    """Return a check's fields that say something as (label, text), without its notes.

    They stand in the order of their form; those it doesn't have follow under their names.
    """
    labels = {field.name: field.label for field in template.fields} if template else {}
    order = [*(name for name in labels if name in items), *(n for n in items if n not in labels)]
    rest = [name for name in order if not (is_notes(name) and items[name] == notes)]
    shown = [(labels.get(name, name), show(items[name])) for name in rest]
    return [(label, text) for label, text in shown if text.strip()]


def _find(items: Items, wanted: set[str]) -> Value:
    """Return the first value whose name means one of these, exact names before longer ones.

    'Date of registration' means a day.
    """
    exact = [name for name in items if _joined(name) in wanted]
    words = {name: _words(name) for name in items}
    longer = [name for name in items if words[name] & wanted and not words[name] & _DAY_NAMES]
    return _said(items, (*exact, *longer))


def _said(items: Items, wanted: Iterable[str]) -> Value:
    for name in wanted:
        value = items.get(name)
        if value is not None and str(value).strip():
            return value
    return None


def _joined(name: str) -> str:
    return names.key(name).replace(" ", "").replace("_", "").replace("-", "")


def _words(name: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(name)}


def _is_damage(asked: set[str], value: Value) -> bool:
    """Tell whether an answer means damage; 'Undamaged' asks the other way round."""
    if not asked & {*_DAMAGE_NAMES, "undamaged"}:
        return False
    said = value.strip(" .!").casefold() if isinstance(value, str) else ""
    if asked & _DENYING_NAMES:
        is_denied = value is False or said in _NO
        return is_denied or not (said in _YES or _is_fine(said))
    return not _is_fine(said) if isinstance(value, str) else bool(value)


def _is_fine(text: str) -> bool:
    """Tell whether each clause of a text denies damage or finds all well."""
    for clause in _CLAUSE_END.split(text):
        said = set(re.findall(r"\w+", names.key(clause)))
        denies = said & _DENIALS and said <= _DENIALS | _DENIED
        if names.key(clause) and not denies and not (said and said <= _FINE):
            return False
    return True

"""Vehicle checks: their required values, and the reasons for a second look.

See docs/domain.md, Vehicle checks.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from math import inf
from typing import Any

from app import dates, money, names
from app.errors import Invalid
from app.fields import LabelledEnum
from app.fleet.rules.templates import MAX_LABEL_LENGTH, MAX_VALUE_LENGTH, FieldType, Template
from app.fleet.rules.vehicles import clean_plate

MAX_NOTES_LENGTH = 4000
MAX_REMARK_LENGTH = 400
MAX_ITEMS = 100
MAX_PHOTOS = 12
MAX_ANSWERED_DEFECTS = 100
MAX_OUTCOME_LENGTH = 200
MAX_PHOTO_NAME_LENGTH = 200
TOO_MANY_PHOTOS = f"A check has at most {MAX_PHOTOS} photos."

_ODOMETER_TOO_HIGH = f"Mileage (odometer) must be at most {money.format_number(money.MAX_AMOUNT)}."

Value = str | int | float | bool | None
Items = Mapping[str, Value]

_PLATE_WORDS = {"reg", "plate", "registration", "numberplate", "licenseplate", "licenceplate"}
_ODOMETER_WORDS = {"mileage", "odometer"}
_DAY_WORDS = {"date", "day", "month", "year", "expiry"}
_DAMAGE_WORDS = {"damage", "damages", "damaged"}
_NEGATED_FIELD_WORDS = {"undamaged", "no", "not", "without"}
_NEGATIONS = {"no", "none", "nil", "nothing", "not", "n", "a", "na"}
_NEGATED_WORDS = _DAMAGE_WORDS | {
    *("any", "apparent", "at", "found", "further", "known", "new", "noted", "noticed", "obvious"),
    *("other", "present", "report", "reported", "see", "seen", "to", "visible"),
}
_ALL_WELL = {"all", "fine", "good", "is", "ok", "okay", "undamaged"}
_DOUBTS = {"cannot", "never", "no", "none", "not", "nothing", "t", "without"}
_FAULTS = _DAMAGE_WORDS | {
    *("attention", "bad", "blocked", "broken", "cracked", "dangerous", "dead", "defective"),
    *("empty", "expired", "fail", "failed", "failing", "fails", "fault", "faults", "faulty"),
    *("flat", "issue", "issues", "leak", "leaking", "leaks", "loose", "low", "missing", "need"),
    *("needs", "problem", "problems", "seized", "soft", "stuck", "torn", "unsafe", "weak", "wrong"),
}
_JOINS = {"and", "nor", "or"}
_YES = {"yes", "y", "true"}
_NO = {"no", "n", "false"}
_CLAUSE_END = re.compile(r"[.,;:!\n]+|(?:^|\s)[-–—]+(?=\s|$)")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_NUMBER = re.compile(r"(\d[\d,]*)(?:\.\d*)?", re.ASCII)


class CheckFlag(StrEnum):
    """Why a check needs a second look."""

    DAMAGE = "damage"
    COST = "cost"
    ODOMETER = "odometer"


class DamageField(StrEnum):
    """The question of a field about damage: whether there is any, or whether there is none."""

    REPORTS = "reports"
    DENIES = "denies"


class CheckOutcome(LabelledEnum):
    """The outcome of a check: no defects, defects, or a form that asked for none."""

    NIL = "nil", "No defects (nil)"
    DEFECTS = "defects", "With defects"
    WITHOUT_QUESTIONS = "not_asked", "Not asked"


def parse_readings(
    reg: str | None, odometer: Value, items: Items, template: Template | None = None
) -> tuple[str, int]:
    """Return the plate and whole miles of a check, looking for missing ones among its items.

    Raises Invalid with every problem by field.
    """
    problems: dict[str, str] = {}
    plate, miles = "", 0
    try:
        plate = clean_plate((reg or "").strip() or find_plate(items, template))
    except Invalid as error:
        problems["reg"] = error.message
    try:
        is_missing = odometer is None or odometer == ""
        miles = parse_odometer(find_odometer(items) if is_missing else odometer)
    except Invalid as error:
        problems["odometer"] = error.message
    if problems:
        refusal = Invalid(next(iter(problems.values())))
        refusal.fields = problems
        raise refusal
    return plate, miles


def find_plate(items: Items, template: Template | None = None) -> str:
    """Return the plate among a check's items, '' for none; the template's plate fields first."""
    fields = template.fields if template else ()
    plate_fields = [field.name for field in fields if field.type is FieldType.PLATE]
    plate = _first_filled(items, plate_fields) or _find_by_words(items, _PLATE_WORDS)
    return str(plate).strip() if isinstance(plate, str | int) else ""


def find_odometer(items: Items) -> Value:
    """Return the mileage among a check's items, or None; a text such as '48,210' as a number."""
    value = _find_by_words(items, _ODOMETER_WORDS)
    number = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(number[1].replace(",", "")) if number else value


def parse_odometer(value: Value) -> int:
    """Return a number as whole miles; raises Invalid for any other, and beyond the limits."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
        raise Invalid("Mileage (odometer) is required and must be a number.", "odometer")
    if value > money.MAX_AMOUNT:
        raise Invalid(_ODOMETER_TOO_HIGH, "odometer")
    return int(value)


def parse_miles(text: str) -> int | None:
    """Return whole miles such as '48,210', their tenths cut off, None for any other text."""
    number = _NUMBER.fullmatch(text.strip())
    miles = int(number[1].replace(",", "")) if number else None
    return miles if miles is not None and miles <= money.MAX_AMOUNT else None


def find_notes(items: Items) -> str:
    """Return the notes among a check's items, or ''."""
    notes = _find_by_words(items, {"notes"})
    return notes if isinstance(notes, str) else ""


def is_notes_field(name: str) -> bool:
    """Return whether a field holds the notes, which may be long."""
    return _compact_key(name) == "notes"


def clean_text(field_name: str, text: str) -> str:
    """Return the text of a field as it is stored; raises Invalid when it is too long."""
    limit = MAX_NOTES_LENGTH if is_notes_field(field_name) else MAX_VALUE_LENGTH
    return names.clean_lines(text, limit=limit, what=field_name[:MAX_LABEL_LENGTH])


def reports_damage(items: Items) -> bool:
    """Return whether a field about damage reports any."""
    return any(_field_reports_damage(name, value) for name, value in items.items())


def damage_field(name: str) -> DamageField | None:
    """Return what a field asks about damage by its name; 'Undamaged' asks for its absence."""
    words = _words(name)
    if not words & {*_DAMAGE_WORDS, "undamaged"}:
        return None
    return DamageField.DENIES if words & _NEGATED_FIELD_WORDS else DamageField.REPORTS


def doubts_safety(text: str) -> bool:
    """Return whether a text about safety names a fault, or denies that something is well.

    'Horn broken' and 'brakes not working' do; 'first aid kit aboard' and 'nothing missing' don't.
    """
    return any(_has_doubt(words) and not _denies(words) for words in _clauses(text))


def damage_text(items: Items) -> str:
    """Return a check's text about damage, '' if it reports none or gives no details."""
    reports = (value for name, value in items.items() if _field_reports_damage(name, value))
    return next((text for text in reports if isinstance(text, str)), "").strip()


def check_flags(check: Any) -> list[CheckFlag]:
    """Return why a check, or a row of one, needs a second look."""
    raised = {
        CheckFlag.DAMAGE: check.has_damage,
        CheckFlag.COST: check.cost > 0,
        CheckFlag.ODOMETER: check.odometer_fell,
    }
    return [flag for flag, is_raised in raised.items() if is_raised]


def odometer_warning(previous: int | None, odometer: int) -> str | None:
    """Return the warning for an odometer below the vehicle's previous reading, else None."""
    if previous is None or odometer >= previous:
        return None
    return f"Lower than the last reading, {money.format_number(previous)}."


def already_reviewed_message(username: str, at: datetime) -> str:
    """Return the message for somebody who reviews a check a second time."""
    day = dates.format_day(dates.london_day(at))
    return f"{username} reviewed this check on {day} at {dates.format_time(at)}."


def check_time(day: date, sent_at: datetime) -> datetime:
    """Return the time of a check: that of its sending on its day, else noon of its day."""
    is_same_day = dates.london_day(sent_at) == day
    return sent_at if is_same_day else dates.noon_in_london(day)


def search_key(texts: Sequence[str], items: Items, day: date) -> str:
    """Return the text that searches of checks look in: `texts`, all values and the day."""
    values = [format_value(value) for value in items.values()]
    return names.key(" ".join((*texts, *values, day.isoformat(), dates.format_day(day))))


def format_value(value: Value) -> str:
    """Return the value of a field as text for people."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return "" if value is None else str(value)


def labelled_values(items: Items, template: Template | None, notes: str) -> list[tuple[str, str]]:
    """Return a check's filled fields but notes as (label, text), the template's fields first."""
    labels = {field.name: field.label for field in template.fields} if template else {}
    order = [*(name for name in labels if name in items), *(n for n in items if n not in labels)]
    # Compared first: most names are none of notes, and to tell takes longer.
    others = [name for name in order if not (items[name] == notes and is_notes_field(name))]
    texts = [(labels.get(name, name), format_value(items[name])) for name in others]
    return [(label, dates.format_days_in(text)) for label, text in texts if text.strip()]


def _find_by_words(items: Items, words: set[str]) -> Value:
    """Return the first filled value whose name is, or else contains, one of these words.

    A name that contains a word about days is skipped: 'Date of registration' is no plate.
    """
    exact = [name for name in items if _compact_key(name) in words]
    words_of = {name: _words(name) for name in items}
    containing = [n for n in items if words_of[n] & words and not words_of[n] & _DAY_WORDS]
    return _first_filled(items, (*exact, *containing))


def _first_filled(items: Items, field_names: Iterable[str]) -> Value:
    values = map(items.get, field_names)
    return next((each for each in values if each is not None and str(each).strip()), None)


def _compact_key(name: str) -> str:
    return names.key(name).replace(" ", "").replace("_", "").replace("-", "")


def _words(name: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(name)}


def _field_reports_damage(name: str, value: Value) -> bool:
    answer = value.strip(" .!").casefold() if isinstance(value, str) else ""
    match damage_field(name):
        case DamageField.DENIES:
            is_no = value is False or answer in _NO
            return is_no or not (answer in _YES or _is_all_well(answer))
        case DamageField.REPORTS:
            return not _is_all_well(answer) if isinstance(value, str) else bool(value)
        case _:
            return False


def _is_all_well(text: str) -> bool:
    return all(_denies(words) or (words and {*words} <= _ALL_WELL) for words in _clauses(text))


def _clauses(text: str) -> Sequence[Sequence[str]]:
    keys = filter(None, map(names.key, _CLAUSE_END.split(text)))
    return [re.findall(r"\w+", key) for key in keys]


def _denies(words: Sequence[str]) -> bool:
    found = {*words}
    return bool(found & _NEGATIONS) and found <= _NEGATIONS | _NEGATED_WORDS


def _has_doubt(words: Sequence[str]) -> bool:
    """Return whether a clause names a fault, or denies anything but a fault.

    'No known faults or leaks' is no doubt; 'faulty and does not hold' is one.
    """
    is_denying = is_settled = False
    for word in words:
        if word in _DOUBTS:
            if is_denying and not is_settled:
                return True
            is_denying, is_settled = True, False
        elif word in _FAULTS:
            if not is_denying:
                return True
            is_settled = True
        elif is_denying and word not in _NEGATED_WORDS and word not in _JOINS:
            if not is_settled:
                return True
            is_denying = False
    return is_denying and not is_settled

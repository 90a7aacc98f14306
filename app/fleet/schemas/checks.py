"""Checks as JSON and files hold them, under the seed's field names (seed §3, §7)."""

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app import money, names
from app.api.calls import Body, Reply
from app.api.fields import Day, Pounds, Text
from app.errors import Invalid
from app.fleet.queries.checks import CheckRow
from app.fleet.rules import checks as rules
from app.fleet.rules.checks import Flag
from app.fleet.rules.forms import LONGEST_LABEL, LONGEST_VALUE, MAX_KEY_LENGTH
from app.fleet.rules.plates import LONGEST_PLATE
from app.tables.csv_files import escape

CSV_COLUMNS = ("date", "reg", "odometer", "submittedBy", "notes", "photos")
CSV_NOTES = 200

COST_WRONG = "Repair/Expense (£) must be a non-negative number."
_LARGEST_NUMBER = 10**15


@dataclass(frozen=True)
class PhotoSaid:
    """A photo as a body names it: by its id, or with its content."""

    name: str
    id: str
    data: bytes | None


class Items(fields.Dict):
    """A form's fields by name: text, numbers, true and false."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        said = super()._deserialize(value, *args, **kwargs)  # type: ignore[no-untyped-call]
        if len(said) > rules.MOST_ITEMS:
            raise ValidationError(f"A check has at most {rules.MOST_ITEMS} fields.")
        items: dict[str, Any] = {}
        wrong: dict[str, list[str]] = {}
        for name, inner in said.items():
            try:
                cleaned = names.clean(name, limit=LONGEST_LABEL, what="A field's name")
                if not cleaned:
                    raise ValidationError("A field has no name.")
                if cleaned in items:
                    raise ValidationError(f'The field "{cleaned}" stands twice.')
                items[cleaned] = _value(name, inner)
            except Invalid as error:
                wrong[name[:LONGEST_LABEL]] = [error.message]
        if wrong:
            raise ValidationError(dict(wrong))
        return items


class Cost(Pounds):
    """Pounds of repair or expense."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not value >= 0:
            raise ValidationError(COST_WRONG)
        # Of what is far too much, only that it is too much is said.
        return super()._deserialize(min(value, money.MAX_PENCE), *args, **kwargs)


class Notes(fields.String):
    """Text of several lines."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        try:
            return names.clean_lines(text, limit=rules.LONGEST_NOTES, what="Notes")
        except Invalid as error:
            raise ValidationError(error.message) from None


class DataUri(fields.String):
    """A picture as a data URI, in base64."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        kind, _, content = super()._deserialize(value, *args, **kwargs).partition(",")
        try:
            data = base64.b64decode(content, validate=True)
        except (binascii.Error, ValueError):
            data = b""
        if not (data and kind.startswith("data:image/") and kind.endswith(";base64")):
            raise ValidationError("Must be a picture as a data URI in base64.")
        return data


class PhotoBody(Body):
    """A photo: `id` is the SHA-256 under which it was sent, else `dataUri` holds it."""

    constraints: ClassVar = {
        "oneOf": [{"required": ["id"]}, {"required": ["dataUri"]}],
        "example": {"name": "front.jpg", "id": hashlib.sha256(b"front.jpg").hexdigest()},
    }

    name = Text(limit=rules.LONGEST_PHOTO_NAME, what="A photo's name", load_default="")
    id = fields.String(
        load_default="",
        metadata={"pattern": "^[0-9a-f]{64}$"},
        validate=validate.Regexp(
            r"^(?:[0-9a-f]{64})?\Z", error="Must be the SHA-256 of a photo that was sent."
        ),
    )
    dataUri = DataUri(  # noqa: N815 (the seed's name)
        load_default=None,
        allow_none=False,
        metadata={"pattern": "^data:image/[a-z.+-]+;base64,(?:[A-Za-z0-9+/]{4})+$"},
    )

    @post_load
    def _photo(self, data: dict[str, Any], **_: Any) -> PhotoSaid:
        if bool(data["id"]) == bool(data["dataUri"]):
            raise ValidationError("Must have either an id or a dataUri.")
        return PhotoSaid(data["name"], data["id"], data["dataUri"])


class CheckBody(Body):
    """A check; plate and mileage that aren't said are found among the items by their names."""

    aliases: ClassVar = {"numberPlate": "reg", "ts": "date", "formType": "_formType"}
    constraints: ClassVar = {
        "anyOf": [{"required": ["reg", "odometer"]}, {"required": ["items"]}],
        "allOf": [
            {
                "properties": {
                    "items": {
                        "maxProperties": rules.MOST_ITEMS,
                        "propertyNames": {
                            "format": "one-line",
                            "minLength": 1,
                            "maxLength": LONGEST_LABEL,
                        },
                        "additionalProperties": {
                            "type": ["string", "number", "boolean", "null"],
                            "maxLength": LONGEST_VALUE,
                            "minimum": -_LARGEST_NUMBER,
                            "maximum": _LARGEST_NUMBER,
                        },
                    },
                }
            }
        ],
    }

    reg = fields.String(
        load_default="",
        allow_none=True,
        metadata={
            "type": "string",
            "format": "one-line",
            "minLength": 1,
            "maxLength": LONGEST_PLATE,
            "example": "LK19 VTE",
        },
    )
    date = Day(metadata={"description": "Today when missing", "example": "2026-01-15"})
    odometer = fields.Raw(
        load_default=None,
        allow_none=True,
        metadata={
            "type": "number",
            "minimum": 0,
            "maximum": money.MAX_AMOUNT,
            "description": "In miles, a fraction is cut",
        },
    )
    items = Items(load_default=dict, metadata={"example": {"Damage": "None"}})
    notes = Notes(load_default="", metadata={"maxLength": rules.LONGEST_NOTES})
    photos = fields.List(
        fields.Nested(PhotoBody),
        load_default=list,
        validate=validate.Length(
            max=rules.MOST_PHOTOS, error=f"A check has at most {rules.MOST_PHOTOS} photos."
        ),
    )
    costGBP = Cost(  # noqa: N815 (the seed's name)
        what="Repair/Expense (£)", load_default=0, metadata={"example": 12.5}
    )
    _formType = Text(  # noqa: N815 (the seed's name)
        limit=MAX_KEY_LENGTH, what="_formType", load_default="", metadata={"example": "mixed"}
    )


class CheckPhotoReply(Reply):
    """A photo of a check, and where it is read."""

    name = fields.String()
    url = fields.String()
    thumbnail = fields.String()


class ReviewReply(Reply):
    """Who looked at a check."""

    by = fields.String()
    at = fields.String(metadata={"format": "date-time"})
    remark = fields.String()


class CheckReply(Reply):
    """A check; its cost is in pounds."""

    id = fields.Integer()
    reg = fields.String()
    date = fields.String(metadata={"format": "date"})
    odometer = fields.Integer()
    items = fields.Dict()
    notes = fields.String()
    photos = fields.List(fields.Nested(CheckPhotoReply))
    submittedBy = fields.String()  # noqa: N815 (the seed's name)
    costGBP = fields.Float()  # noqa: N815 (the seed's name)
    _formType = fields.String()  # noqa: N815 (the seed's name)
    reviewed = fields.Nested(ReviewReply, allow_none=True)
    flags = fields.List(fields.String(validate=validate.OneOf([flag.value for flag in Flag])))


class SubmittedReply(CheckReply):
    """A check as it was taken, and what its sender should look at again."""

    warnings = fields.List(fields.String())


def photo_urls(check_id: int, position: int) -> tuple[str, str]:
    """Return where a photo of a check and its thumbnail are read."""
    url = f"/api/checks/{check_id}/photos/{position}"
    return url, f"{url}/thumbnail"


def check_json(check: CheckRow) -> dict[str, Any]:
    """Return a check under the seed's names."""
    review = check.review
    return {
        "id": check.id,
        "reg": check.reg,
        "date": check.day.isoformat(),
        "odometer": check.odometer,
        "items": check.items,
        "notes": check.notes,
        "photos": [_photo_json(check.id, n, name) for n, name in enumerate(check.photos)],
        "submittedBy": check.submitted_by,
        "costGBP": check.cost / 100,
        "_formType": check.form_type,
        "reviewed": review
        and {"by": review.by, "at": f"{review.at:%Y-%m-%dT%H:%M:%SZ}", "remark": review.remark},
        "flags": [flag.value for flag in check.flags],
    }


def submitted_json(check: CheckRow, warnings: Sequence[str]) -> dict[str, Any]:
    """Return a check as it was taken: nobody had reviewed it, also when this is said again."""
    return check_json(check) | {"reviewed": None, "warnings": warnings}


def csv_rows(checks: Iterable[CheckRow]) -> Iterator[Sequence[str]]:
    """Yield the cells of each check as the list's export has them (seed §7)."""
    for check in checks:
        yield (
            check.day.isoformat(),
            escape(check.reg),
            str(check.odometer),
            escape(check.submitted_by),
            escape(check.notes[:CSV_NOTES]),
            str(len(check.photos)),
        )


def _photo_json(check_id: int, position: int, name: str) -> dict[str, str]:
    url, thumbnail = photo_urls(check_id, position)
    return {"name": name, "url": url, "thumbnail": thumbnail}


def _value(name: str, value: Any) -> rules.Value:
    if isinstance(value, str):
        limit = rules.LONGEST_NOTES if rules.is_notes(name) else LONGEST_VALUE
        return names.clean_lines(value, limit=limit, what=name[:LONGEST_LABEL])
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and abs(value) <= _LARGEST_NUMBER:
        return value
    raise Invalid("Must be text or a number.")

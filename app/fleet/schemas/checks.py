"""Checks as JSON and as CSV."""

import base64
import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar, TypeGuard

from marshmallow import ValidationError, fields, post_load, validate

from app import dates, money, names
from app.api import replies
from app.api.fields import FullMessage, JsonDay, JsonPounds, JsonText, parse_value
from app.api.replies import Reply
from app.api.schemas import Body, ExactlyOne
from app.errors import Invalid
from app.fleet.queries.checks import CheckRow
from app.fleet.rules import checks as rules
from app.fleet.rules.check_answers import WRONG_COST, SubmittedCheck
from app.fleet.rules.checks import CheckFlag, CheckOutcome
from app.fleet.rules.findings import BookingStep, DriveReason, HandoverStep, SightingAnswer
from app.fleet.rules.templates import MAX_KEY_LENGTH, MAX_LABEL_LENGTH, MAX_VALUE_LENGTH
from app.fleet.schemas.numbers import BOOKINGS, DEFECTS, JsonNumber
from app.fleet.schemas.vehicles import PLATE
from app.records.record import Column, columns_at
from app.sent_files import SentFile

MAX_CSV_NOTES_LENGTH = 200

_MAX_NUMBER = 10**15


class Items(fields.Dict):
    """The values of a check by field name: texts, numbers, true and false."""

    json_schema: ClassVar = {
        "maxProperties": rules.MAX_ITEMS,
        "propertyNames": {"format": "one-line", "minLength": 1, "maxLength": MAX_LABEL_LENGTH},
        "additionalProperties": {
            "type": ["string", "number", "boolean", "null"],
            "maxLength": MAX_VALUE_LENGTH,
            "minimum": -_MAX_NUMBER,
            "maximum": _MAX_NUMBER,
        },
    }

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        values = super()._deserialize(value, *args, **kwargs)  # type: ignore[no-untyped-call]
        if len(values) > rules.MAX_ITEMS:
            raise ValidationError(FullMessage(f"A check has at most {rules.MAX_ITEMS} fields."))
        items: dict[str, rules.Value] = {}
        problems: dict[str, list[str]] = {}
        for name, inner in values.items():
            try:
                cleaned = names.clean(name, limit=MAX_LABEL_LENGTH, what="A field's name")
                if not cleaned:
                    raise ValidationError(FullMessage("A field has no name."))
                if cleaned in items:
                    raise ValidationError(FullMessage(f'The field "{cleaned}" occurs twice.'))
                if isinstance(inner, str):
                    items[cleaned] = rules.clean_text(name, inner)
                elif _is_value(inner):
                    items[cleaned] = inner
                else:
                    problems[name[:MAX_LABEL_LENGTH]] = ["Must be text or a number."]
            except Invalid as error:
                problems[name[:MAX_LABEL_LENGTH]] = [FullMessage(error.message)]
        if problems:
            raise ValidationError(dict(problems))
        return items


class Cost(JsonPounds):
    """The cost of repairs or expenses in pounds."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not value >= 0:
            raise ValidationError(FullMessage(WRONG_COST))
        # An enormous number gets the usual message for too large a one.
        return super()._deserialize(min(value, money.MAX_PENCE), *args, **kwargs)


class Notes(fields.String):
    """Text of several lines."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, *args, **kwargs)
        return parse_value(
            lambda text: names.clean_lines(text, limit=rules.MAX_NOTES_LENGTH, what="Notes"), text
        )


class DataUri(fields.String):
    """A picture as a data URI, in base64."""

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        kind, _, content = super()._deserialize(value, *args, **kwargs).partition(",")
        try:
            data = base64.b64decode(content, validate=True)
        except ValueError:
            data = b""
        if not (data and kind.startswith("data:image/") and kind.endswith(";base64")):
            raise ValidationError("Must be a picture as a data URI in base64.")
        return data


class PhotoBody(Body):
    """A photo of a check: the SHA-256 of an uploaded one as `id`, or its content as `dataUri`."""

    field_rules: ClassVar = [ExactlyOne(("id", "dataUri"), "Must have either an id or a dataUri.")]
    example: ClassVar = {"name": "front.jpg", "id": hashlib.sha256(b"front.jpg").hexdigest()}

    name = JsonText(
        limit=rules.MAX_PHOTO_NAME_LENGTH,
        what="A photo's name",
        load_default="",
        metadata={"example": "HAND WARMER UNION JACK"},
    )
    id = fields.String(
        load_default="",
        metadata={"pattern": "^[0-9a-f]{64}$"},
        validate=validate.Regexp(
            r"^(?:[0-9a-f]{64})?\Z", error="Must be the SHA-256 of a photo that was sent."
        ),
    )
    data_uri = DataUri(
        load_default=None,
        allow_none=False,
        metadata={"pattern": "^data:image/[a-z.+-]+;base64,(?:[A-Za-z0-9+/]{4})+$"},
    )

    @post_load
    def _photo(self, data: dict[str, Any], **_: Any) -> SentFile:
        if data["data_uri"]:
            return SentFile.with_data(data["name"], data["data_uri"])
        return SentFile(data["name"], data["id"])


class DefectAnswerBody(Body):
    """What the driver answers about an open defect: it is still there, worse, or gone."""

    example: ClassVar = {"number": "D-0142", "answer": "worse"}

    number = JsonNumber(DEFECTS, required=True)
    answer = fields.Enum(
        SightingAnswer, by_value=True, required=True, metadata={"example": "worse"}
    )

    @post_load
    def _answer(self, data: dict[str, Any], **_: Any) -> tuple[int, SightingAnswer]:
        return data["number"], data["answer"]


class BookingStepBody(Body):
    """The booking that a check hands over, or brings back."""

    example: ClassVar = {"number": "B-0031", "step": "out"}
    state_type: ClassVar = BookingStep

    number = JsonNumber(BOOKINGS, required=True)
    step = fields.Enum(HandoverStep, by_value=True, required=True, metadata={"example": "out"})


def at_most(limit: int, message: str) -> validate.Length:
    """Return the validator of a list's length; its message has `{max}` for the limit."""
    return validate.Length(max=limit, error=FullMessage(message))


class CheckBody(Body):
    """A check; a missing plate or mileage is taken from the items by name."""

    aliases: ClassVar = {"numberPlate": "reg", "ts": "date", "formType": "_formType"}
    constraints: ClassVar = {"anyOf": [{"required": ["reg", "odometer"]}, {"required": ["items"]}]}

    reg = fields.String(load_default="", allow_none=True, metadata={"type": "string", **PLATE})
    day = JsonDay(
        data_key="date", metadata={"description": "Today when missing", "example": "2026-01-15"}
    )
    odometer = fields.Raw(
        load_default=None,
        allow_none=True,
        metadata={
            "type": "number",
            "minimum": 0,
            "maximum": money.MAX_AMOUNT,
            "description": "In miles, a fraction is cut",
            "example": 48210,
        },
    )
    items = Items(load_default=dict, metadata={"example": {"Damage": "None"}})
    notes = Notes(
        load_default="", metadata={"maxLength": rules.MAX_NOTES_LENGTH, "example": "Seen by day"}
    )
    photos = fields.List(
        fields.Nested(PhotoBody),
        load_default=list,
        validate=at_most(rules.MAX_PHOTOS, rules.TOO_MANY_PHOTOS),
    )
    cost = Cost(
        data_key="costGBP", what="Repair/Expense (£)", load_default=0, metadata={"example": 12.5}
    )
    form_type = JsonText(
        data_key="_formType",
        limit=MAX_KEY_LENGTH,
        what="_formType",
        load_default="",
        metadata={"example": "mixed"},
    )

    answers = fields.List(
        fields.Nested(DefectAnswerBody),
        data_key="defects",
        load_default=list,
        validate=at_most(
            rules.MAX_ANSWERED_DEFECTS, "A check answers about at most {max} defects."
        ),
        metadata={"description": "The answers about the vehicle's open defects"},
    )
    outcome_text = JsonText(
        limit=rules.MAX_OUTCOME_LENGTH,
        what="outcomeText",
        load_default="",
        metadata={
            "description": "What the form showed of the outcome when the check was sent",
            "example": "No defects. Kept as a nil-defect report.",
        },
    )
    drive_reason = fields.Enum(
        DriveReason,
        by_value=True,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "Why it is driven, of a vehicle that is off the road",
            "example": None,
        },
    )
    booking = fields.Nested(
        BookingStepBody,
        load_default=None,
        allow_none=True,
        metadata={"description": "The booking whose handover or return this is", "example": None},
    )

    @post_load
    def _check(self, data: dict[str, Any], **_: Any) -> SubmittedCheck:
        data["answers"] = dict(data["answers"])
        return SubmittedCheck(**{"day": dates.today()} | data)


class CheckPhotoReply(Reply):
    """A photo of a check with the addresses of its pictures."""

    name = replies.text("HAND WARMER UNION JACK")
    url = replies.text("/api/checks/12/photos/0")
    thumbnail = replies.text("/api/checks/12/photos/0/thumbnail")


class ReviewReply(Reply):
    """Who reviewed a check, when, and their remark."""

    by = replies.text("keeper", "username")
    at = replies.moment("2026-01-15T12:50:00Z")
    remark = replies.text("Booked for repair")


def photo_urls(check_id: int, position: int) -> tuple[str, str]:
    """Return the addresses of a check's photo and its thumbnail."""
    url = f"/api/checks/{check_id}/photos/{position}"
    return url, f"{url}/thumbnail"


def _photos(check: CheckRow) -> list[dict[str, str]]:
    urls = (photo_urls(check.id, position) for position in range(len(check.photos)))
    return [
        {"name": name, "url": url, "thumbnail": thumbnail}
        for name, (url, thumbnail) in zip(check.photos, urls, strict=True)
    ]


class CheckReply(Reply):
    """A check; `costGBP` is in pounds."""

    id = replies.number(12)
    reg = replies.text("LK19 VTE")
    date = replies.day("2026-01-15", "day")
    odometer = replies.number(48210)
    items = replies.field(fields.Dict, {"Damage": "None"})
    notes = replies.text("Seen by day")
    photos = replies.rows(CheckPhotoReply, _photos, convert=list)
    submitted_by = replies.text("driver")
    cost = replies.pounds(12.5, data_key="costGBP")
    form_type = replies.text("mixed", data_key="_formType")
    reviewed = replies.nested(ReviewReply, "review", null=True)
    flags = replies.field(
        fields.List,
        ["cost"],
        lambda check: [flag.value for flag in check.flags],
        inner=[replies.choice(CheckFlag)],
    )
    outcome = replies.choice(
        CheckOutcome, "nil", description="not_asked: its form can't report a defect"
    )
    outcome_text = replies.text(
        "No defects. Kept as a nil-defect report.", description="What was shown of the outcome"
    )
    drive_reason = replies.choice(
        DriveReason,
        None,
        null=True,
        description="Why it was driven while off the road, null if it was on the road",
    )


class SubmittedReply(CheckReply):
    """A submitted check with warnings for its sender, and what it led to."""

    warnings = replies.texts(["Lower than the last reading, 48,210."])
    messages = replies.texts(["Stop: do not drive LK19 VTE. Brakes: fail (D-0142)."])


CHECK_FILE: Sequence[Column[CheckRow]] = (
    Column("date", lambda check: check.day),
    *columns_at("reg", "odometer", "submitted_by"),
    Column("notes", lambda check: check.notes[:MAX_CSV_NOTES_LENGTH]),
    Column("photos", lambda check: len(check.photos)),
)


def _is_value(value: Any) -> TypeGuard[rules.Value]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return abs(value) <= _MAX_NUMBER
    return value is None or isinstance(value, bool)

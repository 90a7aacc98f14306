"""The photos of a check, and its answers about open defects, as JSON."""

import base64
import binascii
import hashlib
from typing import Any, ClassVar

from marshmallow import ValidationError, fields, post_load, validate

from app.api.fields import JsonText
from app.api.schemas import Body, ExactlyOne
from app.fleet.rules import checks as rules
from app.fleet.rules.findings import SightingAnswer
from app.fleet.schemas.numbers import DefectNumber
from app.sent_files import SentFile


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

    number = DefectNumber(required=True)
    answer = fields.Enum(
        SightingAnswer, by_value=True, required=True, metadata={"example": "worse"}
    )

    @post_load
    def _answer(self, data: dict[str, Any], **_: Any) -> tuple[int, SightingAnswer]:
        return data["number"], data["answer"]

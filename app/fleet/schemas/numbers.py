"""Numbers of defects, repairs and bookings in JSON and in paths, such as D-0142."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marshmallow import ValidationError, fields

from app.api import replies
from app.api.replies import Read
from app.errors import NotFound
from app.reference_numbers import Series


@dataclass(frozen=True)
class Numbered:
    """The format of a series' numbers; `what` is the numbered thing, `example` one of them."""

    series: Series
    what: str
    example: str

    @property
    def pattern(self) -> str:
        """Return the regular expression of a number."""
        return f"^{self.series}-[0-9]{{4,9}}$"

    def parse(self, text: str) -> int | None:
        """Return the number that a text such as 'D-0142' names, None for any other text."""
        return int(text.partition("-")[2]) if re.fullmatch(self.pattern[1:-1], text) else None

    def parse_path(self, text: str) -> int:
        """Return the number in a path. Raises NotFound, which describes the format."""
        number = self.parse(text)
        if number is None:
            raise NotFound(
                f'"{text[:40]}" is not the number of a {self.what} such as {self.example}.'
            )
        return number

    @property
    def parameter(self) -> dict[str, Any]:
        """Return the description of the number in a path."""
        return {
            "in": "path",
            "name": "number",
            "required": True,
            "schema": {"type": "string", "pattern": self.pattern},
            "example": self.example,
        }

    def reply(
        self, description: str = "", value: Read | None = None, **options: Any
    ) -> fields.String:
        """Return a reply's field of a number, with null as its example if it may be null."""
        about: dict[str, Any] = {"description": description} if description else {}
        example = None if options.get("null") else self.example
        return replies.text(example, value, pattern=self.pattern, **about, **options)


DEFECTS = Numbered(Series.DEFECT, "defect", "D-0142")
REPAIRS = Numbered(Series.REPAIR, "repair", "R-0088")
BOOKINGS = Numbered(Series.BOOKING, "booking", "B-0031")


class JsonNumber(fields.String):
    """The number of a defect or booking, such as 'D-0142'."""

    def __init__(
        self, of: Numbered, *, metadata: Mapping[str, Any] | None = None, **options: Any
    ) -> None:
        self.of = of
        about = {"pattern": of.pattern, "example": of.example, **(metadata or {})}
        super().__init__(metadata=about, **options)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        number = self.of.parse(super()._deserialize(value, *args, **kwargs))
        if number is None:
            text = f"Must be the number of a {self.of.what} such as {self.of.example}."
            raise ValidationError(text)
        return number

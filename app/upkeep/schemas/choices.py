"""Fields that take one of a few values."""

from typing import Any

from marshmallow import fields, validate


def one_of(kind: Any, example: str, **options: Any) -> fields.String:
    """Return the field of a body that takes the value of a member of an enum."""
    values = [each.value for each in kind]
    return fields.String(
        validate=validate.OneOf(values, error=f"Must be one of: {', '.join(values)}."),
        metadata={"enum": values, "example": example},
        **options,
    )

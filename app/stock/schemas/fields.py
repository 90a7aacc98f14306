"""The shared fields of stock's JSON bodies."""

from typing import Any

from app.api.fields import JsonText
from app.stock.rules.item_fields import TEAM

MAX_LINES = 10_000
"""How many operations or lines a body may have."""


class TeamField(JsonText):
    """A team's name, or an object that has the name as `name` or `id`; null is no team."""

    def __init__(self, **options: Any) -> None:
        metadata = {
            "description": "Its name, or in a body an object that has it as `name` or `id`",
            "example": TEAM.example,
        }
        defaults = {"load_default": TEAM.default, "allow_none": True, "metadata": metadata}
        super().__init__(limit=TEAM.limit, what=TEAM.what, **{**defaults, **options})

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        return super()._deserialize(value, *args, **kwargs)

"""Assets as JSON, with the fields of ASSET_FIELDS."""

from dataclasses import replace
from typing import Any, ClassVar

from marshmallow import post_load, pre_load

from app.api.fields import json_field, json_writer, reply_field
from app.api.schemas import Body, Reply
from app.assets.models import Asset
from app.assets.queries.register import AssetRow, field_values
from app.assets.rules.fields import ASSET_FIELDS, ITEM, AssetState
from app.fields import Day

_BODY_FIELDS = {
    **ASSET_FIELDS,
    "item": replace(ITEM, what="Item name"),
    "purchase_date": replace(
        ASSET_FIELDS["purchase_date"], description="null or empty when unknown"
    ),
}
_JSON_NAMES = tuple(field.json for field in ASSET_FIELDS.values())
_WRITERS = {field.json: write for field in ASSET_FIELDS.values() if (write := json_writer(field))}


class AssetBody(Body):
    """An asset of a list; a missing field has its default."""

    class Meta(Body.Meta):
        """The fields of the register."""

        include: ClassVar = {field.json: json_field(field) for field in _BODY_FIELDS.values()}

    @pre_load
    def _read_empty_days(self, data: Any, **_: Any) -> Any:
        days = [field.json for field in ASSET_FIELDS.values() if isinstance(field, Day)]
        empty = [name for name in days if isinstance(data, dict) and data.get(name) == ""]
        return {**data, **dict.fromkeys(empty)} if empty else data

    @post_load
    def _state(self, data: dict[str, Any], **_: Any) -> AssetState:
        return AssetState(**{name: data[field.json] for name, field in ASSET_FIELDS.items()})


class AssetReply(Reply):
    """An asset."""

    class Meta:
        """The fields of the register."""

        include: ClassVar = {field.json: reply_field(field) for field in ASSET_FIELDS.values()}


def asset_json(asset: Asset | AssetRow) -> dict[str, Any]:
    """Return an asset as JSON."""
    values = dict(zip(_JSON_NAMES, field_values(asset), strict=True))
    for name, write in _WRITERS.items():
        values[name] = write(values[name])
    return values

"""Assets as JSON, with the fields of ASSET_FIELDS."""

from dataclasses import replace
from typing import Any

from marshmallow import pre_load

from app.api.fields import json_field, json_writer
from app.api.schemas import Body, Reply, body_of, reply_of
from app.assets.models import Asset
from app.assets.queries.register import AssetRow, field_values
from app.assets.rules.fields import ASSET_FIELDS, ITEM, AssetState
from app.fields import Day

_JSON_NAMES = tuple(field.json for field in ASSET_FIELDS.values())
_WRITERS = {field.json: write for field in ASSET_FIELDS.values() if (write := json_writer(field))}


@body_of(AssetState)
class AssetBody(Body):
    """An asset of a list; a missing field has its default."""

    item = json_field(replace(ITEM, what="Item name"))
    purchaseDate = json_field(  # noqa: N815 (the name in JSON)
        replace(ASSET_FIELDS["purchase_date"], description="null or empty when unknown")
    )

    @pre_load
    def _read_empty_days(self, data: Any, **_: Any) -> Any:
        days = [field.json for field in ASSET_FIELDS.values() if isinstance(field, Day)]
        empty = [name for name in days if isinstance(data, dict) and data.get(name) == ""]
        return {**data, **dict.fromkeys(empty)} if empty else data


@reply_of(AssetState)
class AssetReply(Reply):
    """An asset."""


def asset_json(asset: Asset | AssetRow) -> dict[str, Any]:
    """Return an asset as JSON."""
    values = dict(zip(_JSON_NAMES, field_values(asset), strict=True))
    for name, write in _WRITERS.items():
        values[name] = write(values[name])
    return values

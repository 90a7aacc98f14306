"""Groups of assets as JSON, and how a call asks for them."""

from typing import Any

from marshmallow import fields, post_load, validate

from app.api.calls import Body, Reply
from app.assets.queries.groups import Groups
from app.assets.queries.register import FILTERS, AssetFilter
from app.assets.rules.assets import DASH, Dimension
from app.assets.rules.grouping import DEAREST_FIRST
from app.assets.rules.sorting import GroupColumn, order_said
from app.names import MAX_SEARCH_LENGTH

MOST_GROUPS = 200
GROUPS_AT_A_TIME = 100
FARTHEST = 1_000_000

_ORDERS = [f"{sign}{column}" for column in GroupColumn for sign in ("", "-")]


class _Asked(Body):
    by = fields.Enum(
        Dimension,
        by_value=True,
        load_default=Dimension.LOCATION,
        metadata={"description": "What the assets of a group share"},
    )
    sort = fields.String(
        load_default=str(DEAREST_FIRST),
        validate=validate.OneOf(_ORDERS),
        metadata={"description": "With - the greatest come first"},
    )
    limit = fields.Integer(load_default=GROUPS_AT_A_TIME, validate=validate.Range(1, MOST_GROUPS))
    offset = fields.Integer(load_default=0, validate=validate.Range(0, FARTHEST))

    @post_load
    def _meant(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "by": data["by"],
            "shown": AssetFilter.said(data),
            "order": order_said(data["sort"], GroupColumn, DEAREST_FIRST),
            "limit": data["limit"],
            "offset": data["offset"],
        }


def _filter(name: str) -> fields.String:
    said = "Words that all stand in it" if name == "q" else f"Its {name}; {DASH} for none"
    return fields.String(
        validate=validate.Length(max=MAX_SEARCH_LENGTH),
        metadata={"description": said, "format": "one-line"},
    )


GroupsAsked = _Asked.from_dict({name: _filter(name) for name in FILTERS}, name="GroupsAsked")
"""By what to group which assets: the register's filters limit what is grouped."""


class SumsReply(Reply):
    """What assets come to; the value is in pounds."""

    assets = fields.Integer()
    quantity = fields.Integer()
    value = fields.Float(metadata={"description": "Pounds: the sum of quantity × price"})


class GroupReply(SumsReply):
    """The assets that share a name, which is empty where they have none."""

    name = fields.String()


class GroupsReply(Reply):
    """Some groups; how many there are, what the dearest and all of them come to."""

    groups = fields.List(fields.Nested(GroupReply))
    total = fields.Integer(metadata={"description": "How many groups there are in all"})
    most = fields.Float(metadata={"description": "Pounds: the dearest group's value"})
    sums = fields.Nested(SumsReply)


def groups_json(found: Groups) -> dict[str, Any]:
    """Return groups as calls and the widget read them."""
    return {
        "groups": [
            {
                "name": group.name,
                "assets": group.assets,
                "quantity": group.quantity,
                "value": group.value / 100,
            }
            for group in found.rows
        ],
        "total": found.total,
        "most": found.most / 100,
        "sums": {
            "assets": found.totals.assets,
            "quantity": found.totals.quantity,
            "value": found.totals.value / 100,
        },
    }

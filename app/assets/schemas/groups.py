"""JSON of asset groups and their widget."""

from typing import Any

from marshmallow import fields, post_load, validate

from app.api.replies import Reply
from app.api.schemas import Body, WidgetProps
from app.assets.queries.groups import Groups
from app.assets.queries.register import FILTERS, AssetFilters
from app.assets.rules import (
    GROUP_COLUMNS,
    HIGHEST_VALUE_FIRST,
    NO_SUBGROUPS,
    NO_VALUE,
    Dimension,
    GroupColumn,
)
from app.names import MAX_SEARCH_LENGTH

GROUPS_PER_PAGE = 100
MAX_GROUPS = 200
MAX_OFFSET = 1_000_000

GROUP_ORDERS = [f"{sign}{column}" for column in GroupColumn for sign in ("", "-")]
"""The orders of groups, as addresses have them."""


class _GroupsQuery(Body):
    by = fields.Enum(
        Dimension,
        by_value=True,
        load_default=Dimension.LOCATION,
        metadata={"description": "The field that assets are grouped by"},
    )
    sort = fields.String(
        load_default=str(HIGHEST_VALUE_FIRST),
        validate=validate.OneOf(GROUP_ORDERS),
        metadata={"description": "The column to sort by; descending with a -"},
    )
    limit = fields.Integer(load_default=GROUPS_PER_PAGE, validate=validate.Range(1, MAX_GROUPS))
    offset = fields.Integer(load_default=0, validate=validate.Range(0, MAX_OFFSET))

    @post_load
    def _query(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {
            "by": data["by"],
            "filters": AssetFilters.parse(data),
            "order": GROUP_COLUMNS.parse(data["sort"]),
            "limit": data["limit"],
            "offset": data["offset"],
        }


def _filter(name: str) -> fields.String:
    words = "Words that an asset must contain"
    description = words if name == "q" else f"The {name} of the assets; {NO_VALUE} for none"
    return fields.String(
        validate=validate.Length(max=MAX_SEARCH_LENGTH),
        metadata={"description": description, "format": "one-line"},
    )


GroupsQuery = _GroupsQuery.from_dict({name: _filter(name) for name in FILTERS}, name="GroupsQuery")
"""The field to group by, the filters of the register, the order and the part."""


class SumsReply(Reply):
    """The totals of some assets; the value is in pounds."""

    assets = fields.Integer(metadata={"example": 31})
    quantity = fields.Integer(metadata={"example": 64})
    value = fields.Float(
        metadata={"description": "Pounds: the sum of quantity × price", "example": 4180.5}
    )


class GroupReply(SumsReply):
    """The assets with the same name, which is empty for those without one."""

    name = fields.String(metadata={"example": "Room 12"})


class GroupsReply(Reply):
    """Some groups, the number of all groups, the highest value of one, and the totals of all."""

    groups = fields.List(fields.Nested(GroupReply))
    total = fields.Integer(metadata={"description": "The number of all groups", "example": 9})
    most = fields.Float(
        metadata={"description": "Pounds: the highest value of a group", "example": 1799.0}
    )
    sums = fields.Nested(SumsReply)


def groups_json(groups: Groups) -> dict[str, Any]:
    """Return groups as JSON, for calls and the widget."""
    return {
        "groups": [
            {
                "name": group.name,
                "assets": group.assets,
                "quantity": group.quantity,
                "value": group.value / 100,
            }
            for group in groups.rows
        ],
        "total": groups.total,
        "most": groups.highest_value / 100,
        "sums": {
            "assets": groups.totals.assets,
            "quantity": groups.totals.quantity,
            "value": groups.totals.value / 100,
        },
    }


class GroupingDimension(Reply):
    """A field that assets can be grouped by."""

    value = fields.Enum(Dimension, by_value=True)
    label = fields.String()
    plural = fields.String()


class GroupingChoice(Reply):
    """The levels of grouping and the order; the names are those of the address."""

    by = fields.Enum(Dimension, by_value=True)
    then = fields.String(
        validate=validate.OneOf([*(each.value for each in Dimension), NO_SUBGROUPS]),
    )
    sort = fields.String(validate=validate.OneOf(GROUP_ORDERS))


class AssetGroupsProps(WidgetProps):
    """The props of the groups."""

    page = fields.String(metadata={"description": "Address of the groups"})
    register = fields.String(metadata={"description": "Address of the register"})
    dimensions = fields.List(fields.Nested(GroupingDimension))
    filters = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "The filters of the register, by their names in addresses"},
    )
    choice = fields.Nested(GroupingChoice)
    found = fields.Nested(GroupsReply)
    opened = fields.List(
        fields.Tuple((fields.String(), fields.Nested(GroupsReply))),
        metadata={"description": "The subgroups of the open groups, by the groups' names"},
    )
    mostOpen = fields.Integer(  # noqa: N815 (a JSON name)
        metadata={"description": "How many open groups an address keeps"}
    )

"""JSON of asset groups and their widget."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, validate

from app.api import replies
from app.api.replies import Reply
from app.api.schemas import Body, WidgetProps
from app.assets import rules
from app.assets.rules import NO_SUBGROUPS, Dimension
from app.assets.schemas.register import ASSET_LIST, asset_query
from app.names import MAX_SEARCH_LENGTH

GROUPS_PER_PAGE = 100
MAX_GROUPS = 200
MAX_OFFSET = 1_000_000

GROUP_ORDERS = [f"{sign}{column}" for column in rules.GroupColumn for sign in ("", "-")]
"""The orders of groups, as addresses have them."""


class _GroupsQuery(Body):
    by = fields.Enum(
        Dimension,
        by_value=True,
        load_default=Dimension.LOCATION,
        metadata={"description": "The field that assets are grouped by"},
    )
    sort = fields.String(
        load_default=str(rules.HIGHEST_VALUE_FIRST),
        validate=validate.OneOf(GROUP_ORDERS),
        metadata={"description": "The column to sort by; descending with a -"},
    )
    limit = fields.Integer(load_default=GROUPS_PER_PAGE, validate=validate.Range(1, MAX_GROUPS))
    offset = fields.Integer(load_default=0, validate=validate.Range(0, MAX_OFFSET))

    def made(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of `group_assets`."""
        plain = {name: data[name] for name in ("by", "limit", "offset")}
        order = rules.GROUP_COLUMNS.parse(data["sort"])
        return plain | {"query": asset_query(data), "order": order}


def _filter(name: str) -> fields.String:
    words = "Words that an asset must contain"
    description = words if name == "q" else f"The {name} of the assets; {rules.NO_VALUE} for none"
    return fields.String(
        validate=validate.Length(max=MAX_SEARCH_LENGTH),
        metadata={"description": description, "format": "one-line"},
    )


GroupsQuery = _GroupsQuery.from_dict(
    {name: _filter(name) for name in ASSET_LIST.arguments}, name="GroupsQuery"
)
"""The field to group by, the filters of the register, the order and the part."""


class SumsReply(Reply):
    """The totals of some assets; the value is in pounds."""

    assets = replies.number(31)
    quantity = replies.number(64)
    value = replies.pounds(4180.5, description="Pounds: the sum of quantity × price")


class GroupReply(SumsReply):
    """The assets with the same name, which is empty for those without one."""

    name = replies.text("Room 12")


class GroupsReply(Reply):
    """Some groups, the number of all groups, the highest value of one, and the totals of all."""

    groups = replies.rows(GroupReply, "rows")
    total = replies.number(9, description="The number of all groups")
    most = replies.pounds(
        1799.0, "highest_value", description="Pounds: the highest value of a group"
    )
    sums = replies.nested(SumsReply, "totals")


class GroupingDimension(Reply):
    """A field that assets can be grouped by."""

    value = replies.choice(Dimension)
    label = replies.text()
    plural = replies.text()


class GroupingChoice(Reply):
    """The levels of grouping and the order; the names are those of the address."""

    by = replies.choice(Dimension)
    then = replies.choice([*(each.value for each in Dimension), NO_SUBGROUPS])
    sort = replies.choice(GROUP_ORDERS)


class AssetGroupsProps(WidgetProps):
    """The props of the groups."""

    page = replies.text(description="Address of the groups")
    register = replies.text(description="Address of the register")
    dimensions = replies.rows(GroupingDimension)
    filters = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "The filters of the register, by their names in addresses"},
    )
    choice = replies.nested(GroupingChoice)
    found = replies.nested(GroupsReply)
    opened = fields.List(
        fields.Tuple((fields.String(), fields.Nested(GroupsReply))),
        metadata={"description": "The subgroups of the open groups, by the groups' names"},
    )
    most_open = replies.number(description="How many open groups an address keeps")

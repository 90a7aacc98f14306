"""The props of the widget of the groups."""

from marshmallow import fields, validate

from app.api.schemas import Reply, WidgetProps
from app.assets.rules.assets import Dimension
from app.assets.rules.grouping import NO_SUBGROUPS
from app.assets.schemas.groups import GROUP_ORDERS, GroupsReply


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

"""The register in groups, as a table and as the widget that opens and sorts it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import names
from app.assets import rules
from app.assets.acts import for_assets
from app.assets.pages.register import bp
from app.assets.queries import groups as queries
from app.assets.queries import register
from app.assets.queries.groups import Groups
from app.assets.rules import NO_SUBGROUPS, NO_VALUE, Dimension
from app.assets.schemas.groups import GROUPS_PER_PAGE, AssetGroupsProps, GroupsReply
from app.assets.schemas.register import asset_query
from app.divisions import Division
from app.paging import clamp_page
from app.sorting import SortOrder
from app.versions import version_of
from app.web import caching
from app.web.list_query import requested_page
from app.web.navigation import Screen

SCREENS = [Screen(Division.ASSETS, "Groups", "assets.groups", key="r")]

MAX_OPEN = 10
"""How many groups an address opens, the last it names; each costs a statement."""

SUBGROUPS_PER_GROUP = 100
SUBGROUPS_PER_PAGE = 200


@dataclass(frozen=True)
class GroupsQuery:
    """The filters, levels, order and open groups in the URL of the group view."""

    filters: Mapping[str, str]
    by: Dimension
    then: Dimension | None
    order: SortOrder
    open: Sequence[str]

    @property
    def args(self) -> dict[str, Any]:
        """Return the query as arguments of an address."""
        return {**self.filters, **self.choice, "open": list(self.open)}

    @property
    def choice(self) -> dict[str, str]:
        """Return the levels and the order as arguments of an address."""
        return {"by": self.by, "then": self.then or NO_SUBGROUPS, "sort": str(self.order)}


@for_assets.route(bp, "/assets/groups", "Failed to load assets")
def groups() -> ResponseReturnValue:
    """Show a page of the groups and the subgroups of the open ones."""
    if unchanged := caching.not_modified(version_of(register.LIST)):
        return unchanged
    query = _groups_query()
    found, number, pages = _load(query, requested_page())
    subgroups = _load_subgroups(query, found)
    return render_template(
        "assets/groups.html",
        query=query,
        groups=found,
        page={"number": number, "pages": pages},
        subgroups=subgroups,
        props=_props(query, found, subgroups),
        dimensions=list(Dimension),
        columns=rules.GROUP_COLUMNS.columns,
        no_subgroups=NO_SUBGROUPS,
        no_value=NO_VALUE,
        label_of=rules.label_of,
        limit_of=_limit_of,
    )


def _groups_query() -> GroupsQuery:
    args = request.args
    by, then = rules.parse_levels(args.get("by", ""), args.get("then", ""))
    order = rules.GROUP_COLUMNS.parse(args.get("sort", ""))
    open_groups = [] if then is None else args.getlist("open")[-MAX_OPEN:]
    return GroupsQuery(asset_query(args).filters, by, then, order, open_groups)


def _load(query: GroupsQuery, number: int) -> tuple[Groups, int, int]:
    """Return the groups of a page, its number and how many pages there are."""

    def load(number: int) -> Groups:
        offset = (number - 1) * GROUPS_PER_PAGE
        return queries.group_assets(
            query.by, asset_query(query.filters), query.order, limit=GROUPS_PER_PAGE, offset=offset
        )

    found = load(number)
    # The total is only known with the groups.
    last, pages = clamp_page(number, total=found.total, per_page=GROUPS_PER_PAGE)
    return found if last == number else load(last), last, pages


def _load_subgroups(query: GroupsQuery, groups: Groups) -> Mapping[str, Groups]:
    keys = {names.key(rules.empty_if_dash(name)) for name in query.open}
    open_groups = [group.name for group in groups.rows if names.key(group.name) in keys]
    if query.then is None or not open_groups:
        return {}
    limit = min(SUBGROUPS_PER_GROUP, SUBGROUPS_PER_PAGE // len(open_groups))
    return {
        name: queries.group_assets(
            query.then,
            asset_query({**query.filters, query.by: name or NO_VALUE}),
            query.order,
            limit=limit,
        )
        for name in open_groups
    }


def _limit_of(name: str, text: str) -> str:
    """Return a filter in words, such as 'Category: IT' or 'No supplier'."""
    if name != "q" and not rules.empty_if_dash(text):
        return rules.label_of(name, text)
    return f"{'Search' if name == 'q' else name.capitalize()}: {text}"


def _props(query: GroupsQuery, groups: Groups, subgroups: Mapping[str, Groups]) -> dict[str, Any]:
    values = {
        "page": url_for("assets.groups"),
        "register": url_for("assets.assets"),
        "dimensions": [
            {"value": each, "label": each.capitalize(), "plural": each.label} for each in Dimension
        ],
        "filters": query.filters,
        "choice": query.choice,
        "found": GroupsReply.write(groups),
        "opened": [(name, GroupsReply.write(inner)) for name, inner in subgroups.items()],
        "mostOpen": MAX_OPEN,
    }
    props: dict[str, Any] = AssetGroupsProps().dump(values)
    return props

"""Show what groups of assets come to, which a widget opens and sorts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import names
from app.assets.pages.addresses import bp, for_owner
from app.assets.queries import groups as queries
from app.assets.queries import register
from app.assets.queries.groups import Groups
from app.assets.queries.register import AssetFilter
from app.assets.rules.assets import DASH, Dimension, said
from app.assets.rules.grouping import DEAREST_FIRST, NOTHING, PLURALS, Levels, levels_said
from app.assets.rules.sorting import GroupColumn, Order, order_said
from app.assets.schemas.groups import GROUPS_AT_A_TIME, groups_json
from app.divisions import Division
from app.paging import clamp_page
from app.versions import version_of
from app.web import caching
from app.web.error_pages import failure_message
from app.web.navigation import Screen
from app.web.paging import requested_page

SCREENS = [Screen(Division.ASSETS, "Groups", "assets.groups")]

MOST_OPEN = 10
"""How many groups an address opens, the last it names; each is a statement."""

SUBGROUPS_AT_A_TIME = 100
SUBGROUPS_ON_A_PAGE = 200


@dataclass(frozen=True)
class Asked:
    """What the address asks for: the filter, the two levels, the order, and open groups."""

    shown: AssetFilter
    levels: Levels
    order: Order[GroupColumn]
    opened: Sequence[str]

    @property
    def values(self) -> dict[str, Any]:
        """Return what an address says to show the same."""
        levels = {"by": self.levels.by, "then": self.levels.then or NOTHING}
        return {**self.shown.told, **levels, "sort": str(self.order), "open": list(self.opened)}

    def turned_to(self, column: GroupColumn) -> str:
        """Return the order that a column's head leads to: the other direction, or the usual one."""
        if self.order.by is column:
            return str(self.order.turned())
        return str(Order(column, descending=column is not GroupColumn.NAME))


@bp.get("/assets/groups")
@for_owner
@failure_message("Failed to load assets")
def groups() -> ResponseReturnValue:
    """Show what groups of assets come to, 100 at a time."""
    same = caching.not_modified(version_of(register.LIST))
    if same is not None:
        return same
    asked = _asked()
    page, found = _part(asked, requested_page())
    page, pages = clamp_page(page, total=found.total, per_page=GROUPS_AT_A_TIME)
    opened = _opened(asked, found)
    return render_template(
        "assets/groups.html",
        asked=asked,
        found=found,
        page={"page": page, "pages": pages},
        opened=opened,
        props=_props(asked, found, opened),
        dimensions=list(Dimension),
        plurals=PLURALS,
        columns=GroupColumn,
        nothing=NOTHING,
        dash=DASH,
    )


def _asked() -> Asked:
    args = request.args
    levels = levels_said(args.get("by", ""), args.get("then", ""))
    order = order_said(args.get("sort", ""), GroupColumn, DEAREST_FIRST)
    opened = [] if levels.then is None else args.getlist("open")[-MOST_OPEN:]
    return Asked(AssetFilter.said(args), levels, order, opened)


def _part(asked: Asked, page: int) -> tuple[int, Groups]:
    def part(page: int) -> Groups:
        before = (page - 1) * GROUPS_AT_A_TIME
        by, limit = asked.levels.by, GROUPS_AT_A_TIME
        return queries.groups(by, asked.shown, asked.order, limit=limit, offset=before)

    found = part(page)
    last, _ = clamp_page(page, total=found.total, per_page=GROUPS_AT_A_TIME)
    return last, found if last == page else part(last)


def _opened(asked: Asked, found: Groups) -> Mapping[str, Groups]:
    """Return the sub-groups of the shown groups that the address opens, by the groups' names."""
    then = asked.levels.then
    keys = {names.key(said(name)) for name in asked.opened}
    shown = [group.name for group in found.rows if names.key(group.name) in keys]
    if then is None or not shown:
        return {}
    limit = min(SUBGROUPS_AT_A_TIME, SUBGROUPS_ON_A_PAGE // len(shown))
    return {
        name: queries.groups(
            then,
            replace(asked.shown, **{asked.levels.by: name or DASH}),
            asked.order,
            limit=limit,
        )
        for name in shown
    }


def _props(asked: Asked, found: Groups, opened: Mapping[str, Groups]) -> dict[str, Any]:
    return {
        "page": url_for("assets.groups"),
        "register": url_for("assets.assets"),
        "dimensions": [
            {"value": each, "label": each.capitalize(), "plural": PLURALS[each]}
            for each in Dimension
        ],
        "filters": asked.shown.told,
        "choice": {
            "by": asked.levels.by,
            "then": asked.levels.then or NOTHING,
            "sort": str(asked.order),
        },
        "found": groups_json(found),
        "opened": [[name, groups_json(inner)] for name, inner in opened.items()],
        "mostOpen": MOST_OPEN,
    }

"""What the pages of the directory share: the blueprint, the policy, and searched lists."""

from functools import partial
from typing import Any

from flask import Blueprint, render_template, request, url_for

from app.directory.rules import DirectoryList
from app.divisions import Division
from app.paging import Page
from app.sorting import SortColumns, SortOrder
from app.web import access
from app.web.htmx import is_htmx_for
from app.web.list_query import SORT
from app.web.sorting import Sorting

bp = Blueprint("directory", __name__)

for_gpm = access.division(Division.GPM)


def search_and_order(columns: SortColumns) -> tuple[str, SortOrder]:
    """Return the words and the order of a list's address."""
    return request.args.get("q", "").strip(), columns.parse(request.args.get(SORT, ""))


def render_list(
    name: DirectoryList,
    page: Page[Any],
    search: str,
    columns: SortColumns,
    order: SortOrder,
    **context: Any,
) -> str:
    """Render the page of a searched list, for htmx the list alone."""
    is_fragment = is_htmx_for("list")
    address = partial(url_for, f"directory.{name}")
    filters = {"q": search} if search else {}
    return render_template(
        f"directory/{'_' if is_fragment else ''}{name}.html",
        page=page,
        search=search,
        sorting=Sorting(columns, order, page.total, address, filters),
        is_fragment=is_fragment,
        **context,
    )

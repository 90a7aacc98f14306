"""The filters in the address of the checks list; without any, it opens the review queue."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from flask import url_for

from app import dates
from app.fleet.queries.checks import CheckFilters, ReviewState
from app.fleet.rules.sorting import CHECK_ORDERS
from app.paging import MAX_ID
from app.sorting import SORT
from app.web.list_query import ListQuery, typed_values

FLAGGED = "flagged"
FILTERS = ("q", "vehicle", "from", "to", "flags", "review", SORT)


def all_checks_url() -> str:
    """Return the address of the list of all checks: a filter that is empty is one, too."""
    return url_for("fleet.checks", review="")


def list_url(**arguments: str) -> str:
    """Return the address of the list with these filters, also of none."""
    return url_for("fleet.checks", **cast(dict[str, Any], {"review": ""} | arguments))


def arguments_of(address: str) -> Mapping[str, str]:
    """Return the arguments in an address."""
    return dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))


def is_queue(args: Mapping[str, str]) -> bool:
    """Return whether these arguments lead to the review queue."""
    return not any(name in args for name in (*FILTERS, "page"))


def queue_place(args: Mapping[str, str]) -> int:
    """Return the id of the check at which the queue opens, 0 for its beginning."""
    text = args.get("check", "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 11 else 0
    return number if number <= MAX_ID else 0


def check_list_query(args: Mapping[str, str]) -> ListQuery[CheckFilters]:
    """Return the filters in the list's arguments, with the errors in them."""
    values = typed_values(args, FILTERS)
    start, end, found = dates.parse_range(values)
    problems = [*found.values()]
    choices: dict[str, Sequence[str]] = {
        "flags": [FLAGGED],
        "review": list(ReviewState),
        "sort": [str(order) for order, _ in CHECK_ORDERS.orders(0)],
    }
    for name, options in choices.items():
        if name in values and values[name] not in options:
            problems.append(f'There is no choice "{values[name][:40]}" of {name}.')
    filters = CheckFilters(
        search=values.get("q", ""),
        vehicle=values.get("vehicle", ""),
        start=start,
        end=end,
        flagged="flags" in values,
        review=next((state for state in ReviewState if state == values.get("review")), None),
        order=CHECK_ORDERS.parse(values.get(SORT, "")),
    )
    return ListQuery(values, filters, tuple(problems))

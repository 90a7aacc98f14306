"""Lists, whole and in pages: every list under every prefix works the same way."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from werkzeug.test import TestResponse

from app import sums
from tests.api import list_filters
from tests.api.calls import CALLS, Call
from tests.api.filled import Filled, Send, bearer, browser
from tests.api.shapes import Each
from tests.person import Page

LISTS = [
    (call, prefix)
    for call in CALLS
    for prefix in call.served
    if call.method == "GET" and isinstance(call.reply, Each)
]

one_of_each_list = pytest.mark.parametrize(
    ("call", "prefix"),
    list({(call.path, str(call.reply)): (call, prefix) for call, prefix in LISTS}.values()),
    ids=lambda value: value.path if isinstance(value, Call) else value or "-",
)

OF_LISTS = [
    (call, prefix, list_filters.LISTS[call.path])
    for call, prefix in {call.path: (call, prefix) for call, prefix in LISTS}.values()
    if call.path in list_filters.LISTS
]


def _filtered(*, of_screens: bool) -> pytest.MarkDecorator:
    chosen = [
        pytest.param(call, prefix, {name: value}, id=f"{call.path} by {name}")
        for call, prefix, has in OF_LISTS
        for name, value in has.filters.items()
        if not of_screens or (has.screen and name not in has.not_on_screen)
    ]
    return pytest.mark.parametrize(("call", "prefix", "query"), chosen)


every_filter, every_filter_of_a_screen = _filtered(of_screens=False), _filtered(of_screens=True)
every_order = pytest.mark.parametrize(
    ("call", "prefix", "order"),
    [
        pytest.param(call, prefix, order, id=f"{call.path} by {order}")
        for call, prefix, has in OF_LISTS
        for order in has.orders
    ],
)


def following(reply: TestResponse) -> str:
    """Return the address of the next part, '' after the last one."""
    link, _, rel = reply.headers.get("Link", "").partition(";")
    assert rel.strip() in ("", 'rel="next"')
    return link.strip("<>")


def parts_of(send: Send, part: str) -> Iterator[TestResponse]:
    """Yield the parts of a list, from the one at this address."""
    while part:
        reply = send("GET", part)
        yield reply
        part = following(reply)


def sender_of(filled: Filled, call: Call, prefix: str) -> Send:
    return bearer(filled.app, filled.people[call.served[prefix][0]])


@pytest.mark.differs_by_engine
@one_of_each_list
def test_the_parts_of_a_list_link_to_the_next_and_make_the_whole(
    filled: Filled, call: Call, prefix: str
) -> None:
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        path = call.address(prefix)
        whole = send("GET", path).json
        for limit in (1, len(whole) - 1, len(whole)):
            seen = []
            for reply in parts_of(send, f"{path}?limit={limit}"):
                assert 1 <= len(reply.json) <= limit
                assert "ETag" not in reply.headers
                assert following(reply).partition("?")[0] in (path, "")
                seen += reply.json
            assert seen == whole


@one_of_each_list
def test_an_unchanged_list_is_a_304_by_its_etag(filled: Filled, call: Call, prefix: str) -> None:
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        path = call.address(prefix)
        whole = send("GET", path)
        tag = whole.headers["ETag"]
        same = send("GET", path, headers={"If-None-Match": tag})
        assert (same.status_code, same.get_data(), same.headers["ETag"]) == (304, b"", tag)
        for headers in ({}, {"Accept-Encoding": "br"}):
            head = send("HEAD", path, headers=headers)
            assert (head.status_code, head.get_data()) == (200, b"")
            assert head.headers["ETag"].partition(":")[0].strip('"') == tag.strip('"')
        part = send("HEAD", f"{path}?limit=1")
        assert part.headers["Link"] == send("GET", f"{path}?limit=1").headers["Link"]


@one_of_each_list
def test_an_invalid_limit_or_cursor_is_refused(filled: Filled, call: Call, prefix: str) -> None:
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        path = call.address(prefix)
        other = next(each for each in LISTS if each[0].path != call.path)
        foreign = sender_of(filled, *other)("GET", f"{other[0].address(other[1])}?limit=1")
        of_another_list = following(foreign).partition("cursor=")[2]
        for query, field in (
            ("limit=0", "limit"),
            ("limit=5001", "limit"),
            ("limit=x", "limit"),
            ("limit=2&cursor=", "cursor"),
            ("limit=2&cursor=x", "cursor"),
            ("limit=2&cursor=3", "cursor"),
            (f"limit=2&cursor={of_another_list}", "cursor"),
            ("page=2", "page"),
        ):
            reply = send("GET", f"{path}?{query}")
            assert (reply.status_code, list(reply.json["fields"])) == (422, [field]), query
        alone = following(send("GET", f"{path}?limit=1")).replace("limit=1&", "")
        assert (refused := send("GET", alone)).status_code == 422
        assert refused.json["fields"] == {"limit": "A cursor needs a limit beside it."}


@every_filter
def test_a_filtered_list_has_parts_and_an_etag_of_its_own(
    filled: Filled, call: Call, prefix: str, query: dict[str, str]
) -> None:
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        path, filtered = call.address(prefix), f"{call.address(prefix)}?{urlencode(query)}"
        every, matching = send("GET", path), send("GET", filtered)
        assert matching.json
        assert [row for row in every.json if row in matching.json] == matching.json
        assert matching.headers["ETag"] != every.headers["ETag"]
        parts = parts_of(send, f"{filtered}&limit=1")
        assert [row for part in parts for row in part.json] == matching.json


@every_filter
def test_a_day_that_is_none_is_refused(
    filled: Filled, call: Call, prefix: str, query: dict[str, str]
) -> None:
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        for name in list_filters.DAYS.keys() & query.keys():
            for text in ("", "2020-02-30"):
                reply = send("GET", f"{call.address(prefix)}?{name}={text}")
                assert (reply.status_code, list(reply.json["fields"])) == (422, [name]), text


@every_filter
def test_a_cursor_belongs_to_its_query(
    filled: Filled, call: Call, prefix: str, query: dict[str, str]
) -> None:
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        path = call.address(prefix)
        of_all = following(send("GET", f"{path}?limit=1")).partition("cursor=")[2]
        reply = send("GET", f"{path}?limit=1&cursor={of_all}&{urlencode(query)}")
        assert (reply.status_code, list(reply.json["fields"])) == (422, ["cursor"])


@every_filter_of_a_screen
def test_a_filter_of_a_screen_lists_the_same_rows_by_its_call(
    filled: Filled, call: Call, prefix: str, query: dict[str, str]
) -> None:
    (name, value), path = *query.items(), call.address(prefix)
    typed = {"q" if name == "search" else name: value}
    with filled.open(copied=False):
        screen = browser(filled.app, filled.people[call.served[prefix][0]])
        page = screen("GET", f"{list_filters.LISTS[call.path].screen}?{urlencode(typed)}").get_data(
            as_text=True
        )
        listed = sender_of(filled, call, prefix)("GET", f"{path}?{urlencode(query)}").json
        argument = next(iter(typed))
        assert f'name="{argument}"' in page or f"?{argument}=" in page
        assert page.count('role="rowheader"') == len(listed)


@every_order
def test_a_list_is_sorted_whole_and_by_an_index_also_in_parts(
    filled: Filled, call: Call, prefix: str, order: str
) -> None:
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        path = call.address(prefix)
        rows = {name: send("GET", f"{path}?sort={name}").json for name in (order, f"-{order}")}
        every = send("GET", path).json
        for name, found in rows.items():
            assert sorted(map(str, found)) == sorted(map(str, every))
            values = [row[list_filters.LISTS[call.path].orders[order]] for row in found]
            assert values == sorted(values, key=str.casefold, reverse=name.startswith("-"))
            seen = []
            for reply in parts_of(send, f"{path}?sort={name}&limit=1"):
                if reply.status_code == 422:
                    assert list(reply.json["fields"]) == ["sort"]
                    seen = found
                    break
                seen += reply.json
            assert seen == found


@every_order
def test_of_many_rows_a_whole_list_has_the_orders_that_its_parts_have(
    filled: Filled, call: Call, prefix: str, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sums, "COUNT_LIMIT", 0)
    with filled.open(copied=False):
        send = sender_of(filled, call, prefix)
        path = f"{call.address(prefix)}?sort={order}"
        whole, part = send("GET", path), send("GET", f"{path}&limit=1")
        assert whole.status_code == part.status_code
        if whole.status_code == 422:
            assert list(whole.json["fields"]) == ["sort"]
            assert whole.json == part.json


@pytest.mark.parametrize(
    ("call", "prefix", "screen"),
    [
        pytest.param(call, prefix, has.screen, id=has.screen)
        for call, prefix, has in OF_LISTS
        if has.screen
    ],
)
def test_each_row_of_a_screen_has_a_cell_below_each_heading(
    filled: Filled, call: Call, prefix: str, screen: str
) -> None:
    with filled.open(copied=False):
        send = browser(filled.app, filled.people[call.served[prefix][0]])
        table = Page(send("GET", f"{screen}?page=1")).html.select_one("#list table")
        assert table is not None
        widths = [
            sum(int(str(cell.get("colspan", 1))) for cell in row.find_all(["th", "td"]))
            for row in table.select("tr[role=row]")
        ]
        assert len(widths) > 1
        assert len(set(widths)) == 1

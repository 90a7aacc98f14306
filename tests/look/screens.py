"""Every screen, who sees it and its states: one table for `make look` and the browser's tests.

`tests/journeys/` checks the layout, accessibility and weight of what is listed here, and
`tests/look/test_every_page.py` that no page is left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playwright.sync_api import Page, Response

from tests.look import bookings, imports, upkeep, ways
from tests.look.data import DEMO, DRIVER, EMPTY, FULL, KEEPER, STEWARD, TRADER, WORST

KB = 1024
LOGIN, LIST, WIDGET = 12 * KB, 36 * KB, 75 * KB
"""Byte budgets of a first visit; a widget's is what it adds to files that pages share."""

EVERYBODY = (KEEPER, TRADER, DRIVER, STEWARD)
BOTH = (FULL, WORST)
LISTED = (EMPTY, FULL, WORST)
ALL = (EMPTY, FULL, WORST, DEMO)


@dataclass(frozen=True)
class State:
    """A state of a screen: what its address adds, or how it is reached on the open page.

    It is looked at with each of `data`, on a phone and at a desk unless `is_of_phones`. `status` is
    that of the reply to its address.
    """

    name: str
    query: str = ""
    way: Callable[[Page], None] | None = None
    data: tuple[str, ...] = (WORST,)
    status: int = 200
    is_of_phones: bool = False


@dataclass(frozen=True)
class Screen:
    """A page: its name and address, who opens it, and its states beside the plain one.

    `budget` limits its bytes, unless it is None. A list (`is_list`) has its layout checked at every
    width, in its plain state and those of `list_states`. `status` is that of the reply.
    """

    name: str
    path: str
    by: str | None
    states: tuple[State, ...] = ()
    data: tuple[str, ...] = BOTH
    budget: int | None = LIST
    is_list: bool = False
    list_states: tuple[str, ...] = ()
    status: int = 200


NOT_MODIFIED = 304
PLAIN = ""
"""The name of a screen's state as its address alone opens it."""

SCREENS = (
    Screen("sign-in", "/login", None, (State("refused", way=ways.sign_in_wrongly),), budget=LOGIN),
    *(Screen(f"dashboard, {name}", "/dashboard", name, data=ALL) for name in EVERYBODY),
    Screen("choose", "/choose", KEEPER),
    Screen("export", "/export", TRADER),
    Screen("change password", "/change-password", KEEPER, (State("refused", way=ways.save),)),
    Screen("keyboard", "/shortcuts", TRADER),
    Screen(
        "error page",
        "/keys",
        KEEPER,
        (State("without a page", "/../inventory/main/items/999999/history", status=404),),
        budget=None,
        status=403,
    ),
    Screen(
        "not sent yet",
        "/outbox",
        KEEPER,
        (State("entries", way=ways.load_unsent), State("discard", way=ways.discard_unsent)),
        budget=WIDGET,
    ),
    Screen("search", "/search?q=her", KEEPER, (State("nothing found", "ces"),)),
    Screen("search box", "/search", KEEPER, (State("found", way=ways.search_everything),), (FULL,)),
    # Stock
    Screen(
        "stock list",
        "/inventory/main",
        KEEPER,
        (
            State("nothing found", "?q=nothing"),
            State("site without items", "/../northern"),
            State("menu of screens", way=ways.open_screens, data=BOTH, is_of_phones=True),
            State("menu of tools", way=ways.open_tools, data=BOTH, is_of_phones=True),
            State("withdraw", way=ways.withdraw, data=BOTH),
            State("withdraw, refused", way=ways.withdraw_nothing),
            State("withdraw, no connection", way=ways.withdraw_offline),
            State("withdraw, done", way=ways.withdraw_one, data=(FULL,)),
            State("transfer", way=ways.transfer),
            State("add item", way=ways.add_item, data=BOTH),
            State("add item, name exists", way=ways.add_namesake),
            State("remove", way=ways.remove_item),
            State("bulk update", way=ways.bulk_update),
        ),
        data=ALL,
        is_list=True,
    ),
    Screen(
        "add item", "/inventory/main/add", KEEPER, (State("refused", way=ways.add_item_wrongly),)
    ),
    Screen("item", "/inventory/main/items/1", KEEPER, data=(*BOTH, DEMO)),
    Screen("move stock", "/inventory/main/items/1/action", KEEPER),
    Screen("edit item", "/inventory/main/items/1/edit", KEEPER),
    Screen("remove item", "/inventory/main/items/1/remove", KEEPER),
    Screen("item history", "/inventory/main/items/1/history", KEEPER, data=(*BOTH, DEMO)),
    *(
        Screen(name, f"/inventory/main/{path}", KEEPER)
        for name, path in (
            ("minimum of an item", "items/1/level"),
            ("snooze an item", "items/1/snooze"),
            ("put an item back", "items/1/unsnooze"),
            ("accept suggestions", "levels/accept"),
        )
    ),
    Screen("levels", "/stock/gfm/levels", KEEPER, data=LISTED),
    Screen("reorder", "/stock/gfm/reorder", KEEPER, data=LISTED),
    Screen("reorder again", "/stock/gfm/reorder/create", KEEPER),
    Screen("insight", "/stock/gfm/insight", KEEPER),
    Screen("views", "/views", KEEPER, data=LISTED),
    Screen("save view", "/views/new?list=/history&query=range%3Dtoday", KEEPER),
    Screen("save filters of view", "/views/1/filters?query=q%3Dred", KEEPER),
    *(Screen(f"{name} view", f"/views/1/{name}", KEEPER) for name in ("edit", "remove", "place")),
    *(
        Screen(f"insight: {name}", f"/stock/gfm/insight/{name}", KEEPER, data=(*BOTH, DEMO))
        for name in ("use", "top", "value", "counts", "idle")
    ),
    Screen(
        "insight: value on a day",
        "/stock/gfm/insight/value?as_of=2026-11-20",
        KEEPER,
        (State("in the future", "&known_on=2999-01-01", status=422),),
        data=(*BOTH, DEMO),
    ),
    Screen("undo of an operation", "/inventory/main/operations/1/undo", KEEPER),
    Screen(
        "stock check",
        "/inventory/main/count",
        KEEPER,
        (
            State("no differences", way=ways.apply_no_differences),
            State("asks first", way=ways.apply_differences),
        ),
        data=ALL,
        budget=WIDGET,
        is_list=True,
    ),
    Screen("count sheet", "/inventory/main/count-sheet", KEEPER, budget=None),
    Screen("bulk update", "/inventory/main/bulk", KEEPER, budget=WIDGET),
    Screen(
        "history",
        "/history",
        KEEPER,
        (
            State(
                "filtered, nothing found",
                f"?event=Withdrawal&team={'W' * 32}&site=main&from=2011-12-09&q=nothing",
            ),
            State("wrong date", "?from=yesterday", status=422),
        ),
        data=ALL,
        is_list=True,
    ),
    Screen("stock list of GPM", "/gpm/inventory/main", TRADER, data=LISTED),
    Screen("item history of GPM", "/gpm/inventory/main/items/2/history", TRADER),
    Screen("history of GPM", "/gpm/history", TRADER, data=(*LISTED, DEMO)),
    # GPM's desk
    Screen(
        "deliveries",
        "/gpm/deliveries",
        TRADER,
        (
            State("delivered", "?status=delivered", data=BOTH),
            State("cancelled", "?status=cancelled", data=BOTH),
            State("nothing found", "?q=nothing"),
            State("mark delivered", way=ways.mark_delivered),
        ),
        data=ALL,
        is_list=True,
        list_states=("delivered", "cancelled"),
    ),
    Screen("mark delivered", "/gpm/deliveries/1/deliver", TRADER),
    Screen("edit delivery", "/gpm/deliveries/1/edit", TRADER),
    Screen("cancel delivery", "/gpm/deliveries/1/cancel", TRADER),
    Screen("schedule again", "/gpm/deliveries/3/schedule-again", TRADER),
    Screen(
        "schedule delivery",
        "/gpm/deliveries/new",
        TRADER,
        (State("refused", way=ways.schedule_wrongly), State("question", way=ways.half_type)),
    ),
    Screen("add a line", "/gpm/deliveries/orders/O-0001/add", TRADER),
    Screen("deliveries of GFM", "/gfm/deliveries", KEEPER),
    Screen("teams", "/teams", TRADER, (State("refused", way=ways.rename),), data=LISTED),
    Screen("services", "/services", TRADER, data=LISTED, is_list=True),
    Screen("rename service", "/services/rename?old_name=Cleaning", TRADER),
    Screen(
        "keys", "/keys", TRADER, (State("nothing found", "?q=nothing"),), data=LISTED, is_list=True
    ),
    Screen("key history", "/keys/1/history", TRADER),
    Screen("hand over key", "/keys/1/hand-over", TRADER),
    Screen("return key", "/keys/1/return", TRADER),
    # Fleet
    Screen(
        "vehicles",
        "/vehicles",
        DRIVER,
        (State("nothing found", "?q=nothing"),),
        data=ALL,
        is_list=True,
    ),
    Screen("vehicle", "/vehicles/1", DRIVER, data=(*BOTH, DEMO)),
    Screen("edit vehicle", "/vehicles/1/edit", DRIVER),
    Screen("costs", "/fleet/costs", DRIVER, data=(*BOTH, DEMO)),
    Screen("rows of costs", "/fleet/costs/rows", DRIVER, data=(*BOTH, DEMO)),
    Screen(
        "DVSA file",
        "/fleet/record?vehicle=LK19+VTE",
        DRIVER,
        (State("wrong months", "&months=0", status=422),),
        data=(*BOTH, DEMO),
        budget=None,
    ),
    *(Screen(name, path, DRIVER, data=LISTED) for name, path in upkeep.LISTS.items()),
    *(Screen(name, path, DRIVER, data=(WORST,)) for name, path in upkeep.PAGES.items()),
    *(Screen(name, path, DRIVER, data=LISTED) for name, path in bookings.LISTS.items()),
    *(Screen(name, path, DRIVER, data=BOTH) for name, path in bookings.PAGES.items()),
    Screen("add vehicle", "/vehicles/add", DRIVER, (State("refused", way=ways.save),)),
    Screen(
        "check form",
        "/fleetChecks",
        DRIVER,
        (State("everything wrong", f"?vehicle={'W' * 20}", ways.submit_empty_check),),
        budget=WIDGET,
    ),
    Screen("plain check form", "/fleetChecks?plain=1", DRIVER, budget=None),
    Screen("review queue", "/fleetChecksList", DRIVER, data=ALL),
    Screen(
        "checks",
        "/fleetChecksList?review=",
        DRIVER,
        (
            State("nothing found", "&q=nothing"),
            State("details", way=ways.open_details, data=(*BOTH, DEMO)),
        ),
        data=ALL,
        is_list=True,
    ),
    Screen("review check", "/fleetChecksList/1/review", DRIVER),
    Screen("undo of a review", "/fleetChecksList/2/reviews/1/undo", DRIVER),
    # Assets
    Screen(
        "assets",
        "/assets",
        STEWARD,
        (
            State("nothing found", "?q=nothing"),
            State("filtered, nothing found", f"?item={'w' * 60}&make=ikea"),
            State("ticked", way=ways.tick_assets, data=BOTH),
        ),
        data=ALL,
        is_list=True,
    ),
    Screen("asset", "/assets/1", STEWARD, is_list=True),
    Screen("edit asset", "/assets/1/edit", STEWARD),
    Screen("move asset", "/assets/1/move", STEWARD, (State("refused", way=ways.move_nowhere),)),
    Screen("add asset", "/assets/add", STEWARD, (State("refused", way=ways.save),)),
    Screen("move assets", "/assets/move?asset=1&asset=2", STEWARD),
    Screen("moves", "/assets/history", STEWARD, data=LISTED, is_list=True),
    Screen("undo of a move", "/assets/history/1/undo", STEWARD),
    Screen("undo of moves", "/assets/history/1/undo-all", STEWARD),
    *(Screen(name, path, STEWARD) for name, path in imports.PAGES.items()),
    Screen(
        "groups",
        "/assets/groups",
        STEWARD,
        (
            State("by item, then make", "?by=item&then=make&sort=name"),
            State("by supplier, opened", "?by=supplier&then=item&open=–", data=BOTH),
        ),
        data=ALL,
        budget=WIDGET,
        is_list=True,
    ),
)


@dataclass(frozen=True)
class View:
    """A screen in one state, with one set of data: what is looked at."""

    screen: Screen
    state: State
    data: str

    @property
    def path(self) -> str:
        """Its address; a query of '/../x' replaces the last part of the screen's path."""
        above, replaced, name = self.state.query.partition("/../")
        if replaced:
            return f"{self.screen.path.rpartition('/')[0]}/{name}"
        return self.screen.path + above

    @property
    def is_list(self) -> bool:
        """Return whether its layout is checked at every width."""
        return self.screen.is_list and self.state.name in (PLAIN, *self.screen.list_states)

    @property
    def name(self) -> str:
        parts = (self.screen.name, self.state.name, self.data)
        return " · ".join(part for part in parts if part)

    def open(self, page: Page) -> Response:
        """Open it on a page of its user; returns the reply to its address."""
        page.context.set_offline(False)
        reply = page.goto(self.path)
        assert reply is not None, self.path
        assert reply.status in (self.state.status, NOT_MODIFIED), f"{self.path}: {reply.status}"
        if self.state.way:
            page.wait_for_load_state()
            self.state.way(page)
        return reply


def views(data: str, width: str = "phone", screens: tuple[Screen, ...] = SCREENS) -> Iterator[View]:
    """Yield what is looked at with a set of data, on a phone or at a desk."""
    for screen in screens:
        plain = State(PLAIN, data=screen.data, status=screen.status)
        for state in (plain, *screen.states):
            if data in state.data and (width == "phone" or not state.is_of_phones):
                yield View(screen, state, data)


def chosen(words: str) -> tuple[Screen, ...]:
    """Return the screens whose names contain one of the words, which commas part."""
    parts = [word.strip().lower() for word in words.split(",")]
    return tuple(screen for screen in SCREENS if any(part in screen.name.lower() for part in parts))

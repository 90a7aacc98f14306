"""The figures of a run, what is derived from them, and the targets they are compared with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figures:
    """Measurements of one call at one number of clients.

    Times are in milliseconds. `cpu` is the workers' CPU time of a request, `client_share` the part
    of all CPU time that sending the requests took.
    """

    per_second: float
    p50: float
    p95: float
    cpu: float
    client_share: float = 0


@dataclass(frozen=True)
class Measured:
    """What was measured of a call: at one client, at eight, and at one after a change each.

    `rows` is the number of lines in its reply, where they are counted.
    """

    name: str
    statements: int
    one: Figures
    eight: Figures
    changed: Figures | None = None
    bare_one: Figures | None = None
    bare_eight: Figures | None = None
    rows: int = 0

    @property
    def ratio(self) -> float | None:
        """Return its requests per second over those of the bare view, at eight clients."""
        return self.eight.per_second / self.bare_eight.per_second if self.bare_eight else None

    @property
    def rows_per_second(self) -> float:
        """Return the rows that one client receives per second."""
        return self.rows * self.one.per_second


@dataclass(frozen=True)
class Stage:
    """What was measured on one engine with data of one size.

    `others` are the figures of processes and commands by name, with their unit in it.
    """

    engine: str
    size: int
    calls: Sequence[Measured] = ()
    others: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Target:
    """A limit for a figure: of a call in `FIGURES`, or of the others if it isn't there."""

    subject: str
    figure: str
    limit: float
    is_minimum: bool = False


@dataclass(frozen=True)
class Comparison:
    """A target and what was found; `found` is None if it wasn't measured."""

    target: Target
    found: float | None

    @property
    def is_reached(self) -> bool:
        """Return whether the figure is within the limit."""
        if self.found is None:
            return False
        limit = self.target.limit
        return self.found >= limit if self.target.is_minimum else self.found <= limit


RATIO = "of bare, c8"
RATE = "req/s, c8"
CPU = "ms CPU"
MEDIAN = "p50 ms, c1"
P95 = "p95 ms, c8"
CHANGED = "p50 ms, changed"
SPREAD = "p95 ÷ p50, c8"
SPEED_UP = "c8 ÷ c1"
ROWS = "rows/s"
STATEMENTS = "statements"

FIGURES: dict[str, Callable[[Measured], float | None]] = {
    RATIO: lambda call: call.ratio,
    RATE: lambda call: call.eight.per_second,
    CPU: lambda call: call.one.cpu,
    MEDIAN: lambda call: call.one.p50,
    P95: lambda call: call.eight.p95,
    CHANGED: lambda call: call.changed.p50 if call.changed else None,
    SPREAD: lambda call: call.eight.p95 / call.eight.p50,
    SPEED_UP: lambda call: call.eight.per_second / call.one.per_second,
    ROWS: lambda call: call.rows_per_second,
    STATEMENTS: lambda call: call.statements,
}

INVENTREE = {"list": 12, "history": 13.6, "withdraw": 31.8, "transfer": 19.9}
"""Requests per second of InvenTree on a machine of this kind, at eight clients."""

READY = "ready after start, s"
USERS_LIST = "flask users list, s"
STOCK_IMPORT = "import of stock, items/s"
HISTORY_IMPORT = "import of history, rows/s"
MEMORY_AT_START = "memory at start, MB PSS"
MEMORY = "memory after all, MB PSS"
MEMORY_GROWTH = "growth over 10,000 requests, MB PSS"
CLIENT_SHARE = "load generator, % of all CPU time"

MAX_GROWTH = 1.3

TARGETS = [
    Target("list page", RATIO, 0.6, is_minimum=True),
    Target("list page", RATE, 40 * INVENTREE["list"], is_minimum=True),
    Target("list page", STATEMENTS, 4),
    Target("list search (htmx)", RATIO, 0.5, is_minimum=True),
    Target("dashboard of GFM", CPU, 8),
    Target("history page", CPU, 8),
    Target("history part of 25 (JSON)", RATE, 40 * INVENTREE["history"], is_minimum=True),
    Target("history search (htmx)", CPU, 10),
    Target("history export", ROWS, 85_000, is_minimum=True),
    Target("history export", RATIO, 0.6, is_minimum=True),
    Target("withdraw (JSON)", RATE, 10 * INVENTREE["withdraw"], is_minimum=True),
    Target("withdraw (JSON)", RATIO, 0.35, is_minimum=True),
    Target("withdraw (JSON)", SPEED_UP, 1.5, is_minimum=True),
    Target("withdraw (JSON)", SPREAD, 4),
    Target("withdraw (JSON)", STATEMENTS, 8),
    Target("transfer (JSON)", RATE, 10 * INVENTREE["transfer"], is_minimum=True),
    Target("transfer (JSON)", SPREAD, 4),
    Target("transfer (JSON)", STATEMENTS, 11),
    Target("bulk of 200 lines (JSON)", CPU, 30),
    Target("bulk of 200 lines (JSON)", P95, 300),
    Target("bulk of 200 lines (JSON)", STATEMENTS, 10),
    Target("check of 3,030 lines (JSON)", MEDIAN, 250),
    Target("reorder page", STATEMENTS, 12),
    Target("reorder page", RATIO, 0.3, is_minimum=True),
    *(
        Target(f"insight: {name}", STATEMENTS, 8)
        for name in ("use", "use by item", "value", "value of a day", "stock checks", "not used")
    ),
    *(Target(name, CPU, 3.5) for name in ("checks", "vehicles", "keys", "deliveries")),
    Target("fleet: due", STATEMENTS, 5),
    Target("fleet: due", CPU, 5),
    Target("fleet: due", RATIO, 0.4, is_minimum=True),
    Target("fleet: due", CHANGED, 15),
    Target("fleet: due, month", CPU, 3.5),
    Target("fleet: due, month", CHANGED, 15),
    Target("fleet: vehicle", STATEMENTS, 14),
    Target("fleet: vehicle", CPU, 8),
    Target("fleet: vehicle", RATIO, 0.3, is_minimum=True),
    Target("fleet: vehicles", STATEMENTS, 7),
    Target("fleet: vehicles", CPU, 4),
    Target("fleet: defects", STATEMENTS, 5),
    Target("fleet: defects", CPU, 5),
    Target("fleet: defects", RATIO, 0.45, is_minimum=True),
    Target("fleet: repairs", STATEMENTS, 5),
    Target("fleet: repairs", CPU, 5),
    Target("fleet: off the road", STATEMENTS, 7),
    Target("fleet: off the road", CPU, 6),
    Target("fleet: readings", STATEMENTS, 6),
    Target("fleet: readings", CPU, 6),
    Target("fleet: costs", CPU, 8),
    Target("fleet: costs of a vehicle", CPU, 6),
    Target("fleet: plan's items", CPU, 15),
    Target("fleet: DVSA file", STATEMENTS, 14),
    Target("fleet: DVSA file", CPU, 20),
    Target("fleet: DVSA file of all", CPU, 120),
    Target("fleet: briefings (JSON)", CPU, 10),
    Target("fleet: briefings (JSON)", CHANGED, 25),
    Target("fleet: dashboard", CPU, 3),
    Target("fleet: dashboard", CHANGED, 15),
    Target("ping (JSON)", CPU, 1.6),
    Target("", READY, 1.2),
    Target("", USERS_LIST, 0.7),
    Target("", STOCK_IMPORT, 10_000, is_minimum=True),
    Target("", HISTORY_IMPORT, 30_000, is_minimum=True),
    Target("", MEMORY, 210),
    Target("", MEMORY_GROWTH, 5),
]
"""What the product aims at, for data of the normal size on two cores."""


def compare(stage: Stage, targets: Sequence[Target] = TARGETS) -> list[Comparison]:
    """Compare a stage with the targets, leaving out those whose subject wasn't measured."""
    calls = {call.name: call for call in stage.calls}
    compared = [
        Comparison(target, FIGURES[target.figure](calls[target.subject]))
        for target in targets
        if target.subject in calls
    ]
    others = [
        Comparison(target, stage.others[target.figure])
        for target in targets
        if not target.subject and target.figure in stage.others
    ]
    return compared + others


@dataclass(frozen=True)
class Growth:
    """The median times of a page, in milliseconds, with little and much data."""

    name: str
    variant: str
    small: float
    large: float

    @property
    def factor(self) -> float:
        """Return how many times as long the page takes with much data."""
        return self.large / self.small


def growth(small: Stage, large: Stage) -> list[Growth]:
    """Compare the pages of two stages of one engine: repeated, and after a change each."""
    before = {call.name: call for call in small.calls}
    found = []
    for call in large.calls:
        other = before.get(call.name)
        if other and other.changed and call.changed:
            found.append(Growth(call.name, "repeated", other.one.p50, call.one.p50))
            found.append(Growth(call.name, "changed", other.changed.p50, call.changed.p50))
    return found

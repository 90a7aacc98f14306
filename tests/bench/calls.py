"""The calls that the benchmark measures."""

import itertools
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.demo.cli import DATA
from app.divisions import Division
from app.stock.targets import TARGETS

DAY = "2026-01-15"
API = "/api/gfm/inventory/main"
NAMES = [item.name for item in TARGETS["gfm-main-stock"].load(DATA / "gfm-main-stock.csv")[0]]
ASSETS = 3_000
VEHICLES = 600
"""Assets and vehicles that the data of every size has."""

GFM, GPM, FLEET, OF_ASSETS = Division

_numbers = itertools.count(10_000)
_process = secrets.token_hex(4)


@dataclass(frozen=True)
class Session:
    """Cookies and CSRF tokens of a signed-in user of each division."""

    cookies: Mapping[Division, str]
    tokens: Mapping[Division, str]

    def headers(self, division: Division, **more: str) -> dict[str, str]:
        """Return what every request of theirs carries."""
        return {"Cookie": self.cookies[division], "Accept-Encoding": "br"} | more


Request = tuple[str, str, bytes, dict[str, str]]
"""Method, path, body and headers."""


@dataclass(frozen=True)
class Call:
    """A kind of request.

    `bare` names the view of the bare application that it is compared with, '' for none.
    """

    name: str
    request: Callable[[Session], Request]
    division: Division = GFM
    bare: str = ""
    reads_all: bool = False
    """Whether it sends a whole list: its rows are counted, and it isn't measured with more data."""
    is_page: bool = False
    """Whether its time is also measured after a change, and compared between sizes."""


def _get(path: str, division: Division, **headers: str) -> Callable[[Session], Request]:
    return lambda session: ("GET", path, b"", session.headers(division, **headers))


def _page(name: str, path: str, division: Division = GFM, **options: Any) -> Call:
    return Call(name, _get(path, division), division, is_page=True, **options)


def _fragment(name: str, path: str, division: Division = GFM, **options: Any) -> Call:
    htmx = {"HX-Request": "true", "HX-Target": "list"}
    return Call(name, _get(path, division, **htmx), division, is_page=True, **options)


def _read(name: str, path: str, division: Division = GFM, **options: Any) -> Call:
    return Call(name, _get(path, division), division, **options)


def _change(
    name: str,
    method: str,
    path: str,
    body: Callable[[], dict[str, Any]],
    division: Division = GFM,
    **options: Any,
) -> Call:
    def request(session: Session) -> Request:
        headers = session.headers(
            division,
            **{
                "Accept": "application/json",
                "Content-Type": "application/json",
                "X-CSRFToken": session.tokens[division],
                "Idempotency-Key": f"bench-{_process}-{next(_numbers)}",
            },
        )
        return method, path, json.dumps(body()).encode(), headers

    return Call(name, request, division, **options)


def _one(kind: str) -> dict[str, Any]:
    name = NAMES[next(_numbers) % len(NAMES)]
    return {"ops": [{"type": kind, "id": name, "delta": 1}], "team": "Bench", "ts": DAY}


def plate(number: int) -> str:
    """Return the registration of one of the benchmark's vehicles."""
    return f"BE{number:05d} N"


def _check() -> dict[str, Any]:
    number = next(_numbers)
    items = {"Name": "Bench", "Cleanliness": "Clean", "Damage": "None", "Mileage": f"{number:,}"}
    return {
        "reg": plate(number % VEHICLES),
        "date": DAY,
        "odometer": number,
        "items": items,
        "costGBP": 12.5,
        "_formType": "vehicleCheckGPM",
    }


def _move() -> dict[str, Any]:
    number = next(_numbers)
    return {"id": f"A/{number % ASSETS:05d}", "endPosition": f"Room {number % 9}"}


def _bulk() -> dict[str, Any]:
    lines = [{"name": name, "qty": 1} for name in NAMES[:200]]
    return {"action": "delivery", "date": DAY, "lines": lines}


def _transfer() -> dict[str, Any]:
    lines = [{"name": NAMES[next(_numbers) % 200], "qty": 1}]
    return {"source": "main", "destination": "guildford", "date": DAY, "lines": lines}


def _count() -> dict[str, Any]:
    ops = [{"type": "inc", "id": name, "delta": 1} for name in NAMES]
    return {"ops": ops, "reason": f"Stock Check {DAY}", "team": "Stock Check", "ts": DAY}


CALLS = [
    _read("livez", "/livez", bare="/empty"),
    _read("ping (JSON)", "/api/ping", bare="/empty"),
    _page("list page", "/inventory/main", bare="/rows"),
    _fragment("list search (htmx)", "/inventory/main?q=heart", bare="/rows"),
    _read("whole list (JSON)", API, reads_all=True),
    _change("deliver (JSON)", "PATCH", API, lambda: _one("inc"), bare="/replay"),
    _change("withdraw (JSON)", "PATCH", API, lambda: _one("dec"), bare="/replay"),
    _change("transfer (JSON)", "POST", "/api/gfm/transfers", _transfer, bare="/replay"),
    _change("bulk of 200 lines (JSON)", "POST", f"{API}/bulk", _bulk, bare="/replay"),
    _change("check of 3,030 lines (JSON)", "PATCH", API, _count, bare="/replay"),
    _page("history page", "/history"),
    _page("history, last page", "/history?page=100000"),
    _fragment("history search (htmx)", "/history?q=heart"),
    _page("history part of 25 (JSON)", "/api/gfm/history?limit=25"),
    _read("history export", "/history/export", bare="/export", reads_all=True),
    _page("levels page", "/stock/gfm/levels", bare="/rows"),
    _page("reorder page", "/stock/gfm/reorder", bare="/rows"),
    _page("insight: use", "/stock/gfm/insight/use"),
    _page("insight: use by item", "/stock/gfm/insight/use?by=item"),
    _page("insight: value", "/stock/gfm/insight/value"),
    _page("insight: value of a day", "/stock/gfm/insight/value?as_of=2026-01-15"),
    _page("insight: stock checks", "/stock/gfm/insight/counts"),
    _page("insight: not used", "/stock/gfm/insight/idle"),
    _page("history of an item", "/inventory/main/items/1/history"),
    _page("dashboard of GFM", "/dashboard"),
    _page("dashboard of GPM", "/dashboard", GPM),
    _page("deliveries", "/gpm/deliveries", GPM),
    _fragment("deliveries search (htmx)", "/gpm/deliveries?q=heart", GPM),
    _page("delivered", "/gpm/deliveries?status=delivered", GPM),
    _page("keys", "/keys", GPM),
    _fragment("keys search (htmx)", "/keys?q=room+17", GPM),
    _page("history of a key", "/keys/1/history", GPM),
    _change("deliver to GPM (JSON)", "PATCH", "/api/gpm/inventory/main", lambda: _one("inc"), GPM),
    _page("dashboard of Fleet", "/dashboard", FLEET),
    _page("vehicles", "/vehicles", FLEET),
    _page("vehicle and its history", "/vehicles/1", FLEET),
    _page("checks", "/fleetChecksList?review=", FLEET),
    _fragment("checks search (htmx)", "/fleetChecksList?q=be00017", FLEET),
    _change("submit check (JSON)", "POST", "/api/fleet/checks", _check, FLEET),
    _page("dashboard of Assets", "/dashboard", OF_ASSETS),
    _page("assets", "/assets", OF_ASSETS),
    _page("assets, last page", "/assets?page=100000", OF_ASSETS),
    _fragment("assets search (htmx)", "/assets?q=chair+miller", OF_ASSETS),
    _page("assets at a location", "/assets?location=Room+07", OF_ASSETS),
    _page("assets by value", "/assets?sort=-value", OF_ASSETS),
    _read("assets export", "/assets/export", OF_ASSETS, reads_all=True),
    _page("asset groups by item (JSON)", "/api/assets/groups?by=item", OF_ASSETS),
    _page("history of assets", "/assets/history", OF_ASSETS),
    _change("move asset (JSON)", "POST", "/api/assets/history", _move, OF_ASSETS),
    _fragment("search: a plate", "/search?q=be00017n", FLEET),
    _fragment("search: a rare word", "/search?q=trellis"),
    _fragment("search: a word of every row", "/search?q=standard", FLEET),
    _fragment("search: two letters", "/search?q=be", FLEET),
]

_VAN = "vehicle=BE00001+N"

FLEET_CALLS = [
    _page("fleet: due", "/fleet/due", FLEET, bare="/rows"),
    _page("fleet: due, month", "/fleet/due/month", FLEET),
    _page("fleet: vehicle", "/vehicles/1", FLEET, bare="/rows"),
    _page("fleet: vehicles", "/vehicles", FLEET),
    _page("fleet: defects", "/fleet/defects", FLEET, bare="/rows"),
    _page("fleet: closed defects", "/fleet/defects?tab=closed", FLEET),
    _page("fleet: repairs", "/fleet/repairs", FLEET),
    _page("fleet: off the road", "/fleet/off-road", FLEET),
    _page("fleet: costs", "/fleet/costs", FLEET),
    _page("fleet: costs of a vehicle", f"/fleet/costs?{_VAN}", FLEET),
    _page("fleet: readings", f"/fleet/readings?{_VAN}", FLEET),
    _page("fleet: plan's items", "/fleet/plans/1/items", FLEET),
    _page("fleet: DVSA file", f"/fleet/record?{_VAN}&months=12", FLEET),
    _read("fleet: DVSA file of all", "/fleet/record/fleet.csv?months=1", FLEET),
    _page("fleet: check form", "/fleetChecks", FLEET),
    _page("fleet: briefings (JSON)", "/fleetChecks/briefings", FLEET),
    _page("fleet: dashboard", "/dashboard", FLEET),
    _page("fleet: due (JSON)", "/api/fleet/due", FLEET),
    _page("fleet: defects (JSON)", "/api/fleet/defects?limit=25", FLEET),
]
"""Those of upkeep, which are measured with years of a fleet's checks."""

BY_NAME = {call.name: call for call in [*CALLS, *FLEET_CALLS]}

CHANGES = {
    GFM: "withdraw (JSON)",
    GPM: "deliver to GPM (JSON)",
    FLEET: "submit check (JSON)",
    OF_ASSETS: "move asset (JSON)",
}
"""The change that precedes each read 'after a change', by division."""

MIXED = ["list page", "ping (JSON)", "withdraw (JSON)", "history part of 25 (JSON)"]
"""The calls of the many requests that memory is watched over."""

"""The calls that the benchmark measures."""

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.demo.cli import DATA
from app.divisions import Division
from app.stock.schemas.files import read_stock
from tests.assets.generated import COUNT as ASSETS

DAY = "2026-01-15"
API = "/api/gfm/inventory/main"
NAMES = [item.name for item in read_stock(DATA / "gfm-main-stock.csv")[0]]
VEHICLES = 200
_keys = itertools.count()


@dataclass(frozen=True)
class Session:
    """Cookies and CSRF tokens of a signed-in user of each division."""

    cookies: Mapping[Division, str]
    tokens: Mapping[Division, str]

    def headers(self, division: Division = Division.GFM, **more: str) -> dict[str, str]:
        """Return what every request of theirs carries."""
        return {"Cookie": self.cookies[division], "Accept-Encoding": "br"} | more


Request = tuple[str, str, bytes | None, dict[str, str]]


@dataclass(frozen=True)
class Call:
    """A kind of request and the number of times it is sent in all."""

    name: str
    times: int
    request: Callable[[Session], Request]


def _page(path: str, division: Division = Division.GFM) -> Callable[[Session], Request]:
    return lambda session: ("GET", path, None, session.headers(division))


def _json(
    method: str,
    path: str,
    body: Callable[[], dict[str, Any]],
    division: Division = Division.GFM,
) -> Callable[..., Request]:
    def request(session: Session) -> Request:
        headers = session.headers(
            division,
            **{
                "Accept": "application/json",
                "Content-Type": "application/json",
                "X-CSRFToken": session.tokens[division],
                "Idempotency-Key": f"bench-{next(_keys)}",
            },
        )
        return method, path, json.dumps(body()).encode(), headers

    return request


def _one(kind: str, team: str = "Bench") -> dict[str, Any]:
    name = NAMES[next(_keys) % len(NAMES)]
    return {"ops": [{"type": kind, "id": name, "delta": 1}], "team": team, "ts": DAY}


def plate(number: int) -> str:
    """Return the registration of one of the benchmark's vehicles."""
    return f"BE{number % VEHICLES:03d} NCH"


def _check() -> dict[str, Any]:
    number = next(_keys)
    items = {"Name": "Bench", "Cleanliness": "Clean", "Damage": "None", "Mileage": f"{number:,}"}
    return {
        "reg": plate(number),
        "date": DAY,
        "odometer": number,
        "items": items,
        "costGBP": 12.5,
        "_formType": "vehicleCheckGPM",
    }


def _move() -> dict[str, Any]:
    number = next(_keys)
    return {"id": f"A/{number % ASSETS:05d}", "endPosition": f"Room {number % 9}"}


def _lines(count: int) -> list[dict[str, Any]]:
    return [{"name": name, "qty": 1} for name in NAMES[:count]]


def _count() -> dict[str, Any]:
    ops = [{"type": "inc", "id": name, "delta": 1} for name in NAMES]
    return {"ops": ops, "reason": f"Stock Check {DAY}", "team": "Stock Check", "ts": DAY}


CALLS = [
    Call("list page", 200, _page("/inventory/main")),
    Call("search", 200, _page("/inventory/main?q=heart")),
    Call("whole list (JSON)", 40, _page(API)),
    Call("deliver (JSON)", 100, _json("PATCH", API, lambda: _one("inc"))),
    Call("3,030-line check", 8, _json("PATCH", API, _count)),
    Call("withdraw (JSON)", 100, _json("PATCH", API, lambda: _one("dec"))),
    Call(
        "200-line bulk",
        40,
        _json(
            "POST",
            f"{API}/bulk",
            lambda: {"action": "delivery", "date": DAY, "lines": _lines(200)},
        ),
    ),
    Call(
        "transfer",
        100,
        _json(
            "POST",
            "/api/gfm/transfers",
            lambda: {
                "source": "main",
                "destination": "guildford",
                "date": DAY,
                "lines": [{"name": NAMES[next(_keys) % 200], "qty": 1}],
            },
        ),
    ),
    Call("history page", 100, _page("/history")),
    Call("history search", 60, _page("/history?q=heart")),
    Call("history export", 8, _page("/history/export")),
    Call("dashboard of GFM", 60, _page("/dashboard")),
    Call("dashboard of GPM", 60, _page("/dashboard", Division.GPM)),
    Call("deliveries", 60, _page("/gpm/deliveries", Division.GPM)),
    Call("deliveries search", 60, _page("/gpm/deliveries?q=heart", Division.GPM)),
    Call("delivered", 60, _page("/gpm/deliveries?status=delivered", Division.GPM)),
    Call("dashboard of Fleet", 60, _page("/dashboard", Division.FLEET)),
    Call("vehicles page", 60, _page("/vehicles", Division.FLEET)),
    Call("checks list", 60, _page("/fleetChecksList", Division.FLEET)),
    Call("submit check (JSON)", 100, _json("POST", "/api/fleet/checks", _check, Division.FLEET)),
    Call("assets", 60, _page("/assets", Division.ASSETS)),
    Call("assets, last page", 60, _page("/assets?page=2000", Division.ASSETS)),
    Call("assets search", 60, _page("/assets?q=chair+miller", Division.ASSETS)),
    Call("assets at a location", 60, _page("/assets?location=Room+07", Division.ASSETS)),
    Call("assets by value", 60, _page("/assets?sort=-value", Division.ASSETS)),
    Call("all assets (JSON)", 8, _page("/api/assets", Division.ASSETS)),
    Call("assets export", 8, _page("/assets/export", Division.ASSETS)),
    Call("asset groups by location", 60, _page("/api/assets/groups?by=location", Division.ASSETS)),
    Call("asset groups by item", 60, _page("/api/assets/groups?by=item", Division.ASSETS)),
    Call(
        "asset groups in a location",
        60,
        _page("/api/assets/groups?by=category&location=Room+07", Division.ASSETS),
    ),
    Call("move asset (JSON)", 100, _json("POST", "/api/assets/history", _move, Division.ASSETS)),
]

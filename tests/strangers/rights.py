"""Who may use which address: a table of its own, with which every route is compared.

An address without an entry fails, so a new route is in the tests by itself.
"""

import re
from dataclasses import dataclass, field, replace

from app.divisions import Division

GFM, GPM, FLEET, ASSETS = Division


@dataclass(frozen=True)
class Right:
    """Who may use an address: everybody, or signed-in users of these divisions, if any.

    Changes need a worker of one of the divisions; of all that the user has where `names_none`:
    the address doesn't say which of them it refers to. Where `managed`, a manager instead;
    what is `personal` is its user's own, so that any role may change it.
    """

    public: bool = False
    renewable: bool = False
    needs_choice: bool = False
    divisions: frozenset[Division] = field(default_factory=frozenset)
    names_none: bool = False
    managed: bool = False
    personal: bool = False


PUBLIC = Right(public=True)
SIGNED_IN = Right()
RENEWABLE = Right(renewable=True)
WITH_DIVISION = Right(needs_choice=True)


def _pages(*owners: Division) -> Right:
    return Right(needs_choice=True, divisions=frozenset(owners))


def _calls(*owners: Division) -> Right:
    return Right(divisions=frozenset(owners))


FORMS = frozenset(
    {
        *("accept", "action", "add", "apply", "assess", "back", "book", "bulk", "cancel", "change"),
        *("close", "columns", "count", "create", "deliver", "done", "edit", "filters"),
        *("fleet.csv", "fleetChecks", "hand-over", "import", "look", "move", "new", "note"),
        *("out", "place", "remove", "rename"),
        "return",
        *("review", "schedule-again", "sign-off", "snooze", "undo", "undo-all", "void", "withdraw"),
    }
)
"""The last steps of pages that are opened only to change something."""

FLEETS = (
    *("vehicles", "vans", "van-history", "checks", "check-templates", "entries", "plates"),
    *("defects", "repairs", "costs", "due", "plans", "readings", "record"),
)
DESKS = ("teams", "suppliers", "services", "keys", "deliveries", "cancelled-deliveries")

RIGHTS = {
    **dict.fromkeys(("/", "/login", "/livez", "/readyz"), PUBLIC),
    **dict.fromkeys(("/sw.js", "/offline", "/manifest.webmanifest"), PUBLIC),
    **dict.fromkeys(("/api/auth/login", "/api/auth/refresh"), PUBLIC),
    **dict.fromkeys(("/api/docs", "/api/openapi.json"), PUBLIC),
    **dict.fromkeys(("/choose", "/change-password", "/outbox", "/search", "/views"), SIGNED_IN),
    # Each list's own rights are those of what is read (tests/imports).
    **dict.fromkeys(("/import", "/imports"), SIGNED_IN),
    **dict.fromkeys(("/api/auth/change-password", "/api/ping", "/api/search"), SIGNED_IN),
    **dict.fromkeys(("/api/views", "/api/imports"), SIGNED_IN),
    **dict.fromkeys(("/logout", "/session", "/api/auth/logout"), RENEWABLE),
    "/outbox/discarded": SIGNED_IN,
    **dict.fromkeys(("/columns", "/shortcuts"), replace(SIGNED_IN, personal=True)),
    "/export": WITH_DIVISION,
    **{f"/export/{division}": _pages(division) for division in Division},
    "/calendars": PUBLIC,
    "/dashboard": WITH_DIVISION,
    **dict.fromkeys(("/inventory", "/history", "/stock/gfm"), _pages(GFM)),
    **dict.fromkeys(("/gpm", "/stock/gpm", "/teams", "/services", "/keys"), _pages(GPM)),
    **dict.fromkeys(("/services.csv", "/keys.csv"), _pages(GPM)),
    **dict.fromkeys(
        ("/fleetChecks", "/fleetChecksList", "/vehicles", "/vehicles.csv"), _pages(FLEET, GPM)
    ),
    "/fleet": _pages(FLEET, GPM),
    "/fleet/due/calendar": replace(_pages(FLEET, GPM), personal=True),
    "/bookings": _pages(FLEET, GPM, ASSETS),
    "/bookings/timeline": _pages(FLEET, GPM),
    "/assets": _pages(ASSETS),
    "/gfm": _pages(GFM),
    "/api/gfm": _calls(GFM),
    "/api/gpm": _calls(GPM),
    **{f"/api/{name}": _calls(GPM) for name in DESKS},
    **dict.fromkeys(
        ("/api/inventory", "/api/history", "/api/levels", "/api/reorder", "/api/reports"),
        Right(divisions=frozenset({GFM, GPM}), names_none=True),
    ),
    **{f"/api{under}/{name}": _calls(FLEET, GPM) for under in ("", "/gpm") for name in FLEETS},
    "/attachments": _pages(FLEET, GPM),
    **dict.fromkeys(("/api/fleet", "/api/photos"), _calls(FLEET, GPM)),
    **dict.fromkeys(("/api/documents", "/api/attachments"), _calls(FLEET, GPM)),
    "/api/assets": _calls(ASSETS),
    **dict.fromkeys(
        [f"/api{under}/bookings" for under in ("", "/fleet", "/gpm", "/assets")],
        _calls(FLEET, GPM, ASSETS),
    ),
    **{f"/api{under}/availability": _calls(FLEET, GPM) for under in ("", "/fleet", "/gpm")},
}
"""The right of each address and of everything below it; a longer entry goes before a shorter."""


_STORED = ("inventory", "levels")
_OFFICES = (*(f"{name}/main" for name in _STORED), "history", "deliveries")

MANAGED = frozenset(
    {
        *("/bookings/<number>/look", "/bookings/bookable/<kind>/<key>"),
        *(
            f"{prefix}/<site>/{step}"
            for prefix in ("/inventory", "/gpm/inventory")
            for step in (
                *(f"items/<item_id>/{verb}" for verb in ("level", "snooze", "unsnooze")),
                "levels/accept",
            )
        ),
        *(f"/api{under}/levels/<site>" for under in ("", "/gfm", "/gpm")),
        *(f"/fleet/defects/<number>/{step}" for step in ("assess", "close", "sign-off")),
        *(f"/fleet/due/<item_id>/{step}" for step in ("edit", "withdraw")),
        *(
            f"/api/{path}/import"
            for path in (
                *(f"{division}/{name}" for division in ("gfm", "gpm") for name in _OFFICES),
                *(f"gfm/{name}/{site}" for name in _STORED for site in ("guildford", "northern")),
                *(f"gpm/{name}" for name in ("teams", "suppliers", "services", "keys")),
                *(f"fleet/{name}" for name in ("vehicles", "vans", "due", "readings", "defects")),
                *("assets", "assets/history"),
            )
        ),
        "/fleet/due/done/<done_id>/undo",
        "/fleet/off-road/<time_id>/return",
        "/fleet/plans/add",
        *(f"/fleet/plans/<plan_id>/{step}" for step in ("edit", "items", "withdraw")),
        *(f"/fleet/readings/<reading_id>/{step}" for step in ("accept", "void")),
        "/fleet/record/fleet.csv",
        *(f"/export/{division}/all.zip" for division in Division),
        "/fleet/repairs/<number>/undo",
        *(
            f"{prefix}/{call}"
            for prefix in ("/api", "/api/fleet", "/api/gpm")
            for call in (
                "defects/<number>/close",
                *("due/<item_id>", "due/<item_id>/withdraw", "due/<item_id>/done/<done_id>/undo"),
                *("plans", "plans/<plan_id>", "plans/<plan_id>/withdraw"),
                *("readings/<reading_id>/accept", "readings/<reading_id>/void"),
                "repairs/<number>/reverse",
                "vehicles/<reg>/return",
            )
        ),
    }
)
"""The addresses where only managers change anything, with the names of their parameters."""


def opens_form(rule: str) -> bool:
    """Return whether a page is opened only to change something, or by managers only."""
    return rule.rpartition("/")[2] in FORMS or named(rule) in MANAGED


_CONVERTER = re.compile(r"<[^>]*:(\w+)>")


def named(rule: str) -> str:
    """Return the address of a rule with the names of its parameters alone."""
    return _CONVERTER.sub(r"<\1>", rule)


def right_of(address: str, method: str) -> Right | None:
    """Return the right of an address by its longest entry, None if there is none."""
    steps = address.split("/")
    parts = ["/".join(steps[:length]) or "/" for length in range(len(steps), 1, -1)]
    right = next((RIGHTS[part] for part in parts if part in RIGHTS), None)
    is_read = address.startswith("/api/") and method in ("GET", "HEAD")
    return right and replace(right, managed=named(address) in MANAGED and not is_read)

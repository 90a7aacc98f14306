"""Every page of the product as requests, for tests that look at what pages read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import Flask

from app.divisions import Division
from app.web.policies import policy_of
from tests.bench.calls import Request, Session

VALUES = {
    "site": "main",
    "number": 1,
    "check_id": 1,
    "move_id": 1,
    "delivery_id": 30,
    "vehicle_id": 1,
    "key_id": 1,
    "file_name": "invoice.pdf",
    "time_id": 1,
    "reg": "BE00001 N",
    "item_id": 1,
    "done_id": 1,
    "plan_id": 1,
    "reading_id": 1,
    "kind": "vehicle",
    "key": "be00001n",
    "question": "use",
    "view_id": 1,
    "target": "assets",
    "draft_id": 2,
    "import_id": 1,
}
"""Values of the paths' parameters; others are given."""

VALUES_OF_VIEWS = {
    "fleet.undo_review": {"check_id": 2},
    "defects.sign_off_defect": {"number": 4},
    "deliveries.add_line": {"number": 30},
}
"""Values for single views: a check is reviewed, or it can be."""

FILTERED = {
    "stock.inventory": [
        *("q=xylophone", "category=Holder", "after=red", "sort=-amount", "sort=price"),
        *("sort=-category", "sort=amount&after=[2,+%22red%22]", "q=xylophone&sort=-amount"),
        "category=Holder&sort=amount",
    ],
    "stock_history.history": [
        *("q=xylophone", "q=kitchenette", "team=Kitchen", "event=withdrawal", "site=main"),
        *("from=2026-01-01&to=2099-01-01", "page=3", "sort=date", "sort=-amount&q=xylophone"),
        *("sort=date&page=9", "sort=date&q=kitchenette"),
    ],
    "stock.namesake": ["name=Heart"],
    "deliveries.deliveries": [
        "q=xylophone",
        "status=delivered",
        "status=delivered&q=xylophone",
        *("status=cancelled", "status=delivered&sort=delivered", "sort=item"),
        "page=2",
    ],
    "stock.insight": ["by=item", "site=main&from=2026-01-01"],
    "deliveries.offers": ["q=xylophone", "item=Red+heart"],
    "directory.keys": ["q=xylophone", "page=2"],
    "directory.services": ["q=xylophone"],
    "directory.teams": ["q=xylophone"],
    "fleet.vehicles": [
        *("q=be0001", "status=In+use", "page=2", "sort=-status", "sort=update", "road=off"),
    ],
    "fleet.checks": [
        *("q=be0001", "vehicle=BE00001+N", "flags=flagged", "review=unreviewed"),
        *("sort=-unreviewed", "sort=date", "sort=-photos"),
        *("sort=unreviewed", "from=2026-01-01&to=2099-01-01", "page=2", "check=9"),
    ],
    "defects.repairs": ["q=be0001", "from=2026-01-01&to=2099-01-01", "page=2"],
    "fleet.check_form": ["plain=1", "plain=1&form=mixed&vehicle=BE00001+N"],
    "bookings.book": ["what=class&class=Van", "class=Van"],
    "bookings.bookings": ["page=2", "from=2026-01-01&to=2099-01-01", "state=out", "sort=from"],
    "bookings.timeline": ["days=14"],
    "vehicle_file.costs": ["vehicle=BE00001+N", "from=2026-01-01"],
    "vehicle_file.cost_rows": ["vehicle=BE00001+N", "kind=repair", "kind=mot,tax", "page=2"],
    "vehicle_file.vehicle_record": ["vehicle=BE00001+N"],
    "vehicle_file.vehicle_record_csv": ["vehicle=BE00001+N"],
    "assets.assets": [
        *("q=xylophone+miller", "location=Room+07", "status=In+use", "category=IT", "sort=-value"),
        *("sort=-quantity", "sort=location", "page=2"),
    ],
    "assets.history": ["q=xylophone", "location=Room+07", "page=2", "sort=date", "sort=to"],
    "assets.move_assets": ["asset=1&asset=2"],
    "views.views": ["list=/inventory/main"],
    "views.menu": ["list=/inventory/main"],
    "views.save_view": ["list=/inventory/main&query=q%3Dtea"],
    "global_search.search": ["q=xylophone+miller", "q=be0001", "q=zq", "q=d9"],
}
"""Queries of pages, beside the one without any; a search that finds little needs an index."""

FILTERED_ALONE = {"vehicle_file.vehicle_record_csv", "views.menu", "views.save_view"}
"""Views that refuse an address without a query."""

PARTS = {
    Division.GFM: ["/api/gfm/history?limit=10", "/api/gfm/inventory/main?limit=10"],
    Division.GPM: ["/api/gpm/deliveries?limit=10", "/api/keys/history?limit=10"],
    Division.FLEET: [
        *("/api/fleet/checks?limit=10", "/api/fleet/vehicles?limit=10", "/api/bookings?limit=10"),
    ],
    Division.ASSETS: [
        *("/api/assets?limit=10", "/api/assets/history?limit=10", "/api/assets/groups?by=item"),
    ],
}
"""Calls that answer a part of a list, or what a widget shows first."""

VISITED_BY = {
    "bookings": [Division.FLEET],
    "imports": [Division.ASSETS],
    "views": [Division.GFM],
}
"""Who opens the pages of a feature, where it isn't the first of their divisions."""

EXPORTED = {"gfm": "gfm-history", "gpm": "keys", "fleet": "checks", "assets": "assets"}
"""A list that a division exports."""

REDIRECTS = {
    "accounts.start",
    "accounts.login",
    "stock.start",
    "directory.rename_team",
    "directory.rename_service",
    "imports.redirect_due",
    "imports.redirect_readings",
}
"""Pages that lead to others, or have a form alone."""


@dataclass(frozen=True)
class PageRequest:
    """A request of a page: the name of its view or the call's path, who sends it, and itself."""

    view: str
    division: Division
    path: str
    request: Request


def pages(
    app: Flask, session: Session, stock: Mapping[Division, Mapping[str, int]]
) -> Iterator[PageRequest]:
    """Yield a request for each page, each of its filters, and each division that shows it.

    `stock` has the ids of an item and of an operation of each division.
    """
    with app.test_request_context():
        rules = [
            (rule, policy_of(rule.endpoint, rule.defaults or {"division": None}))
            for rule in app.url_map.iter_rules()
            if "GET" in (rule.methods or ())
            and not rule.rule.startswith("/api")
            # GFM has none yet: its list is read, and the pages of GPM's deliveries.
            and not (rule.rule.startswith("/gfm/deliveries") and rule.arguments - {"division"})
        ]
    for rule, policy in rules:
        if policy is None or policy.public or rule.endpoint in REDIRECTS:
            continue
        feature = rule.endpoint.partition(".")[0]
        for division in VISITED_BY.get(feature, sorted(policy.divisions)[:1]) or Division:
            values = VALUES | VALUES_OF_VIEWS.get(rule.endpoint, {})
            values = values | stock.get(division, {}) | (rule.defaults or {})
            values["list_key"] = EXPORTED.get(values.get("division"))
            with app.test_request_context():
                built = rule.build({name: values[name] for name in rule.arguments})
            assert built is not None, rule
            plain = [""] if rule.endpoint not in FILTERED_ALONE else []
            for query in [*plain, *FILTERED.get(rule.endpoint, ())]:
                path = f"{built[1]}?{query}".rstrip("?")
                yield PageRequest(rule.endpoint, division, path, _get(session, division, path))
    for division, paths in PARTS.items():
        for path in paths:
            view = path.partition("?")[0]
            yield PageRequest(view, division, path, _get(session, division, path))


def _get(session: Session, division: Division, path: str) -> Request:
    return "GET", path, b"", session.headers(division)

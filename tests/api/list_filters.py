"""What each list takes: a value of each filter, and the orders."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Filtered:
    """The filters of a list's call, each with a value, and its orders, each with a member of rows.

    `screen` is the page that has the same filters, but those of `not_on_screen`.
    """

    filters: Mapping[str, str]
    orders: Mapping[str, str] = field(default_factory=dict)
    screen: str = ""
    not_on_screen: tuple[str, ...] = ()


DAYS = {"from": "2020-01-01", "to": "2099-12-31"}
ORDERS = {"item": "item", "supplier": "supplier", "ordered": "orderedDate", "by": "orderedBy"}
VEHICLE_ORDERS = {name: name for name in ("reg", "make", "classification", "status")}

STOCK_ORDERS = {"item": "item", "category": "category"}
STOCK_FILTERS = {"search": "heart", "category": "Seasonal"}

LISTS = {
    "/inventory/{site}": Filtered(STOCK_FILTERS, STOCK_ORDERS, "/inventory/guildford"),
    "/inventory": Filtered(STOCK_FILTERS, STOCK_ORDERS, "/gpm/inventory/main"),
    "/history": Filtered(
        {"search": "heart", "event": "Other", "team": "Kitchen", "site": "main"} | DAYS,
        {"date": "date", "item": "item", "site": "site"},
        "/gpm/history",
    ),
    "/assets": Filtered(
        {"search": "a1", "location": "Room 1", "make": "Oak & Sons", "category": "–"},
        {"item": "item", "id": "id", "location": "location", "make": "make"},
        "/assets",
    ),
    "/assets/history": Filtered(
        {"search": "desk", "location": "Room 1", "who": "assets"} | DAYS,
        {"date": "date", "asset": "item", "from": "startPosition", "to": "endPosition"},
        "/assets/history",
    ),
    "/services": Filtered(
        {"search": "cleaning 1"}, {"name": "name", "description": "description"}, "/services"
    ),
    "/keys": Filtered({"search": "k1"}, {"key": "code", "holder": "holder"}, "/keys"),
    "/keys/history": Filtered(
        {"key": "K1"}, {"since": "date", "holder": "holder", "before": "previousHolder", "by": "by"}
    ),
    "/deliveries": Filtered({"search": "tea", "status": "pending"}, ORDERS, "/gpm/deliveries"),
    "/cancelled-deliveries": Filtered({"search": "fork"}, ORDERS | {"cancelled": "cancelledDate"}),
    "/vehicles": Filtered(
        {"search": "ford", "status": "In use", "classification": "Van", "road": "off"},
        VEHICLE_ORDERS,
        "/vehicles",
    ),
    "/vans": Filtered({"search": "vb1"}, VEHICLE_ORDERS),
    "/checks": Filtered(
        {"search": "lk19vte", "vehicle": "B1", "review": "reviewed"} | DAYS,
        {"date": "date", "reg": "reg", "by": "submittedBy", "notes": "notes"},
        "/fleetChecksList",
    ),
    "/defects": Filtered(
        {"search": "wipers", "vehicle": "lk19vte", "state": "open", "severity": "repair"},
        {"title": "title", "reg": "reg", "day": "since"},
        "/fleet/defects",
        # Without a tab the screen lists the open ones alone.
        not_on_screen=("vehicle", "severity"),
    ),
    "/repairs": Filtered(
        {"search": "R-1", "vehicle": "lk19vte"} | DAYS,
        screen="/fleet/repairs",
        not_on_screen=("vehicle",),
    ),
    "/bookings": Filtered(
        {"vehicle": "ab12cde", "class": "Van", "state": "reserved"} | DAYS, {"from": "from"}
    ),
    "/assets/bookings": Filtered({"asset": "a1", "state": "out"} | DAYS, {"from": "from"}),
    "/readings": Filtered({"vehicle": "b2"}),
    "/due": Filtered({"vehicle": "lk19vte", "kind": "mot", "group": "overdue"}),
}
"""The lists that have filters, by the paths of their calls."""

"""The JSON calls that import files into lists."""

from datetime import timedelta
from typing import Any

from app import dates
from tests.api.call import FLEET, GFM, GPM, REGISTER, Call, Served, call_of

OFFICES: Served = {"/gfm": (GFM,), "/gpm": (GPM,)}
SITES: Served = {"/gfm": (GFM,)}
DIRECTORY: Served = {"/gpm": (GPM,)}
VEHICLES: Served = {"/fleet": (FLEET, GPM)}
SOON = dates.today() + timedelta(days=20)

STOCK = "item,amount,category,unitPrice\nHoneypot,3,Glass,2.10\n"
LEVELS = "item,minimum\nRed heart,8\n"

REPLY: dict[str, Any] = {
    **dict.fromkeys(("added", "changed", "unchanged"), int),
    "refused": [],
    "ignored": [],
    "undo": str | None,
}


def _import(path: str, served: Served, text: str) -> Call:
    body = text.encode()
    return call_of(f"POST /{path}/import", served, REPLY, body=body, content_type="text/csv")


IMPORTS = (
    _import("inventory/main", OFFICES, STOCK),
    _import("inventory/guildford", SITES, STOCK),
    _import("inventory/northern", SITES, STOCK),
    _import("levels/main", OFFICES, LEVELS),
    _import("levels/guildford", SITES, LEVELS),
    _import("levels/northern", SITES, "item,minimum\n"),
    _import(
        "history", OFFICES, "date,event,team,item,amount\n2011-12-09,Withdrawal,Kitchen,Tea,4\n"
    ),
    _import("deliveries", OFFICES, "item,amount\nHoneypot,3\n"),
    _import("teams", DIRECTORY, "name\nPost room\n"),
    _import("suppliers", DIRECTORY, "name\nTea & Sons\n"),
    _import("services", DIRECTORY, "name,description\nPortering,\n"),
    _import("keys", DIRECTORY, "code,name,holder,notes\nK9,Gate,,\n"),
    _import("vehicles", VEHICLES, "reg,make\nNEW 1,Ford\n"),
    _import("vans", VEHICLES, "reg,make\nNEW 1,Ford\n"),
    _import("due", VEHICLES, f"reg,kind,due_on,label\nLK19 VTE,other,{SOON},Tail lift\n"),
    _import("readings", VEHICLES, "reg,day,miles\nB1,2026-01-15,48300\n"),
    _import("defects", VEHICLES, "reg,part,title,severity,day\nB1,Horn,Horn silent,,2026-01-15\n"),
    _import("assets", REGISTER, "id,item\nA9,Sofa\n"),
    _import(
        "assets/history", REGISTER, "date,id,startPosition,endPosition\n2026-01-15,A1,Shop,Room 1\n"
    ),
    call_of("POST /imports/{import_id}/undo", {"": (GPM,)}, {"rows": 1}, at={"import_id": 1}),
)

"""What the product has in it when its screens are looked at.

The addresses of `tests/look/screens.py` are the same in each: item 1 is GFM's, item 2 GPM's,
delivery 2 is pending again after its undo, delivery 3 is cancelled, check 2 is reviewed, and
assets 1 and 2 were moved.
"""

from datetime import date, timedelta

from flask import current_app

from app import dates
from app.assets.rules import AssetState
from app.assets.services import moves
from app.db import transaction
from app.deliveries import queries as deliveries
from app.divisions import Division
from app.fleet.services import checks
from app.stock.rules.history import HistoryEvent
from app.stock.services import movements as stock_services
from app.stock.services.history import PastEntry
from tests import factories
from tests.factories import GPM
from tests.look.bookings import some_bookings
from tests.look.imports import bring_assets
from tests.look.upkeep import the_worst_upkeep
from tests.person import PASSWORD

KEEPER, TRADER, DRIVER, STEWARD = "keeper", "trader", "driver", "steward"
USERS = {
    KEEPER: Division.GFM,
    TRADER: Division.GPM,
    DRIVER: Division.FLEET,
    STEWARD: Division.ASSETS,
}
"""A user of each division."""

LONG = "EXTRAORDINARILY " * 10 + "x" * 40
HUGE = 999_999_999


def accounts_alone() -> None:
    """Add users and nothing else."""
    for username, division in USERS.items():
        factories.user(username, division)


def full_lists() -> None:
    """Add what a company has after some months, with texts of everyday lengths."""
    accounts_alone()
    names = [(f"RED HANGING HEART T-LIGHT HOLDER {n:03d}", n * 7 + 5) for n in range(250)]
    factories.items(names[:1], category="Holder")
    factories.items(names[:30], store=GPM)
    for item in factories.items(names[1:], category="Holder")[:12]:
        factories.level(item, minimum=96, target=144, pack=12, supplier="Bunzl Catering")
    factories.directory(100)
    factories.delivery("Compostable coffee cups", 24, ordered_on=_days_ago(20), **BUNZL)
    _deliver_and_undo("Compostable coffee cups")
    for name in ("Mop", "Nitrile gloves, medium"):
        factories.cancelled(name, supplier="Bunzl Catering", ordered_by="Priya Raman")
    for n in range(50):
        name = f"Compostable coffee cups, {n} oz"
        factories.delivery(name, 24, ordered_on=_days_ago(20 - n % 15), **BUNZL)
    factories.delivered("Nitrile gloves, medium", recipient="Priya Raman", confirmation="POD 48213")
    for n in range(30):
        factories.vehicle(
            f"LK{n} VTE",
            make="Ford",
            model="Transit",
            location="Guildford",
            classification=("Van", "Lorry", "Car")[n % 3],
        )
    keeper = list(USERS).index(KEEPER) + 1
    for name in ("Low at Main", "Red hearts"):
        factories.view(keeper, name, division=Division.GFM)
    _check_often(25)
    driver = list(USERS).index(DRIVER) + 1
    some_bookings(*(f"LK{n} VTE" for n in range(12)), by=driver)
    factories.assets([furniture(n) for n in range(200)])
    bring_assets("Office lamp", by=list(USERS).index(STEWARD) + 1)
    with transaction():
        moves.move_assets([1, 2], "Guildford, meeting room", by=None)


BUNZL = {"supplier": "Bunzl Catering", "ordered_by": "Priya Raman", "unit_cost": 1299}


def _days_ago(days: int) -> date:
    return dates.today() - timedelta(days=days)


def _deliver_and_undo(name: str) -> None:
    """Schedule a delivery that comes, and undo its stock."""
    delivery = factories.delivered(name, 24, **BUNZL)
    operation = deliveries.delivery(Division.GPM, delivery).operation_id
    with transaction():
        stock_services.undo(Division.GPM, operation, by=1)


def _check_often(times: int) -> None:
    """Submit checks of which the second is reviewed."""
    items = {"Name": "Ann Example", "Damage": "Dent in the left door", "Equipment": "Ladder"}
    driver = list(USERS).index(DRIVER) + 1
    for n in range(times):
        text = f"The left mirror is loose, {n}"
        factories.check(by=driver, items=items, notes=text, form_type="asbSolo", photos=[text])
    with transaction():
        checks.review_check(2, remark="", by=driver)


def furniture(n: int) -> AssetState:
    """Return an asset with every field filled in."""
    return AssetState(
        f"Office desk {n}",
        f"{n:032x}",
        "Ikea",
        "Bekant 160",
        f"SN-{n * 7919:08d}",
        f"Office Supplies {n % 20}",
        f"Head office, room {n % 40}",
        date(2024, 1, 1) + timedelta(days=n),
        n * 137 + 5,
        "Furniture",
        "In use",
        n % 9 + 1,
    )


def the_worst_texts() -> None:
    """Add the longest texts and the largest numbers that the product takes."""
    accounts_alone()
    keeper = list(USERS).index(KEEPER) + 1
    factories.view(keeper, "W" * 60, query=f"q={'W' * 200}", division=Division.GFM)
    _worst_stock()
    _worst_desk()
    _worst_fleet()
    worst = {name: letter * 80 for name, letter in zip(("make", "model"), "Mo", strict=True)}
    worst |= {"serial": "s" * 80, "supplier": "S" * 80, "location": "L" * 100}
    worst |= {"category": "c" * 60, "status": "s" * 40, "purchase_date": dates.today()}
    factories.asset("W" * 120, id="W" * 64, purchase_price=HUGE, quantity=HUGE, **worst)
    factories.assets([AssetState(f"DESK {n}", location="Main Store") for n in range(30)])
    with transaction():
        moves.move_assets([1, 2], "L" * 99, by=None)
    bring_assets("W" * 120, by=list(USERS).index(STEWARD) + 1)


def _worst_stock() -> None:
    factories.items([(LONG, HUGE)], category="c" * 100, unit_price=HUGE)
    factories.items([(LONG, HUGE)], store=GPM, category="c" * 100, unit_price=HUGE)
    low = [(f"RED HEART HOLDER {n:03d}", n) for n in range(60)] + [("L" * 100, 1)]
    for item in factories.items(low, category="Holder")[-3:]:
        level = {"minimum": HUGE, "target": HUGE, "supplier": "S" * 100}
        factories.level(item, **level)
    withdrawals = (
        PastEntry(
            dates.utc_now() - timedelta(weeks=n),
            HistoryEvent.WITHDRAWAL,
            LONG,
            HUGE,
            "W" * 32,
            unit_price=HUGE,
        )
        for n in range(12)
    )
    factories.add_history(*withdrawals)


def _worst_desk() -> None:
    worst = {"unit_cost": HUGE, "supplier": "s" * 100, "ordered_by": "o" * 100}
    factories.delivery(LONG, HUGE, ordered_on=_days_ago(20), **worst)
    _deliver_and_undo("RED HEART")
    factories.cancelled("RED HEART")
    factories.delivered("RED HEART", recipient="r" * 100, confirmation="c" * 200)
    factories.team("W" * 100)
    factories.key("W" * 60, name="N" * 100, holder="W" * 100, notes="notes " * 60)
    factories.service("W" * 100, "description " * 30)


def _worst_fleet() -> None:
    driver = list(USERS).index(DRIVER) + 1
    worst = {"make": "M" * 60, "model": "o" * 60, "status": "S" * 40, "location": "L" * 100}
    factories.vehicle("W" * 20, classification="C" * 60, odometer=HUGE, **worst)
    for n in range(30):
        factories.vehicle(f"LK{n} VTE", make="Ford", status="Off the road", location="Depot")
    factories.check(
        "W" * 20,
        by=driver,
        items={"Damage": LONG, "x" * 60: LONG},
        notes=LONG * 3,
        cost=HUGE,
        form_type="mixed",
        photos=[LONG[:200], "back"],
    )
    for _ in range(2):
        factories.check("W" * 20, by=driver, odometer=HUGE)
    with transaction():
        checks.review_check(2, remark="r" * 200, by=driver)
    the_worst_upkeep("W" * 20, by=driver)
    some_bookings(*(f"LK{n} VTE" for n in range(9)), by=driver, text="W" * 200)


def the_demo() -> None:
    """Load the demo, with 3,030 items on main, and add the users."""
    loaded = current_app.test_cli_runner().invoke(args=["demo", "load"])
    if loaded.exit_code:
        raise RuntimeError(loaded.output)
    for username, division in USERS.items():
        if username == KEEPER:
            set_password = ["users", "set-password", KEEPER, "--password-stdin"]
            current_app.test_cli_runner().invoke(args=set_password, input=PASSWORD)
        else:
            factories.user(username, division)


EMPTY, FULL, WORST, DEMO = "empty", "full", "worst", "3,030 rows"
DATA = {EMPTY: accounts_alone, FULL: full_lists, WORST: the_worst_texts, DEMO: the_demo}
"""What fills each database, by its name."""

"""Fill an empty database with demo accounts, real stock lists, a fleet and assets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from itertools import groupby

from app import dates
from app.accounts import queries
from app.accounts.services import users
from app.assets.queries import moves, register
from app.assets.queries.register import AssetFilters
from app.assets.rules.assets import AssetUpdate
from app.assets.services.lists import set_assets
from app.assets.services.moves import PastMove, record_moves
from app.divisions import Division
from app.errors import Conflict
from app.fleet.queries import checks as fleet_checks
from app.fleet.queries import vehicles as fleet
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services.checks import SubmittedCheck, plan_check, review_check, submit_check
from app.fleet.services.lists import import_vehicles
from app.fleet.services.pictures import Picture
from app.stock.queries import books
from app.stock.services.history import PastEntry


@dataclass(frozen=True)
class DemoAccount:
    """An account of the demo; its password is no secret."""

    username: str
    password: str
    divisions: tuple[Division, ...]


@dataclass(frozen=True)
class PastChange:
    """What a vehicle was since a day."""

    on: date
    state: VehicleState


@dataclass(frozen=True)
class PastCheck:
    """A check that was submitted on its day; one with a remark was reviewed."""

    check: SubmittedCheck
    pictures: Sequence[Picture]
    remark: str


@dataclass(frozen=True)
class PastAssetMove:
    """A move of an asset, and who told of it; '' is the terminal."""

    username: str
    move: PastMove


ACCOUNTS = (
    DemoAccount("keeper", "keeper-demo-2026", (Division.GFM,)),
    DemoAccount("manager", "manager-demo-2026", tuple(Division)),
)


def is_in_use() -> bool:
    """Tell whether there is anything in the database that the demo could disturb."""
    return holds_stock() or holds_fleet() or holds_assets() or bool(queries.all_users())


def holds_stock() -> bool:
    """Tell whether there are items or ledger entries."""
    return any(books.book_totals())


def holds_fleet() -> bool:
    """Tell whether there are vehicles or checks."""
    has_vehicles = any(fleet.plates(fleet_list) for fleet_list in FleetList)
    return has_vehicles or bool(fleet_checks.plates_checked())


def holds_assets() -> bool:
    """Tell whether there are assets or moves of them."""
    return bool(register.totals(AssetFilters()).assets or moves.latest_moves(1))


def missing_accounts() -> Sequence[DemoAccount]:
    """Return the demo accounts that aren't there; all of them in an empty database.

    Raises Conflict where real accounts, stock, a fleet or assets exist.
    """
    present = {user.username for user in queries.all_users()}
    if present - {account.username for account in ACCOUNTS}:
        raise Conflict("This database has real accounts; demo data is for an empty one.")
    if not present and is_in_use():
        raise Conflict(
            "This database holds stock, vehicles or assets; demo data is for an empty one."
        )
    return [account for account in ACCOUNTS if account.username not in present]


def create_accounts(accounts: Sequence[DemoAccount]) -> None:
    """Create demo accounts."""
    for account in accounts:
        users.create_user(account.username, account.password, account.divisions, ())


def fill_fleet(changes: Sequence[PastChange], checks: Sequence[PastCheck]) -> None:
    """Let vehicles come, change and be checked, day by day as it happened."""
    manager = next(u.id for u in queries.all_users() if u.username == ACCOUNTS[-1].username)
    past: list[PastChange | PastCheck] = [*changes, *checks]
    for happened in sorted(past, key=_day_of):
        if isinstance(happened, PastChange):
            import_vehicles(FleetList.VEHICLES, [happened.state], by=None)
            continue
        plan = plan_check(happened.check, by=manager)
        check = submit_check(plan, happened.pictures, by=manager)
        if happened.remark:
            review_check(check.check_id, remark=happened.remark, by=manager)


def fill_assets(updates: Sequence[AssetUpdate], past: Sequence[PastAssetMove]) -> None:
    """Put assets into the register, then move them as it happened; the oldest move comes first."""
    ids = {user.username: user.id for user in queries.all_users()}
    set_assets(updates, by=None)
    for username, moved in groupby(past, key=lambda each: each.username):
        record_moves([each.move for each in moved], by=ids.get(username))


def moved_to(today: date, lines: Sequence[PastEntry]) -> Sequence[PastEntry]:
    """Move movements by whole weeks, so that the last day of them is one of the 7 before today.

    Weekdays and times of day stay.
    """
    last = max(dates.london_day(line.at) for line in lines)
    later = timedelta(weeks=((today - last).days - 1) // 7)
    return [
        replace(line, at=(line.at.astimezone(dates.LONDON) + later).astimezone(UTC))
        for line in lines
    ]


def _day_of(happened: PastChange | PastCheck) -> date:
    return happened.on if isinstance(happened, PastChange) else happened.check.day

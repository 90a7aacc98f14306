"""Fill an empty database with demo accounts, a fleet and assets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from functools import partial
from itertools import groupby
from operator import itemgetter

from app import dates
from app.accounts import queries
from app.assets.queries import moves, register
from app.assets.rules import AssetUpdate
from app.assets.services.moves import PastMove, record_moves
from app.assets.services.register import set_assets
from app.demo.services.story import StoryStep, moment
from app.directory import queries as directory
from app.directory.rules import KeyState
from app.directory.services import keys
from app.directory.services.keys import PastHandover
from app.divisions import Division, Role, Store
from app.errors import Conflict
from app.fleet.queries import checks as fleet_checks
from app.fleet.queries import vehicles as vehicle_queries
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.vehicles import FleetList, VehicleState
from app.fleet.services.checks import plan_check, review_check, submit_check
from app.fleet.services.lists import import_vehicles
from app.lists import ListChange
from app.photos.services.photos import Picture
from app.stock.queries import books, levels
from app.stock.rules.filters import StockFilters
from app.stock.rules.movements import StockLine
from app.stock.services import movements
from app.stock.services.history import PastEntry
from app.views.rules import ViewState
from app.views.services import save_view


@dataclass(frozen=True)
class DemoAccount:
    """An account of the demo; its password is no secret. Without roles it has whole divisions."""

    username: str
    password: str
    divisions: tuple[Division, ...]
    roles: tuple[Role, ...] = ()


@dataclass(frozen=True, eq=False)
class PastCheck:
    """A check that is submitted on its day, and reviewed if it has a remark."""

    check: SubmittedCheck
    pictures: Sequence[Picture]
    remark: str


KEEPER = DemoAccount("keeper", "keeper-demo-2026", (Division.GFM,))
MANAGER = DemoAccount("manager", "manager-demo-2026", tuple(Division))
VIEWER = DemoAccount("viewer", "viewer-demo-2026", tuple(Division), (Role.VIEWER,))
ACCOUNTS = (KEEPER, MANAGER, VIEWER)

TAKEN = (2, 1, 4, 3, 2)
"""How many of each of some items a demo account withdraws."""


def is_in_use() -> bool:
    """Return whether the database has anything that the demo could disturb."""
    return has_stock() or has_fleet() or has_assets() or bool(queries.all_users())


def has_stock() -> bool:
    """Return whether any items or ledger entries exist."""
    return any(books.book_totals())


def has_fleet() -> bool:
    """Return whether any vehicles or checks exist."""
    has_vehicles = bool(vehicle_queries.plates(limit=1))
    return has_vehicles or bool(fleet_checks.plates_checked(1))


def has_assets() -> bool:
    """Return whether any assets or moves exist."""
    return bool(register.totals().assets or moves.latest_moves(1))


def missing_accounts() -> Sequence[DemoAccount]:
    """Return the demo accounts that don't exist yet; all of them in an empty database.

    Raises Conflict when real accounts, stock, a fleet or assets exist.
    """
    existing = {user.username for user in queries.all_users()}
    if existing - {account.username for account in ACCOUNTS}:
        raise Conflict("This database has real accounts; demo data is for an empty one.")
    if not existing and is_in_use():
        raise Conflict(
            "This database holds stock, vehicles or assets; demo data is for an empty one."
        )
    return [account for account in ACCOUNTS if account.username not in existing]


def user_ids() -> Mapping[str, int]:
    """Return the ids of the accounts by their names."""
    return {user.username: user.id for user in queries.all_users()}


def save_views() -> None:
    """Save a view that GFM shares, and one that is the keeper's own."""
    by = user_ids()[KEEPER.username]
    save_view(
        ViewState("Low at Main", Division.GFM), path="/inventory/main", query="level=low", by=by
    )
    save_view(ViewState("My last 7 days"), path="/history", query="range=last-7-days", by=by)


def fleet_steps(
    changes: Iterable[VehicleState], checks: Sequence[PastCheck], *, today: date, by: int
) -> Iterator[StoryStep]:
    """Yield how vehicles are added, changed, and checked; one with a remark is reviewed."""
    for state in changes:
        do = partial(import_vehicles, FleetList.VEHICLES, [state], by=None)
        yield StoryStep(state.last_event_at or dates.utc_now(), do)
    saved: dict[PastCheck, int] = {}

    def submit(past: PastCheck) -> None:
        plan = replace(plan_check(past.check, by=by), pictures=past.pictures)
        saved[past] = submit_check(plan, by=by).check_id

    def review(past: PastCheck) -> None:
        review_check(saved[past], remark=past.remark, by=by)

    for number, past in enumerate(checks):
        days_ago = (today - past.check.day).days
        clock = f"{6 + number % 3:02}:{number * 17 % 60:02}"
        yield StoryStep(moment(today, days_ago, clock), partial(submit, past))
        if past.remark:
            yield StoryStep(moment(today, days_ago, "16:40"), partial(review, past))


def fill_keys(imported: Sequence[KeyState], past: Iterable[PastHandover]) -> ListChange:
    """Add keys that nobody has, and hand them over, oldest first."""
    change = keys.set_keys([replace(key, holder="") for key in imported], by=None)
    for handover in past:
        key = directory.key_labelled(handover.label)
        if key is not None:
            before, after = key.holder, handover.holder
            keys.hand_over(key.id, after, holder_before=before, by=None, at=handover.at)
    return change


def fill_assets(assets: Sequence[AssetUpdate], past: Iterable[tuple[str, PastMove]]) -> None:
    """Add assets to the register and record their users' moves, oldest first."""
    ids = user_ids()
    set_assets(assets, by=None)
    for username, of_user in groupby(past, key=itemgetter(0)):
        record_moves([move for _, move in of_user], by=ids.get(username))


def take_stock(store: Store, account: DemoAccount, team: str) -> None:
    """Let an account withdraw some of five items today, and all of one."""
    user_id = user_ids()[account.username]
    rows = levels.load_rows(store, StockFilters(), "d", 20).rows
    items = [row for row in rows if row.amount > len(TAKEN)]
    for row, quantity in zip(items, (*TAKEN, items[len(TAKEN)].amount), strict=False):
        line = StockLine(row.id, quantity)
        movements.withdraw(store, [line], team=team, on=dates.today(), by=user_id)


def shift_to(today: date, lines: Sequence[PastEntry]) -> Sequence[PastEntry]:
    """Shift movements by whole weeks, so that the last one is within the 7 days before today.

    Weekdays and times of day stay.
    """
    last = max(dates.london_day(line.at) for line in lines)
    shift = timedelta(weeks=((today - last).days - 1) // 7)
    return [
        replace(line, at=(line.at.astimezone(dates.LONDON) + shift).astimezone(UTC))
        for line in lines
    ]

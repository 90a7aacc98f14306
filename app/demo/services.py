"""Fill an empty database with demo accounts and real stock lists."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta

from app import dates
from app.accounts import queries, services
from app.divisions import Division
from app.errors import Conflict
from app.stock.queries import books
from app.stock.services.history import PastMovement


@dataclass(frozen=True)
class DemoAccount:
    """An account of the demo; its password is no secret."""

    username: str
    password: str
    divisions: tuple[Division, ...]


ACCOUNTS = (
    DemoAccount("keeper", "keeper-demo-2026", (Division.GFM,)),
    DemoAccount("manager", "manager-demo-2026", tuple(Division)),
)


def is_in_use() -> bool:
    """Tell whether there is anything in the database that the demo could disturb."""
    return holds_stock() or bool(queries.all_users())


def holds_stock() -> bool:
    """Tell whether there are items or ledger entries."""
    return any(books.book_totals())


def missing_accounts() -> Sequence[DemoAccount]:
    """Return the demo accounts that aren't there; all of them in an empty database.

    Raises Conflict where real accounts or stock exist.
    """
    present = {user.username for user in queries.all_users()}
    if present - {account.username for account in ACCOUNTS}:
        raise Conflict("This database has real accounts; demo data is for an empty one.")
    if not present and is_in_use():
        raise Conflict("This database holds stock; demo data is for an empty one.")
    return [account for account in ACCOUNTS if account.username not in present]


def create_accounts(accounts: Sequence[DemoAccount]) -> None:
    """Create demo accounts."""
    for account in accounts:
        services.create_user(account.username, account.password, account.divisions, ())


def moved_to(today: date, lines: Sequence[PastMovement]) -> Sequence[PastMovement]:
    """Move movements by whole weeks, so that the last day of them is one of the 7 before today.

    Weekdays and times of day stay.
    """
    last = max(dates.london_day(line.at) for line in lines)
    later = timedelta(weeks=((today - last).days - 1) // 7)
    return [
        replace(line, at=(line.at.astimezone(dates.LONDON) + later).astimezone(UTC))
        for line in lines
    ]

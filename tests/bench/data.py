"""The data of the benchmark: the real stock lists, and 29,600 lines of history made of them."""

from datetime import timedelta

from flask import Flask

from app.db import transaction
from app.demo.cli import DATA
from app.divisions import Division, Site, Store
from app.stock.schemas.files import read_stock
from app.stock.schemas.history_files import read_history
from app.stock.services.history import PastMovement, add_history
from app.stock.services.lists import set_stock
from tests import factories
from tests.bench.calls import Session
from tests.person import Person

YEARS = 8


def fill(app: Flask) -> Session:
    """Fill a database, and sign somebody in."""
    with app.app_context():
        factories.user("keeper")
        for site in Site:
            wanted, keeps_unit = read_stock(DATA / f"gfm-{site}-stock.csv")
            with transaction():
                set_stock(Store(Division.GFM, site), wanted, reason="Bench", keeps_unit=keeps_unit)
        past = read_history(DATA / "gfm-history.csv", Division.GFM)
        lines = [_years_before(line, years) for years in range(YEARS) for line in past.rows]
        with transaction():
            add_history(Division.GFM, lines, known=past.known)
    person = Person(app)
    person.sign_in("keeper")
    token = person.open("/change-password").fields()["csrf_token"]
    cookie = person.client.get_cookie("session")
    assert cookie is not None
    # Served in production, the cookie has a name of its own.
    return Session(f"session={cookie.value}; __Host-session={cookie.value}", token)


def _years_before(line: PastMovement, years: int) -> PastMovement:
    return PastMovement(
        line.at - timedelta(days=365 * years),
        line.event,
        line.item,
        line.amount,
        line.team,
        line.detail,
        line.unit_price,
        line.total_price,
        line.site,
    )

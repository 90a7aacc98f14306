"""What tests put into a database before they begin."""

from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Any

from app import dates
from app.accounts import services as accounts
from app.db import db, transaction
from app.divisions import Division, Site, Store
from app.fleet.models import Photo, PhotoUpload
from app.fleet.services import checks
from app.fleet.services.checks import Draft, SentPhoto
from app.stock.models import Item
from app.stock.queries import levels
from app.stock.rules.operations import ItemState
from app.stock.services import history
from app.stock.services import lists as services
from app.stock.services.history import Known, PastMovement
from tests.person import PASSWORD

MAIN = Store(Division.GFM, Site.MAIN)
GUILDFORD = Store(Division.GFM, Site.GUILDFORD)
GPM = Store(Division.GPM, Site.MAIN)
DAY = date(2026, 1, 15)


def user(username: str = "keeper", *divisions: Division, scopes: Sequence[str] = ()) -> int:
    """Make an account, of GFM unless other divisions or scopes are named; returns its id."""
    held = divisions or (() if scopes else (Division.GFM,))
    with transaction():
        return accounts.create_user(username, PASSWORD, held, scopes).id


def item(
    name: str = "Red heart",
    amount: int = 10,
    *,
    store: Store = MAIN,
    category: str = "",
    unit_price: int = 250,
    unit: str = "pcs",
) -> int:
    """Put one item into stock; returns its id."""
    return items(
        [(name, amount)], store=store, category=category, unit_price=unit_price, unit=unit
    )[0]


def items(
    wanted: Sequence[tuple[str, int]],
    *,
    store: Store = MAIN,
    category: str = "",
    unit_price: int = 250,
    unit: str = "pcs",
) -> list[int]:
    """Put items into stock; returns their ids."""
    states = [ItemState(None, name, amount, category, unit_price, unit) for name, amount in wanted]
    with transaction():
        services.set_stock(store, states, reason="Test", keeps_unit=False)
    return [found(store, name).id for name, _ in wanted]


def past(*lines: PastMovement, division: Division = Division.GFM) -> None:
    """Put lines of old history into a division."""
    with transaction():
        history.add_history(division, lines, known=Known())


def found(store: Store, name: str) -> Item:
    """Read an item anew by its name."""
    db.session.rollback()
    item = levels.item_named(store, name)
    assert item is not None, name
    return item


def amount(name: str, store: Store = MAIN) -> int:
    """Read an item's amount anew."""
    return found(store, name).amount


def check(reg: str = "LK19 VTE", *, by: int = 1, photos: Sequence[str] = (), **values: Any) -> int:
    """Submit a check with photos of these names; returns its id."""
    with transaction():
        sent = [SentPhoto(name, sent_photo(name, by=by)) for name in photos]
        draft = {"odometer": 48_210, "day": DAY, "items": {}, "photos": sent} | values
        return checks.submit_check(Draft(reg=reg, **draft), by=by).check_id


def sent_photo(name: str, *, by: int) -> str:
    """Note in a transaction that somebody has sent a photo; returns the id it is claimed by."""
    kept, sent = (sha256(f"{name} {what}".encode()).hexdigest() for what in ("kept", "sent"))
    now = dates.utc_now()
    if db.session.get(Photo, kept) is None:
        db.session.add(Photo(hash=kept, size=1, width=1, height=1, stored_at=now))
        db.session.flush()
    found = db.session.query(PhotoUpload).filter_by(user_id=by, sent_hash=sent).count()
    if not found:
        db.session.add(PhotoUpload(user_id=by, sent_hash=sent, photo_hash=kept, sent_at=now))
        db.session.flush()
    return sent

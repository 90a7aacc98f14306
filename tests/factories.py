"""Functions that add data for tests."""

from collections.abc import Callable, Sequence
from datetime import date
from io import BytesIO
from typing import Any, TypeVar

from PIL import Image

from app import dates
from app.accounts.services import users as accounts
from app.assets.rules import AssetState, AssetUpdate
from app.assets.services import register
from app.attachments.services import add_attachments, prepare_files
from app.db import db, transaction
from app.defects.models import Defect
from app.defects.services import defects
from app.defects.services.defects import DefectReport
from app.deliveries import services as deliveries
from app.deliveries.rules import DeliveryOrder
from app.deliveries.services import receipts
from app.directory.rules import DirectoryList, KeyState, NameState
from app.directory.services import keys as directory_keys
from app.directory.services import names as directory_names
from app.divisions import Division, Role, Site, Store
from app.events.rules import EventKind
from app.events.services import record_event
from app.fleet.models import Vehicle
from app.fleet.rules.check_answers import SubmittedCheck
from app.fleet.rules.findings import Severity
from app.fleet.rules.vehicles import FleetList, plate_key
from app.fleet.services import checks
from app.imports.acts import all_targets
from app.imports.queries import find_draft, header_hash
from app.imports.services import drafts, imports
from app.photos.services.contents import DOCUMENT, PHOTO, read_document
from app.photos.services.photos import prepare_picture
from app.sent_files import SentFile
from app.stock.models import Item
from app.stock.queries import levels
from app.stock.queries.locks import lock_past_items
from app.stock.rules.items import ItemState
from app.stock.rules.levels import LevelState
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Add, Operation
from app.stock.services import history, movements
from app.stock.services import items as services
from app.stock.services.history import PastEntry, PastHistory
from app.stock.services.ledger import OperationDetails, Step, record_operation
from app.stock.services.levels import set_level
from app.tables.columns import Choices
from app.versions import increment_version
from app.views import services as view_services
from app.views.rules import ViewState
from tests.person import PASSWORD

Made = TypeVar("Made")

MAIN = Store(Division.GFM, Site.MAIN)
GUILDFORD = Store(Division.GFM, Site.GUILDFORD)
GPM = Store(Division.GPM, Site.MAIN)
DAY = date(2026, 1, 15)


def do(service: Callable[..., Made], *values: Any, **details: Any) -> Made:
    """Run a service in a transaction of its own; returns its result."""
    with transaction():
        return service(*values, **details)


def user(
    username: str = "keeper",
    *divisions: Division,
    scopes: Sequence[str] = (),
    roles: Sequence[Role] = (),
) -> int:
    """Create a user, of GFM unless divisions or scopes are given; returns their id.

    Without `roles` they are worker and manager.
    """
    granted = divisions or (() if scopes else (Division.GFM,))
    with transaction():
        return accounts.create_user(username, PASSWORD, granted, scopes, roles).id


def item(name: str = "Red heart", amount: int = 10, **values: Any) -> int:
    """Add an item to stock; returns its id."""
    return items([(name, amount)], **values)[0]


def level(item_id: int, *, store: Store = MAIN, **values: Any) -> None:
    """Set the minimum and target of an item that has none yet."""
    with transaction():
        set_level(store, item_id, LevelState(**values), revision=0, by=None)


def items(
    entries: Sequence[tuple[str, int]],
    *,
    store: Store = MAIN,
    category: str = "",
    unit_price: int = 250,
    unit: str = "pcs",
) -> list[int]:
    """Add items to stock; returns their ids."""
    states = [ItemState(None, name, amount, category, unit_price, unit) for name, amount in entries]
    with transaction():
        services.set_stock(store, states, reason="Test")
    return [read_item(store, name).id for name, _ in entries]


def record(store: Store, *operations: Operation, **details: Any) -> int:
    """Record the changes of a store's items as one operation; returns its id."""
    ids = {operation.item_id for operation in operations if not isinstance(operation, Add)}
    with transaction():
        stock = lock_past_items([store], ids)
        step = Step(store, operations)
        return record_operation(stock, [step], OperationDetails(**details)).id


def move(item: int, change: int, *, store: Store = MAIN, team: str = "", on: date = DAY) -> None:
    """Deliver a quantity of an item, or withdraw it if it is negative."""
    service = movements.deliver if change > 0 else movements.withdraw
    with transaction():
        service(store, [StockLine(item, abs(change))], team=team, on=on, by=1)


def order(item: str = "Red heart", amount: int = 5, **values: Any) -> DeliveryOrder:
    """Return an order of GPM with defaults; keyword values replace them."""
    defaults: dict[str, Any] = {
        "unit_cost": 250,
        "supplier": "Glass & Co",
        "office": Site.MAIN,
        "ordered_by": "Ann",
        "ordered_on": dates.today(),
    }
    return DeliveryOrder(item, amount, **(defaults | values))


def delivery(
    item: str = "Red heart", amount: int = 5, division: Division = Division.GPM, **values: Any
) -> int:
    """Schedule a delivery; returns its id."""
    with transaction():
        return deliveries.schedule(division, order(item, amount, **values), by=None).id


def cancelled(
    item: str = "Red heart", amount: int = 5, division: Division = Division.GPM, **values: Any
) -> int:
    """Schedule a delivery and cancel it; returns its id."""
    scheduled = delivery(item, amount, division, **values)
    with transaction():
        deliveries.cancel(division, scheduled, cancel_reason="Out of stock", by=None)
    return scheduled


def delivered(
    item: str = "Red heart", amount: int = 5, division: Division = Division.GPM, **values: Any
) -> int:
    """Schedule a delivery and mark it delivered; returns its id."""
    scheduled = delivery(item, amount, division, **values)
    with transaction():
        receipts.mark_delivered(division, scheduled, confirmation=None, recipient=None, by=None)
    return scheduled


def add_history(*lines: PastEntry, division: Division = Division.GFM) -> None:
    """Add entries of old history to a division."""
    with transaction():
        history.add_history(division, PastHistory(lines))


def team(name: str = "Kitchen") -> int:
    """Add a team; returns its id."""
    return _entry(DirectoryList.TEAMS, name)


def supplier(name: str = "Glass & Co", lead_days: int | None = None) -> int:
    """Add a supplier; returns its id."""
    return _entry(DirectoryList.SUPPLIERS, name, lead_days=lead_days)


def service(name: str = "Window cleaning", description: str = "") -> int:
    """Add a service; returns its id."""
    return _entry(DirectoryList.SERVICES, name, description=description)


def key(code: str = "K1", *, name: str = "", holder: str = "", notes: str = "") -> None:
    """Add or replace a key."""
    with transaction():
        directory_keys.set_keys([KeyState(code, name, holder, notes)], by=None)


def view(
    owner: int,
    name: str = "Hearts",
    path: str = "/inventory/main",
    query: str = "q=heart",
    division: Division | None = None,
) -> int:
    """Save a view of a list; returns its id."""
    with transaction():
        values = ViewState(name, division)
        return view_services.save_view(values, path=path, query=query, by=owner).id


def directory(size: int) -> None:
    """Add `size` teams, services and keys to GPM's directory."""
    numbers = range(size)
    services_ = [NameState(f"Service {n:03d}", "What it is, in a line of text") for n in numbers]
    keys = [KeyState(f"K{n:03d}", f"Room {n}", f"Team {n:03d}", "Ask first") for n in numbers]
    teams = [NameState(f"Team {n:03d}") for n in numbers]
    with transaction():
        directory_names.set_names(DirectoryList.TEAMS, teams)
        directory_names.set_names(DirectoryList.SERVICES, services_)
        directory_keys.set_keys(keys, by=None)


def _entry(list_name: DirectoryList, name: str, **details: Any) -> int:
    with transaction():
        return directory_names.add(list_name, NameState(name, **details)).id


def read_item(store: Store, name: str) -> Item:
    """Return an item by its name, read again from the database."""
    db.session.rollback()
    item = levels.find_item(store, name)
    assert item is not None, name
    return item


def amount(name: str, store: Store = MAIN) -> int:
    """Return an item's amount, read again from the database."""
    return read_item(store, name).amount


def photo(by: int, colour: str = "red", size: tuple[int, int] = (64, 48)) -> str:
    """Store a photo that a user uploaded; returns its hash."""
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, "JPEG")
    picture = prepare_picture(file.getvalue())
    PHOTO.store(picture)
    with transaction():
        return PHOTO.save(picture, by=by).id


def document(by: int, data: bytes) -> str:
    """Store a document that a user uploaded; returns its hash."""
    sent = read_document(data)
    DOCUMENT.store(sent)
    with transaction():
        return DOCUMENT.save(sent, by=by).id


def attach(files: Sequence[SentFile], *, by: int, kind: str = "defect", to: int = 1) -> list[int]:
    """Attach files to a record; returns the ids of the attachments."""
    prepared = prepare_files(files, by=by)
    with transaction():
        return list(add_attachments(kind, to, prepared, by=by))


def vehicle(reg: str = "LK19 VTE", *, vans: bool = False, **values: Any) -> int:
    """Add a vehicle to a list, without history; returns its id."""
    fleet_list = FleetList.VANS if vans else FleetList.VEHICLES
    with transaction():
        row = Vehicle(fleet_list=fleet_list, reg=reg, reg_key=plate_key(reg), **values)
        db.session.add(row)
        db.session.flush()
        record_event(EventKind.VEHICLE_ADDED, "vehicle", row.reg_key, division=Division.FLEET)
        increment_version(fleet_list)
        return row.id


def check(reg: str = "LK19 VTE", *, by: int = 1, photos: Sequence[str] = (), **values: Any) -> int:
    """Submit a check with photos of these names; returns its id."""
    submitted = [SentFile(name, photo(by)) for name in photos]
    with transaction():
        fields = {"odometer": 48_210, "day": DAY, "items": {}, "photos": submitted} | values
        plan = checks.plan_check(SubmittedCheck(reg=reg, **fields), by=by)
        return checks.submit_check(plan, by=by).check_id


def defect(reg: str, part: str, severity: Severity | None = Severity.REPAIR) -> Defect:
    """Report a defect of a vehicle's part; returns it."""
    with transaction():
        report = DefectReport(reg, part, f"{part} cracked", severity, day=DAY)
        return defects.open_defect(report, by=None)


def asset(item: str = "Desk", **values: Any) -> int:
    """Add an asset to the register; returns our own id of it."""
    with transaction():
        return register.add_asset(AssetState(item, **values)).number


def assets(entries: Sequence[AssetState]) -> None:
    """Add many assets to the register."""
    with transaction():
        updates = [AssetUpdate(state.id, {**vars(state)}) for state in entries]
        register.set_assets(updates, by=None)


def draft(
    text: str,
    *,
    by: int,
    target: str = "assets",
    name: str = "list.csv",
    columns: Sequence[str] = (),
) -> int:
    """Bring a file for a list, and compare it by these or its own columns; returns its id."""
    names = text.partition("\n")[0].split(",")
    with transaction():
        kept = drafts.keep_file(target, file=drafts.read_file(name, text.encode()), by=by)
    if columns:
        choices = Choices(header=1, columns=dict(zip(names, columns, strict=True)))
        options = {"file": None, "choices": choices, "header": header_hash(names), "revision": 0}
        with transaction():
            drafts.choose_columns(target, kept.id, **options)
    found = find_draft(all_targets()[target], kept.id, by=by, is_manager=True)
    look = imports.check(found).look
    with transaction():
        imports.keep_look(found, look)
    return kept.id


def apply_draft(draft_id: int, *, by: int, target: str = "assets") -> int:
    """Apply a file that was compared, without its refused rows; returns the import's id."""
    found = find_draft(all_targets()[target], draft_id, by=by, is_manager=True)
    checked = imports.check(found)
    with transaction():
        return imports.apply(target, draft_id, checked=checked, by=by).id

"""What each change of a feature records."""

from datetime import UTC, datetime

import pytest

from app import dates
from app.accounts.services import users
from app.assets.rules import AssetState, AssetUpdate
from app.assets.services import moves, register
from app.assets.services.moves import undo_move
from app.db import transaction
from app.deliveries import services as deliveries
from app.deliveries.services import receipts
from app.directory.rules import DirectoryList, KeyState
from app.directory.services import keys, names
from app.directory.services.keys import PastHandover
from app.divisions import Division, Role, Site
from app.events import queries
from app.fleet.rules.templates import BUILT_IN
from app.fleet.rules.vehicles import CHECK_TEMPLATES, FleetList, VehicleState
from app.fleet.services import checks as check_services
from app.fleet.services import lists as vehicle_lists
from app.fleet.services import vehicles
from app.stock.rules.history import HistoryEvent
from app.stock.rules.items import ItemState
from app.stock.rules.movements import StockLine
from app.stock.services import items, movements
from app.stock.services.history import PastEntry
from app.stock.services.movements import undo
from app.versions import version_of
from tests import factories
from tests.factories import DAY, GPM, MAIN

pytestmark = pytest.mark.usefixtures("context")


@pytest.fixture
def by(in_app):
    return in_app(factories.user, "keeper", *Division)


@pytest.fixture
def events_after(by):
    """Return a function that runs a change in its transaction and returns the new events."""

    def events_after(change, *arguments, **details):
        before = len(list(queries.all_events()))
        with transaction():
            change(*arguments, **details)
        return list(queries.all_events())[before:]

    return events_after


@pytest.fixture
def event_after(events_after):
    """Return a function that returns the one event of a change: kind, subject, before, after."""

    def event_after(change, *arguments, **details):
        (event,) = events_after(change, *arguments, **details)
        return event.kind, f"{event.subject_kind} {event.subject_id}", event.before, event.after

    return event_after


def test_an_event_has_who_when_where_and_through_what(by, events_after):
    (heart,) = factories.items([("Red heart", 50)])
    started = dates.utc_now()
    line = [StockLine(heart, 8)]
    (event,) = events_after(movements.withdraw, MAIN, line, team="Kitchen", on=DAY, by=by)
    assert started <= event.at <= datetime.now(UTC)
    assert (event.division, event.actor_id, event.channel) == (Division.GFM, by, "terminal")
    assert event.request_id is None


def test_changes_of_stock(by, event_after):
    heart, mug = factories.items([("Red heart", 50), ("Mug", 4)])
    move = {"team": "Kitchen", "on": DAY, "by": by}
    sites = {"sites": ["main"]}
    assert event_after(movements.withdraw, MAIN, [StockLine(heart, 8)], **move) == (
        "stock.withdrawn",
        "operation 2",
        {"amount": 50},
        {"item": heart, "amount": 42} | sites,
    )
    lines = [StockLine(heart, 8), StockLine(mug, 1)]
    assert event_after(movements.deliver, MAIN, lines, **move) == (
        "stock.delivered",
        "operation 3",
        None,
        {"lines": 2, "units_in": 9, "units_out": 0} | sites,
    )
    moved = event_after(
        movements.transfer, MAIN, [StockLine(mug, 2)], destination=Site.GUILDFORD, **move
    )
    assert moved[0] == "stock.transferred"
    assert moved[3] == {"sites": ["main", "guildford"], "lines": 2, "units_in": 2, "units_out": 2}
    assert event_after(undo, Division.GFM, 3, by=by)[::3] == (
        "stock.undone",
        {"undoes": 3, "lines": 2, "units_in": 0, "units_out": 9} | sites,
    )


def test_changes_of_an_item(by, event_after):
    new = ItemState(None, "Cup", 3, unit_price=250)
    kind, _, before, after = event_after(items.add_item, MAIN, new, based_on=None, by=by)
    assert (kind, before["amount"], after["amount"]) == ("stock.item_added", 0, 3)
    changed = {"name": "Glass", "unit_price": 300, "revision": 0, "by": by}
    assert event_after(items.edit_item, MAIN, after["item"], **changed) == (
        "stock.item_edited",
        "operation 2",
        {"amount": 3, "name": "Cup", "unit_price": 250},
        {"sites": ["main"], "item": 1, "amount": 3, "name": "Glass", "unit_price": 300},
    )
    removed = event_after(items.remove_item, MAIN, after["item"], based_on=3, by=by)
    assert removed[0] == "stock.item_removed"


def test_whole_lists_and_imports_are_one_event_each(by, event_after):
    listed = [ItemState(None, f"Item {n}", n) for n in range(1, 201)]
    assert event_after(items.set_stock, MAIN, listed, reason="Import", keeps=["unit"]) == (
        "stock.imported",
        "operation 1",
        None,
        {"sites": ["main"], "lines": 200, "units_in": 20_100, "units_out": 0},
    )
    replaced = {"versions": [1], "on": DAY, "by": by}
    kind, _, _, after = event_after(items.replace_stock, MAIN, listed[:150], **replaced)
    assert (kind, after["lines"]) == ("stock.replaced", 50)
    states = [VehicleState(f"AB{n} CDE", status="In use") for n in range(10, 30)]
    assert event_after(vehicle_lists.import_vehicles, FleetList.VEHICLES, states, by=by) == (
        "vehicles.imported",
        "list vehicles",
        None,
        {"added": 20},
    )
    replace = vehicle_lists.replace_vehicles
    versions = [version_of("vehicles") + version_of("vans")]
    replaced = event_after(replace, FleetList.VEHICLES, states[:5], versions=versions, by=by)
    assert replaced[::3] == ("vehicles.replaced", {"unchanged": 5, "removed": 15})


def test_a_list_that_changes_nothing_has_no_event(by, events_after):
    listed = [ItemState(None, "Cup", 3)]
    for _ in range(2):
        events = events_after(items.set_stock, MAIN, listed, reason="Import", keeps=["unit"])
    assert events == []


def test_old_history_and_the_settings_of_a_site(event_after):
    line = PastEntry(dates.utc_now(), HistoryEvent.WITHDRAWAL, "Old mug", 3)
    factories.add_history(line)
    (event,) = queries.latest_events(1)
    assert (event.kind, event.subject_id, event.after) == (
        "stock.history_imported",
        "1",
        {"lines": 1},
    )
    assert event_after(items.offer_count, MAIN, is_offered=False)[0] == "stock.check_hidden"
    assert event_after(items.offer_count, MAIN, is_offered=True)[0] == "stock.check_offered"


def test_a_delivery_from_the_order_to_the_stock(by, events_after, event_after):
    factories.item("Cup", 1, store=GPM)
    order = factories.order("Cup", 5, ordered_by="Ann Smith")
    kind, subject, _, after = event_after(deliveries.schedule, Division.GPM, order, by=by)
    assert (kind, subject) == ("delivery.scheduled", "delivery 1")
    assert (after["item"], after["supplier"], after["office"]) == ("Cup", "Glass & Co", "main")
    changed = factories.order("Cup", 6, ordered_by="Bob Smith")
    assert event_after(deliveries.edit, Division.GPM, 1, changed, revision=None, by=by)[::3] == (
        "delivery.edited",
        {"amount": 6, "other_fields": ["ordered_by"]},
    )
    assert event_after(
        deliveries.note_delivery, Division.GPM, 1, confirmation="DN 7", recipient="Ann Smith"
    )[::3] == ("delivery.noted", {"other_fields": ["confirmation", "recipient"]})
    cancelled = event_after(deliveries.cancel, Division.GPM, 1, cancel_reason="Ann is ill", by=by)
    assert cancelled[0] == "delivery.cancelled"
    assert (
        event_after(deliveries.schedule_again, Division.GPM, 1, by=by)[0]
        == "delivery.scheduled_again"
    )
    stock, delivery = events_after(
        receipts.mark_delivered, Division.GPM, 1, confirmation=None, recipient=None, by=by
    )
    assert (stock.kind, delivery.kind) == ("stock.delivered", "delivery.received")
    assert delivery.after == {"operation": int(stock.subject_id)}
    undone = events_after(undo, Division.GPM, int(stock.subject_id), by=by)
    assert [event.kind for event in undone] == ["stock.undone", "delivery.scheduled_again"]
    assert undone[1].before == delivery.after
    assert not any("Smith" in str(event) for event in queries.events_of("delivery", [1]))


def test_changes_of_the_directory(by, event_after):
    factories.key("K1", holder="Kitchen")
    factories.team("Kitchen")
    assert event_after(names.rename, DirectoryList.TEAMS, "Kitchen", "Canteen") == (
        "team.renamed",
        "team 1",
        {"name": "Kitchen"},
        {"name": "Canteen", "keys": 1},
    )
    assert event_after(names.remove, DirectoryList.TEAMS, "Canteen")[0] == "team.removed"
    for list_name in (DirectoryList.TEAMS, DirectoryList.SUPPLIERS, DirectoryList.SERVICES):
        new = names.NameState("One")
        assert event_after(names.set_names, list_name, [new])[::3] == (
            f"{list_name}.imported",
            {"added": 1},
        )


def test_changes_of_keys_name_no_holder(by, event_after):
    assert event_after(keys.set_keys, [KeyState("K1"), KeyState("K2")], by=by) == (
        "keys.imported",
        "list keys",
        None,
        {"added": 2},
    )
    assert event_after(keys.hand_over, 1, "Ann", holder_before="", by=by) == (
        "key.handed_over",
        "key 1",
        {"has_holder": False},
        {"has_holder": True},
    )
    past = [PastHandover("K2", "Bob")]
    assert event_after(keys.record_handovers, past, by=by)[0] == "handovers.recorded"
    new = [keys.ListedKey(KeyState("K2"))]
    versions = [version_of("keys")]
    assert event_after(keys.replace_keys, new, versions=versions, by=by)[::3] == (
        "keys.replaced",
        {"unchanged": 1, "removed": 1},
    )
    assert event_after(keys.remove_key, "K2", by=by)[0] == "key.removed"


def test_changes_of_vehicles(by, event_after):
    new = VehicleState("LK19 VTE", status="In use", location="Ann's house")
    assert event_after(vehicles.add_vehicle, new, by=by) == (
        "vehicle.added",
        "vehicle lk19vte",
        None,
        {"reg": "LK19 VTE", "status": "In use"},
    )
    new = VehicleState("LK19 VTE", status="In repair", location="Bob's house")
    edited = event_after(vehicles.edit_vehicle, 1, new, revision=0, by=by)
    assert (edited[0], edited[2]["status"], edited[3]["status"]) == (
        *("vehicle.edited", "In use", "In repair"),
    )
    assert edited[3]["other_fields"] == ["location"]
    factories.vehicle("V1", vans=True)
    past = [vehicles.PastEvent("V1", location="Depot")]
    assert event_after(vehicles.record_van_history, past, by=by)[::3] == (
        "van_history.recorded",
        {"entries": 1, "vans": 1},
    )


def test_a_check_from_its_submission_to_its_review(by, event_after):
    check = factories.check(by=by)
    (event,) = queries.events_of("check", [check])
    assert event.kind == "check.submitted"
    assert (event.after["vehicle"], event.after["odometer"]) == ("lk19vte", 48_210)
    remark = {"remark": "Ann drove it", "by": by}
    assert event_after(check_services.review_check, check, **remark) == (
        "check.reviewed",
        f"check {check}",
        None,
        {"review": 1},
    )
    undone = event_after(check_services.undo_review, check, 1, by=by)
    assert undone[0] == "check.review_undone"
    versions = [version_of(CHECK_TEMPLATES)]
    replaced = event_after(vehicle_lists.replace_templates, BUILT_IN[:2], versions=versions)
    assert replaced[::3] == ("check_templates.replaced", {"templates": 2})


def test_changes_of_assets(by, event_after):
    desk = AssetState("Desk", id="D1", location="Depot", quantity=2)
    kind, subject, _, after = event_after(register.add_asset, desk)
    assert (kind, subject, after["item"], "location" in after) == (
        *("asset.added", "asset 1", "Desk"),
        False,
    )
    moved = AssetState("Desk", id="D1", location="Annex", quantity=3)
    kind, _, before, after = event_after(register.edit_asset, 1, moved, revision=0, by=by)
    assert (kind, before) == ("asset.edited", {"quantity": 2})
    assert after == {"quantity": 3, "other_fields": ["location"], "moves": [[1, 1]]}
    assert event_after(moves.move_assets, [1], "Depot", by=by) == (
        "assets.moved",
        "asset_move 2",
        None,
        {"assets": 1},
    )
    assert event_after(undo_move, 2, by=by)[:2] == ("asset_moves.undone", "asset_move 3")
    past = [moves.PastMove("D1", "Hall")]
    assert event_after(moves.record_moves, past, by=by)[::3] == (
        "asset_moves.recorded",
        {"moves": [[4, 4]]},
    )
    updates = [AssetUpdate("D1", {"location": "Attic"})]
    assert event_after(register.set_assets, updates, by=by)[::3] == (
        "assets.imported",
        {"changed": 1, "moves": [[5, 5]]},
    )


def test_changes_of_accounts_have_no_name_and_no_secret(by, event_after):
    created = event_after(
        users.create_user, "j.marsh", "a secret of mine", [Division.GFM], (), [Role.VIEWER]
    )
    subject = created[1]
    assert created == ("account.created", subject, None, {"grants": ["viewer of gfm"]})
    for change, arguments, kind in (
        (users.grant, ([Division.GFM], (), [Role.WORKER]), "account.granted"),
        (users.revoke, ([Division.GFM], (), [Role.VIEWER]), "account.revoked"),
        (users.disable, (), "account.disabled"),
        (users.enable, (), "account.enabled"),
        (users.set_password, ("another secret",), "account.password_changed"),
    ):
        assert event_after(change, "j.marsh", *arguments)[:2] == (kind, subject)
    events = str(queries.latest_events(100))
    assert "marsh" not in events
    assert "secret" not in events

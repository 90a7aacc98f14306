"""Results that an earlier release stored are replayed: a lost reply may be older than an update."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from app.assets.services.moves import MoveResult
from app.assets.services.register import AssetChange
from app.deliveries.services import OrderChange
from app.deliveries.services.receipts import MarkDeliveredResult
from app.directory.services.names import EntryChange
from app.fleet.services.checks import ReviewResult
from app.fleet.services.vehicles import VehicleChange
from app.idempotency import dump_record, restore_record
from app.lists import Added, ListChange
from app.stock.services.items import ItemResult
from app.stock.services.movements import MovementResult, PatchResult, UndoResult

ITEM = {"item_id": 4, "name": "Jar", "before": 10, "after": 7, "unit": "pcs"}
ITEM |= {"existed": True, "operation": 12}


@pytest.mark.parametrize(
    ("result_type", "stored"),
    [
        (AssetChange, {"number": 3, "item": "Drill"}),
        (VehicleChange, {"vehicle_id": 3, "reg": "LK19 VTE"}),
        (ReviewResult, {"check_id": 3}),
        (ItemResult, ITEM),
        (UndoResult, {"operation": 12, "lines": 2}),
        (PatchResult, {"operation": 12, "items": [["Jar", 7]]}),
        (Added, {"added": 2}),
        (ListChange, {"added": 1, "changed": 2, "unchanged": 3, "removed": 0}),
        (EntryChange, {"id": 1, "name": "Kitchen", "description": ""}),
        (EntryChange, {"id": 1, "before": "Kitchen", "name": "Canteen", "description": ""}),
        (OrderChange, {"id": 1, "item": "Jar", "amount": 4}),
        (
            MarkDeliveredResult,
            {"id": 1, "item": "Jar", "amount": 4, "before": 0, "after": 4, "operation": 9},
        ),
    ],
)
def test_a_result_stored_without_a_version_is_replayed(result_type, stored):
    result = restore_record(result_type, stored)
    restored = {name: getattr(result, name) for name in stored if hasattr(result, name)}
    assert restored == {name: value for name, value in stored.items() if name in restored}


def test_a_move_stored_under_former_names_keeps_its_counts():
    stored = {"moved": 2, "item": "Drill", "destination": "Depot", "stayed": 1, "gone": 3}
    assert restore_record(MoveResult, stored) == MoveResult(2, "Drill", "Depot", 1, 3)


@pytest.mark.parametrize(
    "stored", [ITEM, {"operation": 12, "lines": [["Jar", 10, 7]]}], ids=["dialog", "bulk"]
)
def test_a_movement_stored_by_a_dialog_or_a_bulk_update_keeps_its_amounts(stored):
    result = restore_record(MovementResult, stored)
    (item,) = result.items
    assert (result.operation, item.name, item.before, item.after) == (12, "Jar", 10, 7)


@dataclass(frozen=True)
class Count:
    item: str
    amount: int
    unit: str = "pcs"


@dataclass(frozen=True)
class UpgradedCount:
    record_version: ClassVar[int] = 2

    name: str
    amount: int

    @classmethod
    def upgrade_record(cls, version: int, values: dict[str, Any]) -> dict[str, Any]:
        return {"name": f"{values['item']} of version {version}", "amount": values["amount"]}


def test_a_record_is_stored_with_its_version_and_restored_as_it_was():
    stored = dump_record(Count("Glass", 3, "box"))
    assert stored == {"record_version": 1, "values": {"item": "Glass", "amount": 3, "unit": "box"}}
    assert restore_record(Count, stored) == Count("Glass", 3, "box")


def test_new_fields_get_their_defaults_and_dropped_ones_are_ignored():
    stored = {"record_version": 1, "values": {"item": "Glass", "amount": 3, "colour": "red"}}
    assert restore_record(Count, stored) == Count("Glass", 3)


def test_a_result_stored_before_records_had_versions_is_restored():
    assert restore_record(Count, {"item": "Glass", "amount": 3}) == Count("Glass", 3)


def test_values_of_earlier_versions_are_upgraded_and_current_ones_are_not():
    legacy = {"item": "Glass", "amount": 3}
    for version, stored in ((0, legacy), (1, {"record_version": 1, "values": legacy})):
        expected = UpgradedCount(f"Glass of version {version}", 3)
        assert restore_record(UpgradedCount, stored) == expected
    current = UpgradedCount("Glass", 3)
    assert restore_record(UpgradedCount, dump_record(current)) == current

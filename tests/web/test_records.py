"""Stored results of changes: replayed after an update of the product, whatever fields it added."""

from dataclasses import dataclass
from typing import Any, ClassVar

from app.idempotency import dump_record, restore_record


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

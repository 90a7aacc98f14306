"""Rows that are inserted or updated at once, by COPY on PostgreSQL."""

from datetime import UTC, date, datetime

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from app.db import execute, insert_rows, table_of, transaction, update_rows
from app.fleet.models import Check
from app.stock.models import LedgerEntry
from app.stock.rules.items import EntryKind
from tests import factories

pytestmark = [
    pytest.mark.differs_by_engine,
    pytest.mark.usefixtures("context"),
    pytest.mark.writes_directly,
]

AT = datetime(2026, 7, 1, 11, 50, 7, tzinfo=UTC)


def check(number, **values):
    return {
        "reg": f"LK{number}",
        "reg_key": f"lk{number}",
        "day": date(2026, 7, 1),
        "odometer": number,
        "items": {"Damage": "None", "Seats": 5},
        "submitted_at": AT,
        "reviewed_at": None,
        "cost": 0,
        **dict.fromkeys(("notes", "search_key", "form_type", "form_label", "remark"), ""),
        **dict.fromkeys(("has_damage", "odometer_fell"), False),
        **values,
    }


def stored(model):
    columns = [column for column in table_of(model).c if column.name != "id"]
    statement = select(*columns).order_by(table_of(model).c.id)
    return [tuple(row) for row in execute(statement)]


def test_rows_are_stored_as_an_insert_of_the_model_stores_them():
    rows = [
        check(1, notes="a\tb\\N\n\\.\r\n,\"'☕", items={"Na\tme": None}),
        check(2, reviewed_at=AT, has_damage=True, remark="\\N"),
        check(3, items={}),
    ]
    with transaction():
        execute(insert(Check), rows)
        insert_rows(table_of(Check), rows)
        found = stored(Check)
    assert found[:3] == found[3:]


def test_rows_are_updated_as_an_insert_of_the_model_stores_them():
    rows = [
        check(1, notes="a\tb\r\n,\"'☕{}", items={"Na\tme": None}),
        check(2, reviewed_at=AT, has_damage=True, remark="\\N"),
    ]
    with transaction():
        execute(insert(Check), [*rows, *(check(number) for number in (3, 4, 5))])
        ids = execute(select(table_of(Check).c.id).order_by(table_of(Check).c.id)).scalars().all()
        new = zip(ids[2:4], rows, strict=True)
        update_rows(table_of(Check), [{**row, "row_id": row_id} for row_id, row in new])
        found = stored(Check)
    assert found[:2] == found[2:4]
    assert found[4][1:] != found[0][1:]


def test_columns_that_are_left_out_have_the_database_s_own_values():
    item = factories.item("Tea", 3)
    with transaction():
        first = execute(select(LedgerEntry).filter_by(item_id=item)).mappings().one()
        row = {name: first[name] for name in first if name not in ("id", "changes")}
        insert_rows(table_of(LedgerEntry), [{**row, "line": 1, "kind": EntryKind.DELIVERY}])
        _, second = stored(LedgerEntry)
        kinds = execute(select(LedgerEntry.kind, LedgerEntry.changes)).all()
    assert second[0] == row["operation_id"]
    assert kinds[1] == (EntryKind.DELIVERY, None)


def test_a_violated_constraint_is_the_error_of_any_statement():
    with pytest.raises(IntegrityError), transaction():
        insert_rows(table_of(Check), [check(1), check(2, odometer=-1)])
    with transaction():
        assert stored(Check) == []

from datetime import date

import pytest

from app.errors import Invalid
from app.vehicle_file import rules
from app.vehicle_file.rules import Amounts, Kept, RecordEntry, RecordKind, removable


def entry(kind, day=1, reg_key="a"):
    return RecordEntry(reg="A", reg_key=reg_key, day=date(2026, 3, day), kind=kind)


def test_entries_stand_by_vehicle_and_day_and_a_repair_before_its_sign_off():
    entries = [
        entry(RecordKind.CHECK, reg_key="b"),
        entry(RecordKind.CHECK, day=2),
        entry(RecordKind.SIGN_OFF),
        entry(RecordKind.REPAIR),
        entry(RecordKind.CHECK),
    ]
    assert sorted(entries, key=lambda e: (rules.place(e), rules.moment(e))) == entries[::-1]


def test_each_kind_of_entry_is_in_one_section_also_of_an_empty_record():
    entries = [entry(kind) for kind in RecordKind]
    sections = rules.sections(entries)
    kinds = sorted(e.kind for found in sections.values() for e in found)
    assert kinds == sorted(set(RecordKind) - {RecordKind.NOTHING_OPEN})
    assert set(rules.sections([])) == set(sections)


def test_texts_become_sentences():
    assert rules.sentences("Mended: D-0001", "", "  Is it?", "Fine. ") == (
        "Mended: D-0001. Is it? Fine."
    )


def test_amounts_add_up():
    assert Amounts(labour=1, parts=20, other=300, stock=4000).total == 4321


OLD, NEW = (Kept.DEFECT, 1), (Kept.DEFECT, 2)
CHECK, REPAIR = (Kept.CHECK, 1), (Kept.REPAIR, 1)


def test_old_rows_are_removable_unless_a_kept_row_refers_to_them_also_through_others():
    assert removable({OLD: True, NEW: False}, []) == {OLD}
    nodes = {NEW: False, OLD: True, REPAIR: True, CHECK: True}
    assert removable(nodes, [(NEW, OLD), (OLD, REPAIR)]) == {CHECK}
    together = {OLD: True, REPAIR: True}
    assert removable(together, [(OLD, REPAIR), (REPAIR, OLD)]) == {OLD, REPAIR}
    of_another_vehicle = (Kept.DONE, 9)
    assert removable({OLD: True}, [(of_another_vehicle, OLD)]) == frozenset()


def test_months_are_parsed_and_fewer_than_records_are_kept_are_refused():
    assert rules.parse_months("15m", least=15) == 15
    for text in ("", "15", "15d", "-1m", "1.5m", "14m", "99999m"):
        with pytest.raises(Invalid):
            rules.parse_months(text, least=15)

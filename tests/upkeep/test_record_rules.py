from datetime import date

from app.vehicle_file.rules import record
from app.vehicle_file.rules.record import Amounts, RecordEntry, RecordKind


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
    assert sorted(entries, key=lambda e: (record.place(e), record.moment(e))) == entries[::-1]


def test_each_kind_of_entry_is_in_one_section_also_of_an_empty_record():
    entries = [entry(kind) for kind in RecordKind]
    sections = record.sections(entries)
    kinds = sorted(e.kind for found in sections.values() for e in found)
    assert kinds == sorted(set(RecordKind) - {RecordKind.NOTHING_OPEN})
    assert set(record.sections([])) == set(sections)


def test_texts_become_sentences():
    assert record.sentences("Mended: D-0001", "", "  Is it?", "Fine. ") == (
        "Mended: D-0001. Is it? Fine."
    )


def test_amounts_add_up():
    assert Amounts(labour=1, parts=20, other=300, stock=4000).total == 4321

import pytest

from app.errors import Invalid
from app.vehicle_file.rules.record import Kept, parse_months, removable

OLD, NEW = (Kept.DEFECT, 1), (Kept.DEFECT, 2)
CHECK, REPAIR = (Kept.CHECK, 1), (Kept.REPAIR, 1)


def test_old_rows_are_removable_and_others_are_not():
    assert removable({OLD: True, NEW: False}, []) == {OLD}


def test_what_a_kept_row_refers_to_is_kept_also_through_others():
    nodes = {NEW: False, OLD: True, REPAIR: True, CHECK: True}
    assert removable(nodes, [(NEW, OLD), (OLD, REPAIR)]) == {CHECK}


def test_rows_that_refer_to_each_other_go_together():
    nodes = {OLD: True, REPAIR: True}
    assert removable(nodes, [(OLD, REPAIR), (REPAIR, OLD)]) == {OLD, REPAIR}


def test_what_another_vehicles_row_refers_to_is_kept():
    assert removable({OLD: True}, [((Kept.DONE, 9), OLD)]) == frozenset()


def test_months_are_parsed_and_fewer_than_records_are_kept_are_refused():
    assert parse_months("15m", least=15) == 15
    for text in ("", "15", "15d", "-1m", "1.5m", "14m", "99999m"):
        with pytest.raises(Invalid):
            parse_months(text, least=15)

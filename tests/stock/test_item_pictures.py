"""The picture of an item's last days."""

from datetime import date, timedelta

from app.stock.rules.items import EntryKind, day_labels, first_day, picture_of

TODAY = date(2026, 11, 20)


def change(days_ago, delta, kind=EntryKind.WITHDRAWAL):
    return (TODAY - timedelta(days=days_ago), kind, delta)


def test_an_unchanged_amount_is_one_straight_line():
    picture = picture_of(5, [], TODAY)
    assert picture.line == "M0 16.7H180"
    assert [label.text for label in picture.amounts] == [0, 2, 4, 6]


def test_a_change_is_a_step_at_the_noon_of_its_day():
    picture = picture_of(4, [change(89, 6, EntryKind.DELIVERY), change(0, -2)], TODAY)
    assert picture.line == "M0 100H1V0H179V33.3H180"
    assert (picture.first, picture.lowest, picture.highest, picture.latest) == (0, 0, 6, 4)


def test_the_changes_of_a_day_are_one_step_and_cancel_out():
    assert (
        picture_of(5, [change(3, -2), change(3, 2, EntryKind.DELIVERY)], TODAY).line.count("V") == 0
    )


def test_deliveries_and_stock_checks_are_marked_where_they_led():
    changes = [change(45, 10, EntryKind.DELIVERY), change(9, 0, EntryKind.COUNT), change(9, -5)]
    marks = picture_of(5, changes, TODAY).marks
    assert [(mark.meaning, mark.x, mark.y) for mark in marks] == [
        ("Delivery", 49.4, 0.0),
        ("Stock check", 89.4, 50.0),
    ]


def test_an_amount_that_the_days_of_users_put_below_0_is_drawn_as_0():
    picture = picture_of(6, [change(5, -4), change(2, 10, EntryKind.ADDITION)], TODAY)
    assert (picture.first, picture.lowest) == (0, 0)


def test_an_item_without_stock_has_an_axis_too():
    assert [label.text for label in picture_of(0, [], TODAY).amounts] == [0, 1]


def test_months_near_the_ends_have_no_label():
    assert first_day(TODAY) == date(2026, 8, 23)
    assert [label.text for label in day_labels(TODAY)] == ["23 Aug", "Oct", "Nov", "Today"]

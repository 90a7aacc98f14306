"""Money and numbers as people type and read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import money
from app.errors import Invalid


@pytest.mark.parametrize(
    ("text", "pence"),
    [
        ("2.10", 210),
        ("£1,234.50", 123450),
        ("  3 ", 300),
        (".5", 50),
        ("0.005", 1),
        ("0.0049", 0),
        ("1.115", 112),
        ("£ 4", 400),
        ("9999999.99", money.MAX_PENCE),
    ],
)
def test_pounds_are_read_into_pence_half_up(text, pence):
    assert money.parse_pounds(text) == pence


@pytest.mark.parametrize(
    "text", ["", "x", "1e3", "NaN", "Infinity", "1,23", "1.2.3", "£", ".", "-", "٣", "9" * 40]
)
def test_an_invalid_price_is_refused(text):
    with pytest.raises(Invalid, match="is not a price in pounds"):
        money.parse_pounds(text)


@pytest.mark.parametrize("text", ["-1", "−0.01", "10000000", "9" * 29])
def test_a_price_outside_its_range_is_refused(text):
    with pytest.raises(Invalid, match="Price must be"):
        money.parse_pounds(text)


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), (" 1,234 ", 1234), ("−3", -3), ("007", 7)]
)
def test_whole_numbers_are_read(text, number):
    assert money.parse_whole_number(text) == number


@pytest.mark.parametrize("text", ["", "1.0", "1e3", "12a", "1,23", "٣", "9" * 30, "--1"])
def test_an_invalid_whole_number_is_refused(text):
    with pytest.raises(Invalid, match="is not a whole number"):
        money.parse_whole_number(text)


@given(st.integers(0, money.MAX_PENCE))
def test_a_formatted_price_is_parsed_to_the_penny(pence):
    assert money.parse_pounds(money.plain_pounds(pence)) == pence
    assert money.parse_pounds(money.format_pence(pence)) == pence


@given(st.text())
def test_any_text_is_a_price_or_a_clear_refusal(text):
    try:
        assert 0 <= money.parse_pounds(text) <= money.MAX_PENCE
    except Invalid as error:
        assert error.message


def test_numbers_are_grouped_and_have_a_true_minus():
    assert money.format_number(-1234567) == "−1,234,567"
    assert money.format_pence(-123450) == "−£1,234.50"
    assert money.plain_pounds(-5) == "-0.05"


@pytest.mark.parametrize(
    ("text", "pence"), [("-7.50", -750), ("−£1,234.5", -123450), ("0", 0), ("£2.005", 201)]
)
def test_a_total_may_be_below_zero(text, pence):
    assert money.parse_total(text) == pence


@pytest.mark.parametrize("pence", [0, -1, money.MAX_AMOUNT * money.MAX_PENCE])
def test_every_total_that_can_be_written_is_read_back(pence):
    assert money.parse_total(money.plain_pounds(pence)) == pence


@pytest.mark.parametrize("text", ["", "x", "1e3", "9" * 18, "--1"])
def test_an_invalid_total_is_refused(text):
    with pytest.raises(Invalid):
        money.parse_total(text)


@pytest.mark.parametrize(
    ("number", "top", "text"),
    [
        (0, 4, "0"),
        (800_000, 800_000, "800,000"),
        (0, 4_000_000, "0"),
        (500_000, 1_500_000, "0.5m"),
        (2_000_000, 4_000_000, "2m"),
        (1_500_000_000, 1_500_000_000, "1,500m"),
    ],
)
def test_a_scale_of_millions_is_marked_in_millions(number, top, text):
    assert money.format_tick(number, top) == text


def test_a_change_has_its_sign():
    assert [money.format_change(n) for n in (1234, 0, -4)] == ["+1,234", "0", "−4"]
    assert [money.format_pence_change(n) for n in (123456, 0, -4)] == [
        "+£1,234.56",
        "£0.00",
        "−£0.04",
    ]

"""Cells of CSV files: read and written by fields, and never run as formulas by spreadsheets."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Invalid
from app.fields import Day, Pounds, Text, WholeNumber
from app.tables.csv_files import cell_reader, cell_writer, escape, unescape

ITEM = Text(name="item", label="Item", limit=9, required="Item name is required")
QUANTITY = WholeNumber(name="quantity", label="Quantity", default=1)


@pytest.mark.parametrize(
    ("field", "value", "cell"),
    [
        (ITEM, "=Desk", "'=Desk"),
        (ITEM, "'s Desk", "''s Desk"),
        (QUANTITY, 12, "12"),
        (Pounds(name="price", label="Price"), 1250, "12.50"),
        (Day(name="bought", label="Bought"), date(2011, 12, 9), "2011-12-09"),
        (Day(name="bought", label="Bought"), None, ""),
    ],
)
def test_a_cell_is_read_as_the_value_it_was_written_from(field, value, cell):
    assert cell_writer(field)(value) == cell
    assert cell_reader(field)(cell) == value


def test_an_empty_cell_is_the_default():
    assert cell_reader(QUANTITY)(" ") == 1


@pytest.mark.parametrize(
    ("field", "cell", "message"),
    [
        (ITEM, "'", "Item name is required"),
        (ITEM, "=Desk", "starts like a formula"),
        (QUANTITY, "-1", "Quantity must be at least 0"),
    ],
)
def test_a_wrong_cell_is_refused_with_the_message_of_its_field(field, cell, message):
    with pytest.raises(Invalid, match=message):
        cell_reader(field)(cell)


@given(st.text())
def test_any_text_survives_and_none_starts_like_a_formula(text):
    written = escape(text)
    assert not written.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unescape(written) == text


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx"])
def test_a_bare_formula_is_refused(text):
    with pytest.raises(Invalid, match="starts like a formula"):
        unescape(text)

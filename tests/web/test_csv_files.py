"""Cells that a spreadsheet would run as formulas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Invalid
from app.tables.csv_files import escape, unescape


@given(st.text())
def test_any_text_survives_and_none_starts_like_a_formula(text):
    written = escape(text)
    assert not written.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unescape(written) == text


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx"])
def test_a_bare_formula_is_refused(text):
    with pytest.raises(Invalid, match="starts like a formula"):
        unescape(text)

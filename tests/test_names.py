"""When two names are the same, and which are refused."""

import pytest

from app import names
from app.errors import Invalid


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hand  Warmer ", " hand warmer"),
        ("STRASSE", "straße"),
        ("ｆｕｌｌ", "full"),
        ("no\u00a0break", "No Break"),
        ("ﬁle", "FILE"),
    ],
)
def test_case_width_and_spacing_do_not_make_another_name(one, other):
    assert names.key(one) == names.key(other)


def test_an_accent_makes_another_name():
    assert names.key("cafe") != names.key("café")


@pytest.mark.parametrize("text", ["a\x00b", "a\u200bb", "a\u202eb", "a\nb", "a\ufeffb"])
def test_characters_that_cannot_be_seen_are_refused(text):
    with pytest.raises(Invalid, match=r"can't be seen \(U\+"):
        names.clean(text, limit=100)


def test_a_shown_name_is_trimmed_and_else_kept():
    assert names.clean("  T-LIGHT  Holder ☃ ", limit=100) == "T-LIGHT  Holder ☃"


def test_a_long_name_is_refused_with_its_limit():
    with pytest.raises(Invalid, match="Item name must be at most 5 characters"):
        names.clean("abcdef", limit=5, what="Item name")


def test_a_text_of_several_lines_keeps_them_and_no_others():
    assert names.clean_lines("\n a\tb \r\n\r\n c\n\n", limit=10, what="Notes") == "a b\n\nc"
    assert names.clean_lines(" \n ", limit=10, what="Notes") == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\nb\x00", "a\nb"),
        ("a\n\u200bb\u00ad", "a\nb"),
        ("Driver \U0001f477\u200d\u2642\ufe0f", "Driver \U0001f477\u200d\u2642\ufe0f"),
    ],
)
def test_of_what_cannot_be_seen_text_of_lines_keeps_the_joiners_of_emoji_alone(text, kept):
    assert names.clean_lines(text, limit=100, what="Notes") == kept


@pytest.mark.parametrize("text", ["x" * 11, "12345\n67890"])
def test_several_lines_have_one_limit(text):
    with pytest.raises(Invalid, match=r"^Notes must be at most 10 characters$"):
        names.clean_lines(text, limit=10, what="Notes")

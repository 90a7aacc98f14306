"""Names: when two are equal, and which are refused."""

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
def test_names_that_differ_in_case_width_or_spacing_are_the_same(one, other):
    assert names.key(one) == names.key(other)


def test_names_that_differ_in_an_accent_are_different():
    assert names.key("cafe") != names.key("café")


@pytest.mark.parametrize("text", ["a\x00b", "a\u200bb", "a\u202eb", "a\nb", "a\ufeffb"])
def test_characters_that_cannot_be_seen_are_refused(text):
    with pytest.raises(Invalid, match=r"can't be seen \(U\+"):
        names.clean(text, limit=100)


def test_a_name_is_trimmed_and_otherwise_unchanged():
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
def test_text_of_several_lines_keeps_no_invisible_characters_but_emoji_joiners(text, kept):
    assert names.clean_lines(text, limit=100, what="Notes") == kept


@pytest.mark.parametrize("text", ["x" * 11, "12345\n67890"])
def test_several_lines_have_one_limit(text):
    with pytest.raises(Invalid, match=r"^Notes must be at most 10 characters$"):
        names.clean_lines(text, limit=10, what="Notes")


@pytest.mark.parametrize(
    ("typed", "other"),
    [
        ("LED", "LED bulb 9 W B22"),
        ("Hartly", "Hartley"),
        ("Wrokshop", "workshop"),
        ("Elce", "Elec"),
        ("Kitcehm Team", "Kitchen team"),
    ],
)
def test_a_name_resembles_one_that_it_begins_or_nearly_is(typed, other):
    with pytest.raises(names.Resembling) as question:
        names.match("item", typed, ["Ladder", other])
    assert question.value.message == f'New item "{typed}"? Or {other}'


@pytest.mark.parametrize(
    ("typed", "other"), [("Bulb", "LED bulb"), ("Hatly", "Hartley"), ("Workshop 200", "Workshop")]
)
def test_a_name_that_differs_more_is_a_new_one(typed, other):
    assert names.match("item", typed, ["", other]) == typed


def test_a_name_in_use_is_matched_however_much_it_resembles_others():
    assert names.match("team", "bar ", ["Bars", "BAR", "Barn"]) == "BAR"
    assert names.match("team", "", ["Bar"]) == ""


def test_of_many_resembled_names_the_first_that_begin_with_it_are_offered():
    with pytest.raises(names.Resembling) as question:
        names.match("item", "LED", ["Lad", "Led strip", "Ladder", "LEDs"])
    assert question.value.details == {"resembles": ["Led strip", "LEDs", "Lad"]}
    with pytest.raises(names.Resembling) as question:
        names.match("item", "LED", [f"LED {n}" for n in range(9)])
    assert question.value.details == {"resembles": [f"LED {n}" for n in range(5)]}

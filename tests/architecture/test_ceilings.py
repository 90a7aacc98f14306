"""The product doesn't grow: its sizes stay under ceilings that follow them down."""

from tests.architecture.ceilings import ceilings, measured

MOST_OF_A_PACKAGE = 6_000
"""The lines of a package that has no ceiling of its own yet."""

MOST_BELOW = 500
"""How many lines may have gone before the ceiling follows; of the whole, four times as many."""

LOWER = "lower it: .venv/bin/python -m tests.architecture.ceilings"


def test_no_package_has_more_lines_than_its_ceiling_which_follows_it_down():
    listed, now = ceilings()["lines"], measured()["lines"]
    above = {
        name: (lines, ceiling)
        for name, lines in now.items()
        if lines > (ceiling := listed.get(name, MOST_OF_A_PACKAGE))
    }
    assert above == {}
    below = {
        name: (now.get(name, 0), ceiling)
        for name, ceiling in listed.items()
        if now.get(name, 0) < ceiling - MOST_BELOW * (4 if name == "app" else 1)
    }
    assert below == {}, LOWER


def test_nothing_more_is_made_by_hand_and_the_modules_of_app_web_get_no_more():
    listed, now = ceilings(), measured()
    assert now["modules of app/web"] <= listed["modules of app/web"]
    ceiling = listed["made by hand"]
    assert {name: n for name, n in now["made by hand"].items() if n > ceiling[name]} == {}


def test_a_view_defines_at_most_one_function():
    listed = ceilings()["views with several functions"]
    found = measured()["views with several functions"]
    assert [view for view in found if view not in listed] == []


def test_no_module_repeats_what_the_field_of_a_state_declares():
    listed = ceilings()["repeated names of fields"]
    found = measured()["repeated names of fields"]
    assert [repeated for repeated in found if repeated not in listed] == []

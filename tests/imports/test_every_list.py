"""Every list is imported on screen, and taken back where it can be."""

import pytest

from app.divisions import Division, Role
from tests.imports.test_import_pages import bring, choose
from tests.records.test_targets import CHANGED, FIRST, workbook

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def manager(signed_in):
    return signed_in("boss", *Division, division=Division.GFM)


def test_every_list_goes_in_on_screen_changes_and_goes_back(manager, app, in_app):
    targets = app.extensions["targets"]
    for key, text in FIRST.items():
        page = choose(manager, bring(manager, text, key), {})
        assert "0 unchanged, 0 refused" in page.text, (key, page.text)
        page = manager.submit(page, "[formaction]")
        assert "Imported list.csv" in page.text, (key, page.text)
        latest = page.html.select_one("main .rows li")
        assert targets[key].label in latest.text, key
        assert ("Undo" in latest.text) == bool(targets[key].remove), key
        assert targets[key].remove or targets[key].way_back, key
    for key, text in CHANGED.items():
        before = in_app(targets[key].entries)
        page = choose(manager, bring(manager, text, key), {})
        assert "refused" not in page.all("nav.tabs a"), (key, page.text)
        page = manager.submit(page, "[formaction]")
        assert "Imported list.csv" in page.text, (key, page.text)
        assert in_app(targets[key].entries) != before, key
        page = manager.submit(manager.open(page.link("Undo")))
        assert "Undone: list.csv" in page.text, (key, page.text)
        assert in_app(targets[key].entries) == before, key


def test_every_list_is_for_the_workers_and_managers_of_its_division(signed_in, app):
    people = {
        (division, role): signed_in(f"{division}-{role}", division, division=division, roles=[role])
        for division in Division
        for role in Role
    }
    targets = app.extensions["targets"]
    for (division, role), person in people.items():
        links = person.open("/imports").html.select("main .bring a")
        listed = {link["href"] for link in links}
        for key, target in targets.items():
            # GPM and Fleet share the lists of vehicles.
            shares = target.division is Division.FLEET and division is Division.GPM
            is_theirs = target.division is division or shares
            allowed = is_theirs and role is not Role.VIEWER
            status = person.open(f"/import/{key}").status
            assert status == (200 if allowed else 403), (key, division, role)
            assert (f"/import/{key}" in listed) == allowed, (key, division, role)


def test_a_workbook_goes_in_as_a_file_does(manager, app):
    target = app.extensions["targets"]["assets"]
    data = workbook(target, FIRST["assets"])
    page = bring(manager, data, "assets", "register.xlsx")
    assert not page.html.select("[name=separator]")
    page = choose(manager, page, {})
    assert "2 added, 0 changed, 0 unchanged, 0 refused" in page.text

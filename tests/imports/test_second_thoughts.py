"""What people do with files of their own beside the plain way: type, mistake, come back."""

from app.divisions import Division, Role
from app.exports.targets import TARGETS
from tests.imports.test_import_pages import MESSY, bring, choose, look_at, steward
from tests.records.test_targets import FIRST, apply

__all__ = ["steward"]


def test_what_is_typed_is_not_lost_when_a_file_is_applied_or_refused(steward):
    page = bring(steward, MESSY)
    page = choose(steward, page)
    late = steward.submit(page, "[formaction]", **{"cell-5-item": "Bin"}, leaves_out="y")
    assert (late.status, "Save what is mended first." in late.text) == (422, True)
    assert late.fields()["cell-5-item"] == "Bin"
    refused = steward.submit(steward.open("/import/assets"), cells='Item\tID\nDesk\t"A')
    assert refused.html.select_one("textarea").get_text() == 'Item\tID\nDesk\t"A'


def test_a_file_of_ours_that_a_spreadsheet_saved_is_read_in_a_chosen_order_of_days(steward):
    page = bring(steward, "id,item,purchaseDate\nA-1,Desk,28/02/2026\n")
    assert "They are ours, so every cell is taken as it is" in page.text
    assert choose(steward, page).errors == ['"28/02/2026" is not a date like 2011-12-09']
    assert "1 added" in choose(steward, steward.open(page.path), days="day").text


def test_the_sample_of_a_list_with_rows_goes_in_unchanged(signed_in, app, in_app):
    boss, targets = signed_in("boss", *Division, division=Division.GFM), app.extensions["targets"]
    for key, text in FIRST.items():
        in_app(apply, targets[key], text.encode())
    for key in FIRST:
        sample = boss.client.get(f"/import/{key}/sample.csv").text
        page = choose(boss, bring(boss, sample, key), {})
        assert "0 added, 0 changed, 1 unchanged, 0 refused" in page.text, (key, page.text)


def test_files_are_found_again_by_who_brought_them_and_by_managers(signed_in):
    worker = signed_in("worker", Division.ASSETS, roles=[Role.WORKER], division=Division.ASSETS)
    path = look_at(worker, "item\nDesk\n").path
    for name, found in (("colleague", False), ("boss", True)):
        roles = [Role.MANAGER] if name == "boss" else [Role.WORKER]
        person = signed_in(name, Division.ASSETS, roles=roles, division=Division.ASSETS)
        assert (path in str(person.open("/imports").html)) == found, name
    assert worker.open(worker.open("/imports").link("Look again")).path == path


def test_a_file_name_has_no_invisible_characters(steward):
    page = bring(steward, "item\nDesk\n", name="a\0b\x07.csv")
    assert "Read 1 row of ab.csv." in page.text


def test_an_import_that_added_a_vehicle_s_last_event_can_be_undone(signed_in, in_app):
    driver = signed_in("driver", Division.FLEET, division=Division.FLEET)
    in_app(apply, TARGETS["vehicles"], b"reg,make\nLK19 VTE,Ford\n")
    page = look_at(driver, "reg,currentLocation\nLK19 VTE,Depot\n", "vehicles")
    page = driver.submit(page, "[formaction]")
    assert "set back" in driver.submit(driver.open(page.link("Undo"))).text
    assert "Depot" not in driver.client.get("/vehicles.csv").text

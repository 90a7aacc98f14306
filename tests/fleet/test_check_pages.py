"""The checks list, its exports, and reviews, without scripts."""

import csv
import io
import re
from datetime import date, timedelta

import pytest

from app import dates
from app.divisions import Division
from tests import factories

DAY = factories.DAY
LIST = "/fleetChecksList"
ALL = f"{LIST}?review="


def rows(page):
    return [
        [" ".join(cell.get_text(" ").split()) for cell in body.select("tr:not(.detail) > *")]
        for body in page.html.select("tbody[id^=c]")
    ]


def plates(page):
    return [row[1] for row in rows(page)]


def test_a_check_is_a_row_that_opens_to_its_fields_notes_and_photos(reviewer, check):
    items = {"Name": "Ann", "LicensePlate": "lk19 vte", "Damage": "Dent", "Own field": "Blue"}
    check(items=items, notes="Loose\nmirror", cost=12000, form_type="mixed", photos=["front", ""])
    page = reviewer.open(ALL)
    assert page.title == "Checks list · Quartermaster"
    assert page.all("thead th") == [
        *("Date", "Reg", "Odometer", "Submitted by", "Notes", "Photos", "Repair/Expense"),
        *("Flags", "Review"),
    ]
    assert rows(page) == [
        [
            *("15 Jan 2026", "LK19 VTE", "48,210", "driver", "Loose mirror", "2", "£120.00"),
            *("Damage £120.00 repair", "Review"),
        ]
    ]
    assert page.all("details summary") == ["15 Jan 2026"]
    assert page.all(".detail dt") == ["Name", "Number plate", "Damage", "Own field", "Notes"]
    assert page.all(".detail dd") == ["Ann", "lk19 vte", "Dent", "Blue", "Loose mirror"]
    assert page.all(".detail .note") == ["Mixed Department Check", "1 defect"]
    images = page.html.select(".detail a img")
    found = [(image["alt"], image.parent["href"], image["src"]) for image in images]
    urls = [f"/api/checks/1/photos/{n}" for n in (0, 1)]
    assert found == [
        (alt, url, f"{url}/thumbnail") for alt, url in zip(["front", "Photo 2"], urls, strict=True)
    ]


def test_notes_are_cut_at_120_characters_and_a_fallen_odometer_is_flagged(reviewer, check):
    check(notes="x" * 120, odometer=10)
    check(notes="y" * 121, odometer=9)
    page = reviewer.open(ALL)
    assert [row[4] for row in rows(page)] == ["y" * 120 + "…", "x" * 120]
    assert page.all(".detail dd") == ["y" * 121, "x" * 120]
    assert [row[7] for row in rows(page)] == ["Odometer fell", ""]


def test_20_checks_are_on_a_page_newest_first(reviewer, check):
    for n in range(25):
        check(f"P{n:02d}", day=DAY + timedelta(days=n))
    first = reviewer.open(ALL)
    assert plates(first) == [f"P{n:02d}" for n in range(24, 4, -1)]
    assert first.all(".pager p") == ["Page 1 / 2 · Showing 20 of 25"]
    assert first.all("#total") == ["25 checks"]
    assert plates(reviewer.open(first.link("Next"))) == ["P04", "P03", "P02", "P01", "P00"]
    assert reviewer.open(f"{ALL}&page=99").all(".pager p") == ["Page 2 / 2 · Showing 5 of 25"]


FOUND_BY_FILTERS = [
    ("q=lk19vte", ["LK19 VTE"]),
    ("q=vte+LK19", ["LK19 VTE"]),
    ("q=mirror", ["LK19 VTE"]),
    ("q=driver", ["CC3", "BB2", "LK19 VTE"]),
    ("q=scratch", ["BB2"]),
    ("q=solo", ["CC3"]),
    ("q=%25", []),
    ("vehicle=lk19vte", ["LK19 VTE"]),
    ("from=2026-01-16", ["CC3", "BB2"]),
    ("to=2026-01-16", ["BB2", "LK19 VTE"]),
    ("from=2026-01-16&to=2026-01-16", ["BB2"]),
    ("flags=flagged", ["CC3", "BB2"]),
    ("review=reviewed", ["CC3"]),
    ("review=unreviewed", ["BB2", "LK19 VTE"]),
    ("sort=unreviewed", ["BB2", "LK19 VTE", "CC3"]),
    ("q=driver&flags=flagged&review=unreviewed", ["BB2"]),
]


@pytest.mark.differs_by_engine
def test_filters_narrow_the_list_and_its_exports_alike(reviewer, check):
    check("LK19 VTE", notes="Loose mirror")
    check("BB2", day=date(2026, 1, 16), items={"Damage": "Scratch"})
    reviewed = check("CC3", day=date(2026, 1, 17), cost=1, form_type="asbSolo")
    reviewer.submit(reviewer.open(f"{LIST}/{reviewed}/review"))
    for query, found in FOUND_BY_FILTERS:
        page = reviewer.open(f"{LIST}?{query}")
        assert plates(page) == found, query
        exported = reviewer.client.get(page.link("Export JSON")).json
        assert [entry["reg"] for entry in exported] == found, query
        assert plates(reviewer.fragment(f"{LIST}?{query}", "list")) == found, query


def test_an_empty_list_has_a_message(reviewer):
    assert reviewer.open(ALL).all(".empty") == ["No checks found."]
    assert reviewer.open(f"{LIST}?q=x").all(".empty") == ["No checks found. Reset"]


def test_an_invalid_filter_is_refused_with_a_message(reviewer):
    for query, message in (
        ("from=soon", '"soon" is not a date like 2011-12-09'),
        ("from=2026-02-01&to=2026-01-01", "From (1 Feb 2026) is later than to (1 Jan 2026)."),
        ("review=maybe", 'There is no choice "maybe" of review.'),
    ):
        page = reviewer.open(f"{LIST}?{query}")
        assert (page.status, page.alerts) == (422, [message])
        assert page.title.startswith("Error: "), query
        refused = reviewer.client.get(f"{LIST}/vehicle-checks.csv?{query}")
        assert refused.status_code == 422, query


def test_an_unchanged_list_is_not_sent_again(reviewer, check):
    tag = reviewer.open(ALL).headers["ETag"]
    headers = {"If-None-Match": tag}
    assert reviewer.client.get(ALL, headers=headers).status_code == 304
    check()
    assert reviewer.client.get(ALL, headers=headers).status_code == 200


def test_a_check_is_reviewed_with_a_remark(reviewer, check):
    check()
    page = reviewer.open(reviewer.open(ALL).link("Review LK19 VTE, 15 Jan 2026"))
    assert page.title == "Review LK19 VTE · Quartermaster"
    done = reviewer.submit(page, remark="Booked in")
    assert done.path == LIST
    assert done.all("#alerts [role=status] p") == ["Reviewed: LK19 VTE."]
    listed = reviewer.open(ALL)
    assert rows(listed)[0][8] == "Reviewed"
    note = rf"Reviewed by reviewer on {dates.format_day(dates.today())} at \d\d:\d\d: Booked in"
    assert re.fullmatch(rf"{note} Undo", listed.all(".detail .note")[0])


def test_the_form_of_a_review_opens_whatever_part_of_the_page_it_is_for(reviewer, check):
    check("LK19 VTE")
    assert reviewer.fragment(f"{LIST}/1/review", "list").html.select("[name=remark]")


def test_a_second_review_is_refused_and_names_the_first_reviewer(app, reviewer, check):
    check()
    page = reviewer.open(f"{LIST}/1/review")
    reviewer.submit(page, remark="First")
    late = reviewer.submit(page, remark="Second", key="another")
    assert late.status == 409
    assert late.title.startswith("Error: ")
    assert late.errors[0].startswith("reviewer reviewed this check on ")
    again = reviewer.open(f"{LIST}/1/review")
    assert again.status == 409
    assert "reviewer reviewed this check on " in again.text
    assert "First" in reviewer.open(ALL).all(".detail .note")[0]


def test_a_remark_that_is_too_long_is_refused_and_kept_as_typed(reviewer, check):
    check()
    page = reviewer.submit(reviewer.open(f"{LIST}/1/review"), remark="x" * 401)
    assert page.status == 422
    assert "There is a problem" in page.text
    assert page.errors == ["Remark must be at most 400 characters"] * 2
    assert page.fields()["remark"] == "x" * 401


def test_htmx_gets_the_new_row_or_reloads_the_list_if_it_no_longer_matches(reviewer, check):
    def review_from(address, number):
        headers = {"HX-Request": "true", "Referer": f"http://localhost{address}"}
        dialog = reviewer.open(f"{LIST}/{number}/review", headers=headers)
        return reviewer.submit(dialog, "form", headers=headers)

    check("AA1")
    check("BB2")
    reply = review_from(ALL, 1)
    changed = 'id="c1" class="changed" data-hx-swap-oob="true"'
    assert changed in reply.response.get_data(as_text=True)
    assert "Reviewed: AA1. Undo" in reply.text
    assert reply.all("#to-review") == ["To review (1)"]
    assert "HX-Trigger" not in reply.headers
    reply = review_from(f"{LIST}?review=unreviewed", 2)
    assert "Reviewed: BB2. Undo" in reply.text
    assert reply.headers["HX-Trigger"] == "checks-changed"


@pytest.mark.parametrize("division", [Division.FLEET, Division.GPM])
def test_fleet_and_gpm_share_the_list(signed_in, check, division):
    person = signed_in("somebody", division)
    check()
    page = person.open(ALL)
    assert plates(page) == ["LK19 VTE"]
    menu = ".group[aria-label=Fleet] >"
    main = ["Vehicles", "Bookings", "Checks", "Defects", "Due", "Costs", "More"]
    assert page.all(f"{menu} :is(a, button)") == main
    others = ["Vehicle Checks", "Off the road", "Repairs", "Readings", "DVSA file"]
    assert page.all(f"{menu} [popover] a") == others
    assert page.all(".screens [aria-current]") == ["Checks"]


def test_a_wrong_date_stays_to_be_corrected_while_other_filters_change(reviewer):
    page = reviewer.open("/fleetChecksList?from=2026-13-40&to=2026-02-01")
    wrong, right = page.html.select("input[name=from], input[name=to]")
    # A date input is empty to a browser that can't read its value.
    assert (wrong["type"], wrong["value"], wrong["aria-invalid"]) == ("text", "2026-13-40", "true")
    assert (right["type"], right["value"]) == ("date", "2026-02-01")
    assert "aria-invalid" not in right.attrs
    sent = page.fields("#filters") | {"q": "tea"}
    again = reviewer.client.get("/fleetChecksList", query_string=sent)
    assert again.status_code == 422
    assert b"2026-13-40&#34; is not in the calendar" in again.data


ORDERS = [
    ("", ["CC3", "BB2", "AA1"]),
    ("date", ["AA1", "BB2", "CC3"]),
    ("reg", ["AA1", "BB2", "CC3"]),
    ("-odometer", ["BB2", "CC3", "AA1"]),
    ("-cost", ["AA1", "CC3", "BB2"]),
    ("-flags", ["BB2", "AA1", "CC3"]),
    ("-photos", ["CC3", "BB2", "AA1"]),
    ("by", ["CC3", "BB2", "AA1"]),
]


def test_every_heading_sorts_the_checks_and_equal_ones_stay_newest_first(reviewer, check):
    check("AA1", day=DAY, odometer=1000, cost=500)
    check("BB2", day=DAY + timedelta(days=1), odometer=3000, items={"Damage": "Dent"})
    check("CC3", day=DAY + timedelta(days=2), odometer=2000, photos=["front"])
    for sort, found in ORDERS:
        for query in ("", "q=driver&", "from=2000-01-01&"):
            assert plates(reviewer.open(f"{LIST}?{query}sort={sort}")) == found, sort


CSV = f"{LIST}/vehicle-checks.csv"
JSON = f"{LIST}/vehicle-checks.json"


def test_the_csv_has_its_name_and_columns_and_quotes_every_cell(reviewer, check):
    check(notes='Say "hi", then\ngo', photos=["a", "b"])
    response = reviewer.client.get(CSV)
    assert response.mimetype == "text/csv"
    assert response.headers["Content-Disposition"] == "attachment; filename=vehicle-checks.csv"
    assert response.get_data(as_text=True) == (
        '"date","reg","odometer","submittedBy","notes","photos"\r\n'
        '"2026-01-15","LK19 VTE","48210","driver","Say ""hi"", then\ngo","2"\r\n'
    )


def test_notes_are_cut_at_200_characters_and_no_cell_starts_a_formula(reviewer, check):
    check("=1+1", notes="+" + "x" * 250)
    (row,) = list(csv.reader(io.StringIO(reviewer.client.get(CSV).get_data(as_text=True))))[1:]
    assert row[1] == "'=1+1"
    assert row[4] == "'+" + "x" * 199


def test_the_json_export_equals_the_reply_of_the_api(reviewer, check):
    check(photos=["a"], items={"Damage": "Dent"}, cost=1250)
    check("BB2")
    response = reviewer.client.get(JSON)
    assert response.mimetype == "application/json"
    assert response.headers["Content-Disposition"] == "attachment; filename=vehicle-checks.json"
    assert response.json == reviewer.client.get("/api/fleet/checks").json
    assert response.json[1]["costGBP"] == 12.5


def test_an_empty_list_is_exported_empty(reviewer):
    assert reviewer.client.get(CSV).get_data(as_text=True).count("\r\n") == 1
    assert reviewer.client.get(JSON).json == []

"""The review queue, which the checks list opens on: without scripts, and for htmx."""

from datetime import timedelta

import pytest

from tests import factories
from tests.fleet.test_check_pages import ALL, LIST, plates

DAY = factories.DAY
CURRENT = ".current-check form"
FIRST_OF_NEXT = ".queued form"


def queue(page):
    """Return the registration of the check to look at, and those of the next ones."""
    return page.all("#now"), page.all(".queued .plate")


@pytest.fixture
def three_checks(check):
    """Submit three checks, one of them with damage; return their ids in the queue's order."""
    plain = check("BB22 BBB", day=DAY)
    older = check("CC33 CCC", day=DAY - timedelta(days=1))
    damaged = check(
        "AA11 AAA",
        day=DAY - timedelta(days=2),
        items={"Name": "Ann", "Damage": "Mirror cracked", "LicensePlate": "AA11 AAA"},
        notes="Glass\nloose",
        form_type="mixed",
        photos=["mirror", ""],
    )
    return [damaged, plain, older]


def test_the_list_opens_on_the_checks_to_review_those_with_damage_first(reviewer, three_checks):
    page = reviewer.open(LIST)
    assert page.title == "Checks list · Quartermaster"
    assert page.all(".tabs a") == ["To review (3)", "Reviewed", "All"]
    assert page.all(".tabs [aria-current]") == ["To review (3)"]
    assert queue(page) == (["AA11 AAA"], ["BB22 BBB", "CC33 CCC"])
    assert page.all("h2") == ["Now 1 of 3, 1 with damage", "Next damage first"]
    assert page.all(".finding") == ["Damage: Mirror cracked"]
    assert page.all(".current-check dt") == ["Name", "Damage", "Notes"]
    images = page.html.select(".shots img")
    assert [image["alt"] for image in images] == ["mirror", "Photo 2"]
    assert [image["src"] for image in images] == [
        f"/api/checks/{three_checks[0]}/photos/{n}/thumbnail" for n in (0, 1)
    ]
    assert len(plates(reviewer.open(page.link("All")))) == 3
    assert plates(reviewer.open(page.link("Reviewed"))) == []
    assert page.link("Export CSV") == f"{LIST}/vehicle-checks.csv"
    assert page.form(CURRENT)["data-failure"] == "Update failed"


def test_reviewed_leads_to_the_next_check_and_can_be_undone(reviewer, three_checks):
    page = reviewer.submit(reviewer.open(LIST), CURRENT, remark="Ordered a mirror")
    assert page.all("#alerts [role=status] p") == ["Reviewed: AA11 AAA."]
    assert queue(page) == (["BB22 BBB"], ["CC33 CCC"])
    assert page.all(".section .n")[0] == "1 of 2"
    undone = reviewer.submit(page, ".notice.ok form")
    assert queue(undone) == (["AA11 AAA"], ["BB22 BBB", "CC33 CCC"])
    assert "Ordered a mirror; undone by reviewer" in undone.text


def test_next_leaves_a_check_in_the_queue_and_previous_leads_back(reviewer, three_checks):
    second = reviewer.open(reviewer.open(LIST).link("Next"))
    assert queue(second) == (["BB22 BBB"], ["CC33 CCC"])
    assert second.all(".section .n")[0] == "2 of 3, 1 with damage"
    assert queue(reviewer.open(second.link("Previous"))) == queue(reviewer.open(LIST))
    last = reviewer.open(second.link("Next"))
    assert queue(last) == (["CC33 CCC"], [])
    assert queue(reviewer.open(last.link("Next"))) == queue(reviewer.open(LIST))


def test_one_of_the_next_checks_is_reviewed_where_one_is(reviewer, three_checks):
    page = reviewer.submit(reviewer.open(LIST), FIRST_OF_NEXT)
    assert page.all("#alerts [role=status] p") == ["Reviewed: BB22 BBB."]
    assert queue(page) == (["AA11 AAA"], ["CC33 CCC"])


def test_a_review_sent_twice_from_the_queue_is_one(reviewer, three_checks):
    page = reviewer.open(LIST)
    for _ in range(2):
        done = reviewer.submit(page, CURRENT)
        assert done.all("#alerts [role=status] p") == ["Reviewed: AA11 AAA."]
        assert queue(done) == (["BB22 BBB"], ["CC33 CCC"])


def test_an_empty_queue_says_so_and_leads_to_all_checks(reviewer, check):
    check()
    page = reviewer.submit(reviewer.open(LIST), CURRENT)
    assert page.all(".empty") == ["Nothing to review. All checks"]
    assert plates(reviewer.open(page.link("All checks"))) == ["LK19 VTE"]


def test_the_mileage_is_compared_with_the_reading_before(reviewer, check):
    check("AA11 AAA", day=DAY, odometer=100)
    assert "100 miles." in reviewer.open(LIST).text
    check("AA11 AAA", day=DAY + timedelta(days=1), odometer=162)
    assert "162 miles, 62 more than on 15 Jan 2026." in reviewer.open(LIST).text
    check("AA11 AAA", day=DAY + timedelta(days=2), odometer=160)
    page = reviewer.open(LIST)
    assert "160 miles, 2 fewer than on 16 Jan 2026." in page.text
    assert page.all(".current-check .badge") == ["Odometer fell"]


def test_a_place_that_does_not_exist_is_the_beginning(reviewer, three_checks):
    for place in ("check=99", "check=", "check=x", "check=99999999999999", "a=1"):
        assert queue(reviewer.open(f"{LIST}?{place}")) == queue(reviewer.open(LIST)), place


def test_any_filter_or_page_in_the_address_shows_the_list(reviewer, three_checks):
    for query in ("review=", "q=", "page=1", "sort=&flags="):
        found = plates(reviewer.open(f"{LIST}?{query}"))
        assert found == ["BB22 BBB", "CC33 CCC", "AA11 AAA"], query


def test_with_htmx_the_queue_moves_on_in_place(reviewer, three_checks):
    page = reviewer.open(LIST)
    headers = {"HX-Request": "true", "HX-Target": "list"}
    reply = reviewer.submit(page, CURRENT, headers=headers)
    assert queue(reply) == (["BB22 BBB"], ["CC33 CCC"])
    assert reply.html.title is None
    assert reply.all("[data-hx-swap-oob='innerHTML:#live']") == ["Reviewed: AA11 AAA. Undo"]
    assert reply.all("nav[data-hx-swap-oob] [aria-current]") == ["To review (2)"]
    assert reply.headers["HX-Replace-Url"] == f"{LIST}?check={three_checks[0]}"
    late = reviewer.submit(page, CURRENT, headers=headers, key="another")
    assert (late.status, late.headers["HX-Retarget"]) == (409, "#alerts")
    assert late.alerts[0].startswith("reviewer reviewed this check on ")
    long = reviewer.submit(reply, CURRENT, headers=headers, remark="x" * 401)
    assert (long.status, long.alerts) == (422, ["Remark must be at most 400 characters"])


def reloaded(reviewer, page, undo):
    """Undo a review as the message of a reply does; return the queue as the page loads it then."""
    headers = {"HX-Request": "true", "HX-Target": "live"}
    undone = reviewer.post(undo, page.fields("form"), headers=headers)
    assert undone.headers["HX-Trigger"] == "checks-changed"
    source = page.html.select_one("[data-hx-trigger='checks-changed from:body']")
    return reviewer.fragment(source["data-hx-get"], source["data-hx-target"].removeprefix("#"))


def test_with_htmx_the_undo_brings_the_reviewed_check_back_on_screen(reviewer, three_checks):
    headers = {"HX-Request": "true", "HX-Target": "list"}
    page = reviewer.open(LIST)
    for following in (["BB22 BBB"], ["CC33 CCC"], []):
        reviewed = page.all("#now")
        page = reviewer.submit(page, CURRENT, headers=headers)
        assert page.all("#now") == following
    undo = page.html.select_one("[data-hx-target='#live']")["action"]
    assert queue(reloaded(reviewer, page, undo)) == (reviewed, [])


def test_with_htmx_the_undo_of_one_of_the_next_checks_stays_at_the_one_above(
    reviewer, three_checks
):
    headers = {"HX-Request": "true", "HX-Target": "list"}
    page = reviewer.submit(reviewer.open(LIST), FIRST_OF_NEXT, headers=headers)
    assert queue(page) == (["AA11 AAA"], ["CC33 CCC"])
    undo = page.html.select_one("[data-hx-target='#live']")["action"]
    assert queue(reloaded(reviewer, page, undo)) == (["AA11 AAA"], ["BB22 BBB", "CC33 CCC"])


def test_the_tab_of_what_is_listed_is_marked(reviewer, three_checks):
    marked = {
        "To review (3)": ["", "check=2", "review=unreviewed", "review=unreviewed&q=a&sort=reg"],
        "Reviewed": ["review=reviewed", "review=reviewed&q=a"],
        "All": ["review=", "review=odd", "q=a"],
    }
    for tab, queries in marked.items():
        for query in queries:
            page = reviewer.open(f"{LIST}?{query}")
            assert page.all(".tabs [aria-current]") == [tab], query


def test_an_unchanged_queue_is_not_sent_again(reviewer, three_checks):
    tag = reviewer.open(LIST).headers["ETag"]
    assert reviewer.client.get(LIST, headers={"If-None-Match": tag}).status_code == 304
    reviewer.submit(reviewer.open(LIST), FIRST_OF_NEXT, follow=False)
    reviewer.open(ALL)
    assert reviewer.client.get(LIST, headers={"If-None-Match": tag}).status_code == 200

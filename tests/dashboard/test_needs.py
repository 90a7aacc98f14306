"""What needs a person on the dashboard, and what waits in each division."""

from datetime import timedelta

import pytest

from app import dates
from app.assets.rules import AssetState
from app.db import transaction
from app.defects.rules.fields import DefectState
from app.deliveries.services import receipts
from app.divisions import Division, Role
from app.fleet.rules.findings import Severity
from app.fleet.services.checks import review_check
from tests import factories
from tests.factories import GPM, GUILDFORD
from tests.upkeep import rows

TODAY = dates.today()
CALM = "Nothing is late, at zero or waiting."


def due(days_ago):
    """Return the dates of a delivery that was expected so many days ago."""
    expected = TODAY - timedelta(days=days_ago)
    return {"ordered_on": expected - timedelta(days=5), "expected_on": expected}


def needs(person):
    """Return each row of 'Needs you': its texts, where it leads, and its action."""
    return [
        (
            " ".join(row.select_one(".grow, .name").get_text(" ").split()),
            row.select_one(".name")["href"],
            row.select_one(".btn")["href"] if row.select_one(".btn") else "",
        )
        for row in person.open("/dashboard").html.select(".needs li")
    ]


def test_late_deliveries_are_offered_to_be_marked_delivered_the_latest_first(app, gpm):
    with app.app_context():
        late = factories.delivery("Mop", 200, **due(1), supplier="")
        later = factories.delivery("Salt", 40, **due(7))
        factories.delivery("Tape", **due(0))
    listed = "/gpm/deliveries"
    assert needs(gpm) == [
        ("40 × Salt 7 days late Glass & Co, for Main", listed, f"{listed}/{later}/deliver"),
        ("200 × Mop 1 day late for Main", listed, f"{listed}/{late}/deliver"),
    ]
    form = gpm.fragment(f"{listed}/{late}/deliver", "dialog")
    assert form.form("form").get("data-hx-post") == f"{listed}/{late}/deliver"
    with app.app_context(), transaction():
        receipts.mark_delivered(Division.GPM, later, confirmation=None, recipient=None, by=None)
    assert [text for text, *_ in needs(gpm)] == ["200 × Mop 1 day late for Main"]


def test_of_many_late_deliveries_the_first_four_have_a_row(app, gpm):
    with app.app_context():
        for n in range(6):
            factories.delivery(f"Mop {n}", **due(9 - n))
    found = needs(gpm)
    assert [text.split(" 8")[0][:9] for text, *_ in found[:4]] == [f"5 × Mop {n}" for n in range(4)]
    assert found[4:] == [("All 6 late deliveries", "/gpm/deliveries", "")]


def test_items_at_zero_are_named_by_site_and_lead_to_their_list(app, in_app, gfm):
    with app.app_context():
        mug = factories.item("Mug", 3)
        factories.items([("Tin", 0), ("Bag", 0), ("Cup", 0), ("Box", 1)])
        factories.items([("Mop", 0)], store=GUILDFORD)
    main, guildford = (f"/inventory/{site}?sort=amount" for site in ("main", "guildford"))
    assert needs(gfm) == [
        ("Main: 3 items at zero Bag, Cup and Tin", main, main),
        ("Guildford: 1 item at zero Mop", guildford, guildford),
    ]
    in_app(factories.move, mug, -3)
    assert needs(gfm)[0][0] == "Main: 4 items at zero Bag, Cup, Mug and 1 more"


def checks_in(found):
    return [row for row in found if row[1].startswith("/fleetChecksList")]


def test_checks_with_damage_are_reviewed_first(app, fleet):
    with app.app_context():
        plain = [factories.check(f"AB{n} CDE", day=TODAY - timedelta(days=n)) for n in range(5)]
        items = {"Damage": "Dent in the left door"}
        damaged = factories.check(
            "KN67 ESV", day=TODAY - timedelta(days=9), items=items, cost=14_500
        )
    found = checks_in(needs(fleet))
    day = dates.short_day(TODAY - timedelta(days=9))
    url = f"/fleetChecksList?check={damaged}"
    assert found[0] == (
        f"KN67 ESV Damage £145.00 repair Dent in the left door, {day}, manager",
        url,
        url,
    )
    assert [text.split()[0] for text, *_ in found[1:4]] == ["AB0", "AB1", "AB2"]
    assert found[4:] == [("All 6 checks to review", "/fleetChecksList", "")]
    with app.app_context(), transaction():
        for check in (damaged, *plain):
            review_check(check, remark="", by=1)
    assert checks_in(needs(fleet)) == []


DAYS_AGO = {days: TODAY - timedelta(days=days) for days in range(4)}


def neglect(reg="LK19 VTE"):
    """Leave a vehicle with what its managers decide, and with what anybody answers."""
    rows.defect(reg, title="Horn: dead")
    rows.defect(reg, title="Steering: fail", severity=Severity.STOP)
    rows.defect(reg, title="Brakes: fail", severity=Severity.STOP, state=DefectState.REPAIRED)
    rows.off_road(reg, expected_back=DAYS_AGO[3])
    rows.due_item(reg, due_on=DAYS_AGO[1])
    rows.reading(1, reg, is_accepted=False)


@pytest.fixture
def neglected(app):
    """Add a vehicle that upkeep waits for, and one that is fine."""
    with app.app_context():
        for reg in ("LK19 VTE", "GJ68 WRP"):
            factories.vehicle(reg)
        neglect()
        rows.defect("GJ68 WRP", severity=Severity.ADVISORY)
        rows.off_road("GJ68 WRP", expected_back=TODAY)
        rows.due_item("GJ68 WRP", due_on=TODAY)


def test_what_waits_of_upkeep_leads_to_its_list(neglected, fleet):
    found = needs(fleet)
    assert found == [
        (text, url, url)
        for text, url in [
            ("1 vehicle stopped, not booked in LK19 VTE", "/fleet/off-road?show=unbooked"),
            ("1 defect to assess LK19 VTE Horn: dead", "/fleet/defects?state=open&severity=none"),
            ("1 item overdue LK19 VTE MOT", "/fleet/due?group=overdue"),
            ("1 vehicle late back on the road LK19 VTE", "/fleet/off-road?show=late"),
            ("1 defect to sign off LK19 VTE Brakes: fail", "/fleet/defects?state=repaired"),
            ("1 reading to accept", "/fleet/readings"),
        ]
    ]
    lists = [fleet.open(url).html.select_one("main") for _, url, _ in found]
    for part in lists:
        assert "LK19 VTE" in part.get_text()
    assert fleet.open(found[0][1]).all("tbody th") == ["LK19 VTE"]
    assert fleet.open(found[1][1]).all("tbody th") == ["D-0001 Horn: dead"]
    assert fleet.open(found[3][1]).all("tbody th") == ["LK19 VTE"]
    assert fleet.open(found[4][1]).all("tbody th") == ["D-0003 Brakes: fail"]


def test_who_does_not_manage_sees_what_anybody_can_answer(signed_in, neglected):
    person = signed_in("driver", Division.FLEET, roles=(Role.WORKER,))
    assert [url for _, url, _ in needs(person)] == [
        "/fleet/off-road?show=unbooked",
        "/fleet/due?group=overdue",
        "/fleet/off-road?show=late",
    ]
    assert "to assess" not in person.open("/choose").text


def test_more_that_waits_takes_no_more_statements(app, neglected, fleet, statements):
    def grow(start, end):
        with app.app_context():
            for number in range(start, end):
                factories.vehicle(f"AB{number} CDE")
                neglect(f"AB{number} CDE")

    fleet.open("/dashboard")
    grow(0, 1)
    few = statements(lambda: fleet.open("/dashboard"))
    grow(1, 20)
    assert statements(lambda: fleet.open("/dashboard")) == few
    assert needs(fleet)[0][0] == ("21 vehicles stopped, not booked in AB0 CDE, AB1 CDE and 19 more")
    assert needs(fleet)[1][0] == (
        "21 defects to assess LK19 VTE Horn: dead, AB0 CDE Horn: dead and 19 more"
    )


def test_the_chooser_names_what_waits_of_upkeep(neglected, manager):
    everything = manager(*Division)
    assert everything.open("/choose").all(".division + .note") == [
        "1 vehicle stopped, not booked in, 1 defect to assess, 1 item overdue, "
        "1 vehicle late back on the road, 1 defect to sign off, 1 reading to accept"
    ]


def test_assets_without_a_location_lead_to_them(in_app, assets):
    in_app(
        factories.assets, [AssetState("Desk", id="1"), AssetState("Lamp", id="2", location="Hall")]
    )
    ((text, url, action),) = needs(assets)
    assert (text, url) == ("1 asset without a location", action)
    assert assets.open(url).all("tbody#rows th")[0].startswith("Desk")


def test_a_division_in_which_nothing_waits_says_so(manager):
    person = manager(*Division)
    for division in Division:
        person.submit(person.open("/choose"), division=division.value)
        assert person.open("/dashboard").all(".needs .calm") == [CALM]


def test_the_chooser_says_what_waits_in_each_division(app, manager):
    everything = manager(*Division)
    assert everything.open("/choose").all(".division + .note") == []
    with app.app_context():
        factories.items([("Tin", 0)])
        factories.items([("Bag", 0)], store=GUILDFORD)
        factories.items([("Mop", 0)], store=GPM)
        for days in (1, 2, 3):
            factories.delivery("Mop", **due(days))
        factories.check()
        factories.asset("Desk")
    page = everything.open("/choose")
    assert page.all("button.division") == ["GFM", "GPM", "Fleet", "Assets"]
    assert page.all(".division + .note") == [
        "2 items at zero",
        "3 deliveries late, 1 item at zero",
        "1 check to review",
        "1 asset without a location",
    ]
    described = page.html.select_one("button[value=fleet]")["aria-describedby"]
    assert page.all(f"#{described}") == ["1 check to review"]


def test_the_chooser_opens_when_nothing_can_be_counted(app, manager, break_table):
    everything = manager(*Division)
    for table in ("item", "day_count", "asset"):
        break_table(table)
    page = everything.open("/choose")
    assert page.all("button.division") == ["GFM", "GPM", "Fleet", "Assets"]
    assert page.all(".division + .note") == []

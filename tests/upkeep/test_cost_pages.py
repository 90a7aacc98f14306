import csv
import io

import pytest

from app import dates
from app.audit.queries import all_entries
from app.audit.rules import Event
from app.due.rules.fields import DueKind
from app.periods import first_day
from tests import factories
from tests.person import table
from tests.upkeep import rows
from tests.upkeep.rows import LK19

TODAY = dates.today()
OTHER = "YD21 HMO"


@pytest.fixture
def spent(app, driver):
    """Store costs of two vehicles in this month."""
    with app.app_context():
        factories.vehicle(LK19)
        rows.repair(labour=10_050, finished_on=TODAY, garage="Kwik Fit")
        rows.done(rows.due_item(OTHER), cost=5_485, done_on=TODAY)
        rows.done(rows.due_item(kind=DueKind.TAX), cost=32_000, done_on=TODAY)
        rows.reading(41_000, day=TODAY.replace(day=1))
        rows.reading(43_000, day=TODAY)
    return driver


def test_the_filter_has_the_days_that_are_shown(spent):
    for path in ("/fleet/costs", "/fleet/costs/rows"):
        for query, first in (("", first_day(TODAY)), (f"?from={TODAY}", TODAY)):
            boxes = spent.open(f"{path}{query}").html.select("[type=date]")
            assert [box["value"] for box in boxes] == [f"{first}", f"{TODAY}"], (path, query)


def test_costs_are_shown_by_month_kind_vehicle_and_mile(spent):
    page = spent.open("/fleet/costs")
    assert page.all(".figure")[0] == "£475.35"
    picture = page.html.select_one("svg[role=img]")
    assert picture.title.get_text() == "Costs by month and kind"
    assert picture.desc.get_text().startswith("£475.35 in all, most from 1 ")
    months = table(page, "Costs by month and kind")
    assert len(months) == 12
    assert months[-1][1:] == ["£320.00", "£100.50", "£54.85", "£475.35"]
    assert table(page, "Costs by kind") == [
        ["Tax", "£320.00"],
        ["Repairs", "£100.50"],
        ["MOT", "£54.85"],
    ]
    vehicles = table(page, "Costs by vehicle, the highest first")
    assert vehicles[0][:2] == [LK19, "£420.50"]
    assert vehicles[1] == [OTHER, "£54.85", "–", "–"]
    assert "what checks report until one of their defects is repaired" in page.text


def test_the_picture_weighs_little_and_tells_its_parts_apart_by_texture(spent):
    picture = str(spent.open("/fleet/costs").html.select_one("svg[role=img]"))
    assert len(picture) < 6_000
    assert all(f'class="s{number}"' in picture for number in (1, 2, 3))
    assert "style=" not in picture


def test_each_figure_leads_to_its_rows_which_add_up_to_it(spent):
    page = spent.open("/fleet/costs")
    links = page.html.select(".num a")
    assert links
    for link in links:
        behind = spent.open(link["href"])
        assert f", {link.get_text()}, " in behind.text, link


def test_a_row_leads_to_the_repair_it_comes_from(spent):
    page = spent.open("/fleet/costs/rows?kind=repair")
    assert table(page, "Costs, newest first")[0][0] == "R-0001 Kwik Fit"


def test_filters_that_are_wrong_are_named_and_kept(spent):
    for query, message in (
        ("from=2026-13-01", "is not in the calendar"),
        ("to=2999-01-01", "Date can't be in the future."),
        ("kind=fuel", "There is no such kind of cost."),
        ("vehicle=ABCDEFGHIJKLMNOPQRSTUVWXYZ", "at most 20 characters"),
    ):
        for path in ("/fleet/costs", "/fleet/costs/rows"):
            page = spent.open(f"{path}?{query}")
            assert page.status == 422, query
            assert message in page.text, query


def test_days_without_costs_say_so(spent):
    page = spent.open("/fleet/costs?from=2020-01-01&to=2020-02-01")
    assert "No costs in these days." in page.text
    assert not page.html.select("svg[role=img]")


def test_the_file_has_the_rows_and_is_in_the_audit_trail(spent, app):
    reply = spent.client.get("/fleet/costs/costs.csv?vehicle=lk19vte")
    found = list(csv.reader(io.StringIO(reply.text)))
    assert found[0] == ["date", "reg", "kind", "source", "number", "what", "costGBP"]
    assert sorted(row[-1] for row in found[1:]) == ["100.50", "320.00"]
    assert {row[1] for row in found[1:]} == {LK19}
    with app.app_context():
        last = list(all_entries())[-1]
    assert (last.event, last.subject) == (Event.EXPORT, "vehicle costs")


def test_unchanged_costs_are_not_sent_again(spent):
    first = spent.client.get("/fleet/costs")
    again = spent.client.get("/fleet/costs", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_a_call_answers_the_same_figures(spent, call):
    reply = call("GET", "/api/fleet/costs").json
    assert reply["costGBP"] == 475.35
    assert reply["kinds"][0] == {"kind": "tax", "costGBP": 320.0}
    unmeasured = {"miles": None, "perMileGBP": None}
    assert reply["vehicles"][1] == {"reg": OTHER, "costGBP": 54.85, **unmeasured}
    assert call("GET", "/api/fleet/costs?vehicle=yd21hmo").json["costGBP"] == 54.85
    wrong = call("GET", "/api/fleet/costs?from=2026-02-01&to=2026-01-01")
    assert wrong.status_code == 422

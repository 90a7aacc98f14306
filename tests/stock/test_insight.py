"""Stock's reports: what was used, what it is worth, what counts found, and what nobody uses."""

import csv
import io
from datetime import date, datetime, time

import pytest
from sqlalchemy import func, select

from app import dates
from app.db import db, transaction
from app.divisions import Division, Role, Site, Store
from app.stock import reports
from app.stock.models import StockOperation
from app.stock.rules.insight import describe_share, describe_users
from app.stock.rules.items import EntryKind
from app.stock.rules.movements import StockLine
from app.stock.rules.operations import Change, Decrease, Increase
from app.stock.services import movements
from tests import factories
from tests.bench.recording import recording
from tests.factories import GUILDFORD, MAIN
from tests.person import Caller, table

pytestmark = pytest.mark.differs_by_engine

TODAY = dates.today()
NORTHERN = Store(Division.GFM, Site.NORTHERN)
JUNE, JULY = date(2026, 6, 10), date(2026, 7, 4)
SUMMER = "from=2026-06-01&to=2026-07-31"
PAGE = "/stock/gfm/insight"


def as_of(day):
    return dates.as_of(datetime.combine(day, time(15), dates.LONDON))


def withdraw(item, quantity, team, on, store=MAIN):
    with transaction():
        lines = [StockLine(item, quantity)]
        movements.withdraw(store, lines, team=team, on=on, by=1)
    return last_operation()


def last_operation():
    return db.session.scalar(select(func.max(StockOperation.id)))


def undo(operation_id):
    with transaction():
        movements.undo(Division.GFM, operation_id, by=1)


@pytest.fixture
def boss(in_app, person):
    in_app(factories.user, "boss", Division.GFM)
    person.sign_in("boss", follow=False)
    return person


@pytest.fixture
def summer(in_app, boss):
    """Use two items in June and July, at 2.50 pounds, then 3 pounds."""

    def fill():
        with as_of(date(2026, 5, 2)):
            heart, mug = factories.items([("Red heart", 100), ("Mug", 50)])
        with as_of(JUNE):
            withdraw(heart, 7, "Kitchen", JUNE)
            withdraw(mug, 2, "KITCHEN", JUNE)
            undone = withdraw(heart, 40, "Shop", JUNE)
            factories.record(MAIN, Change(heart, unit_price=300), by=1, on=JUNE)
        with as_of(JULY):
            withdraw(heart, 5, "", JULY)
            undo(undone)
            undo_and_again(mug)
            with transaction():
                lines = [StockLine(mug, 10)]
                movements.transfer(MAIN, lines, destination=Site.GUILDFORD, team="", on=JULY, by=1)
            factories.record(MAIN, Decrease(mug, 3, EntryKind.COUNT), by=1, on=JULY)
        return heart, mug

    def undo_and_again(mug):
        operation = withdraw(mug, 1, "Shop", JULY)
        undo(operation)

    return in_app(fill)


def rows(person, address):
    """Return the rows of a report's CSV file."""
    question, _, query = address.partition("?")
    text = person.client.get(f"{PAGE}/{question}.csv?{query}").text
    return list(csv.DictReader(io.StringIO(text)))


def values(person, address):
    """Return the rows of a report's CSV file without their names."""
    return [list(row.values()) for row in rows(person, address)]


def answer(person, address):
    return Caller(person)("GET", f"/api/gfm/reports/{address}").json


def test_use_by_team_is_what_was_withdrawn_less_what_was_undone(boss, summer):
    assert values(boss, f"use?{SUMMER}") == [
        ["2026-06", "Kitchen", "9", "22.50"],
        ["2026-07", "", "5", "15.00"],
    ]
    page = boss.open(f"{PAGE}/use?{SUMMER}")
    assert table(page, "Units by month and team") == [
        ["Jun 2026", "9", "–", "9"],
        ["Jul 2026", "–", "5", "5"],
    ]
    assert table(page, "Use")[1] == ["2026-07", "No team", "5", "£15.00"]
    assert page.all(".figure") == ["£37.50", "14 units"]
    assert page.all(".legend li") == ["Kitchen", "No team"]


def test_use_by_item_has_the_same_sums(boss, summer):
    assert values(boss, f"use?{SUMMER}&by=item") == [
        ["2026-06", "Red heart", "Main", "7", "pcs", "17.50"],
        ["2026-06", "Mug", "Main", "2", "pcs", "5.00"],
        ["2026-07", "Red heart", "Main", "5", "pcs", "15.00"],
    ]
    assert values(boss, f"use?{SUMMER}&site=guildford&by=item") == []


def test_items_of_one_name_and_teams_named_like_a_column_keep_their_own_figures(in_app, boss):
    def fill():
        with as_of(JUNE):
            for number, store in enumerate((MAIN, NORTHERN), start=2):
                factories.items([("Red heart", 9)], store=store)
                heart = factories.read_item(store, "Red heart").id
                withdraw(heart, number, ("day", "In all")[number - 2], JUNE, store)

    in_app(fill)
    page = boss.open(f"{PAGE}/use?{SUMMER}&by=item")
    assert page.all(".legend li") == ["Red heart, Northern", "Red heart, Main"]
    of_site = boss.open(f"{PAGE}/use?{SUMMER}&by=item&site=main")
    assert of_site.all(".legend li") == ["Red heart"]
    assert table(page, "Units by month and item")[0] == ["Jun 2026", "3", "2", "5"]
    links = [link["href"] for link in page.html.select(".figures td a")]
    assert ["/northern/" in link for link in links] == [True, False, False]
    assert "/main/" in links[1]
    page = boss.open(f"{PAGE}/use?{SUMMER}")
    assert table(page, "Units by month and team")[0] == ["Jun 2026", "3", "2", "5"]
    links = [link["href"] for link in page.html.select(".figures td a")]
    assert ["team=" in link for link in links] == [True, True, False]
    assert page.html.select(".figures th a") == []


def test_the_most_used_items_and_teams_come_first(boss, summer):
    assert [row["item"] for row in rows(boss, f"top?{SUMMER}")] == ["Red heart", "Mug"]
    page = boss.open(f"{PAGE}/top?{SUMMER}")
    assert page.all(".highest li") == ["Red heart 12", "Mug 2"]
    assert [row["units"] for row in rows(boss, f"top?{SUMMER}&by=team")] == ["9", "5"]


def test_figures_lead_to_their_rows(boss, summer):
    for question in ("use", "use?by=item", "top", "value", f"value?as_of={JULY}", "idle"):
        page = boss.open(f"{PAGE}/{question}")
        links = {link["href"] for link in page.html.select("main table a, main .highest a")}
        assert links or question == "idle", question
        for link in links:
            assert boss.open(link).status == 200, link
    behind = boss.open(f"{PAGE}/use?{SUMMER}").html.select("td.num a")[0]["href"]
    assert "event=withdrawal&team=Kitchen&from=2026-06-01&to=2026-06-30" in behind


def test_json_has_the_rows_of_the_file(boss, summer):
    for address in ("use", "use?by=item", "top", "value", f"value?as_of={JULY}", "counts", "idle"):
        reply = answer(boss, address)
        assert reply["question"] == address.partition("?")[0]
        found = rows(boss, address)
        assert len(reply["rows"]) == len(found), address
        for row, cells in zip(reply["rows"], found, strict=True):
            assert row.keys() == cells.keys(), address
            if cells.get("valueGBP"):
                assert f"{row['valueGBP']:.2f}" == cells["valueGBP"], address


def test_value_by_month_is_not_known_before_the_first_entry(boss, summer):
    found = rows(boss, "value?from=2026-04-01&to=2026-06-30&site=main")
    assert [row["valueGBP"] for row in found] == ["", "375.00", "279.00"]
    page = boss.open(f"{PAGE}/value?from=2026-04-01&to=2026-06-30")
    months = table(page, "Value by month and site")
    assert months[0] == ["30 Apr 2026", "Not known", "Not known", "Not known", "Not known"]
    assert months[2] == ["30 Jun 2026", "£279.00", "Not known", "Not known", "£279.00"]


def test_the_stock_of_a_day_has_lines_prices_and_values(boss, summer):
    assert values(boss, "value?as_of=2026-06-30&site=main") == [
        ["Red heart", "Main", "53", "pcs", "3.00", "159.00"],
        ["Mug", "Main", "48", "pcs", "2.50", "120.00"],
    ]
    page = boss.open(f"{PAGE}/value?as_of=2026-04-30")
    assert "Main is not known before 2 May 2026." in page.text


def test_a_value_can_be_as_it_was_known_and_late_entries_are_listed(boss, summer):
    day = "2026-06-20"
    assert table(boss.open(f"{PAGE}/value?as_of={day}"), "Late entries") == []
    found = rows(boss, f"value?as_of={day}&known_on=2026-06-05&site=main")
    amounts = {row["item"]: row["amount"] for row in found}
    assert amounts == {"Red heart": "100", "Mug": "50"}
    page = boss.open(f"{PAGE}/value?as_of={day}&known_on=2026-06-05")
    assert ["Red heart", "Main", "10 Jun 2026", "10 Jun 2026", "−7"] in table(page, "Late entries")
    assert "On 20 Jun 2026, as known on 5 Jun 2026" in page.text


def test_a_value_of_which_nothing_was_known_is_said_so_beside_the_late_entries(boss, summer):
    page = boss.open(f"{PAGE}/value?as_of=2026-06-20&known_on=2026-04-30")
    assert len(table(page, "Late entries")) == 5
    assert "Not known, or nothing in stock had a price." in page.all(".note")


def test_late_entries_have_their_site_among_several_and_say_when_they_are_cut(
    boss, summer, monkeypatch
):
    address = f"{PAGE}/value?as_of=2026-06-20&known_on=2026-06-05"
    late = table(boss.open(address), "Late entries")
    assert late[0][:2] == ["Red heart", "Main"]
    assert "Main" not in table(boss.open(f"{address}&site=main"), "Late entries")[0]
    assert "late entries." not in boss.open(address).text
    monkeypatch.setattr(reports, "MAX_LATE", 2)
    page = boss.open(address.replace("06-05", "06-06"))
    assert table(page, "Late entries") == late[:2]
    assert f"The latest 2 of {len(late)} late entries." in page.all(".note")


@pytest.fixture
def counted(in_app, boss):
    """Count five lines, two with a difference, and one more that is undone."""

    def fill():
        with as_of(date(2026, 5, 2)):
            heart, mug = factories.items([("Red heart", 100), ("Mug", 50)])
        lines = [Increase(heart, 0, EntryKind.COUNT), Decrease(mug, 3, EntryKind.COUNT)]
        with as_of(JUNE):
            factories.record(MAIN, *lines, by=1, on=JUNE)
            undo(factories.record(MAIN, Decrease(heart, 9, EntryKind.COUNT), by=1, on=JUNE))
            again = factories.record(MAIN, Decrease(heart, 1, EntryKind.COUNT), by=1, on=JUNE)
            undo(again)
            undo(last_operation())
        with as_of(JULY):
            factories.record(MAIN, Increase(mug, 2, EntryKind.COUNT), by=1, on=JULY)
            factories.record(MAIN, Increase(heart, 0, EntryKind.COUNT), by=1, on=TODAY)

    return in_app(fill)


WRONG = (
    ("to=2999-01-01", "to", "Choose a day up to today."),
    ("as_of=2999-01-01", "as_of", "Choose a day up to today."),
    ("known_on=2999-01-01", "known_on", "Choose a day up to today."),
    ("from=2024-01-01&to=2026-01-01", "from", "Choose at most 24 months."),
    ("from=2026-02-01&to=2026-01-01", "from", "From (1 Feb 2026) is later than to (1 Jan 2026)."),
    ("as_of=1999-01-01", "as_of", "Date can't be before 1 Jan 2000."),
    ("known_on=soon", "known_on", '"soon" is not a date like 2011-12-09'),
    ("site=moon", "site", 'There is no site "moon".'),
    ("by=moon", "by", "Choose team or item."),
    ("days=0", "days", "Choose 1 to 3,650 days."),
)


def test_wrong_arguments_are_named_at_their_field_and_nothing_is_answered(boss):
    call = Caller(boss)
    for query, field, message in WRONG:
        question = {"by": "use", "days": "idle"}.get(field, "value")
        page = boss.open(f"{PAGE}/{question}?{query}")
        assert (page.status, message in page.text) == (422, True), query
        assert page.html.select(f'[name="{field}"][aria-invalid]'), query
        assert boss.client.get(f"{PAGE}/{question}.csv?{query}").status_code == 422, query
        reply = call("GET", f"/api/gfm/reports/{question}?{query}")
        assert reply.status_code == 422, query
        if field not in ("site", "by"):
            assert list(reply.json["fields"].values()) == [message], query


def test_two_years_are_answered_by_quarters_in_a_small_picture(in_app, boss):
    def fill():
        for number, store in enumerate((MAIN, GUILDFORD, NORTHERN)):
            with as_of(date(2024, 6, 1)):
                factories.items([("Red heart", 90 + number)], store=store)

    in_app(fill)
    page = boss.open(f"{PAGE}/value?from=2024-06-01&to=2026-05-31")
    assert page.status == 200
    picture = str(page.html.select_one("svg[role=img]"))
    assert len(picture) < 6_000
    assert "style=" not in picture
    assert len(rows(boss, "value?from=2024-06-01&to=2026-05-31")) == 24 * 3


def test_viewers_read_and_export_and_others_do_not(in_app, person):
    in_app(factories.user, "viewer", Division.GFM, roles=[Role.VIEWER])
    person.sign_in("viewer", follow=False)
    assert person.open(f"{PAGE}").status == 200
    assert "Insight" in person.open(f"{PAGE}/use").all("nav a")
    assert person.client.get(f"{PAGE}/use.csv").status_code == 200
    assert person.client.get("/stock/gpm/insight/use").status_code == 403


def test_a_report_takes_few_statements(app, boss, summer, counted):
    with app.app_context():
        engine = db.engine
    for address in (
        *("use", "use?by=item", "top", "value", "counts", "counts?days=90", "idle"),
        "value?as_of=2026-07-04&known_on=2026-06-05",
    ):
        with recording(engine) as recorded:
            assert boss.client.get(f"{PAGE}/{address}").status_code == 200
        assert len(recorded.statements()) <= 8, address


def test_shares_are_rounded_down_and_users_named():
    assert [describe_share(*pair) for pair in ((199, 200), (1999, 2000), (0, 0))] == [
        *("99.5%", "99.9%", "–"),
    ]
    assert describe_users([Site.MAIN, Site.NORTHERN]) == "Main and Northern use it"

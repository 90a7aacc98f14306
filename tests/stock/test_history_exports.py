"""The CSV exports of the history screens."""

import csv
import io
from datetime import UTC, datetime

import pytest

from app import dates
from app.divisions import Division
from app.money import plain_pounds
from app.stock.queries import history as queries
from app.stock.rules.history import HistoryEvent
from app.stock.services.history import PastEntry
from app.tables.csv_files import escape
from tests import factories
from tests.stock.test_history_pages import move_twice

pytestmark = pytest.mark.differs_by_engine

AT = datetime(2011, 7, 9, 11, 50, tzinfo=UTC)


def lines(response):
    return response.get_data(as_text=True).split("\r\n")


def test_the_gfm_export_has_its_name_columns_and_formats(app, keeper, add_history):
    add_history(
        PastEntry(AT, HistoryEvent.DELIVERY, "Tea, green", 3000, "Shop", "Delivery from x", 495),
        PastEntry(
            AT.replace(second=7), HistoryEvent.OTHER, 'Say "hi"', -3, "£5", "", 99, site="other"
        ),
    )
    response = keeper.client.get("/history/export")
    assert response.status_code == 200
    assert response.mimetype == "text/csv"
    assert response.headers["Content-Disposition"] == (
        f"attachment; filename=history_export_{dates.today()}.csv"
    )
    assert lines(response) == [
        "date,event,team,item,amount,unitPrice,totalPrice,site",
        '2011-07-09 12:50:07,Other,,"Say ""hi""",-3,0.99,-2.97,other',
        "2011-07-09 12:50,Delivery,Shop,Tea; green,3000,4.95,14850.00,main",
        "",
    ]


def test_the_gpm_export_has_columns_of_its_own(trader, add_history):
    add_history(
        PastEntry(AT, HistoryEvent.DELIVERY, "Tea", 3, "Shop", site=""), division=Division.GPM
    )
    response = trader.client.get("/gpm/history/export")
    assert response.headers["Content-Disposition"] == (
        f"attachment; filename=gpm_history_{dates.today()}.csv"
    )
    assert lines(response)[:2] == [
        "date,event,team,item,amount,site",
        "2011-07-09 12:50,Delivery,Shop,Tea,3,–",
    ]


TEXTS = ("=1+1", "'quoted", 'a "b", c', "semi;colon", "Café ☕", "£5", "Polo M", "Shop", "-")


@pytest.mark.parametrize("division", [Division.GFM, Division.GPM])
def test_each_line_is_exported_as_it_is_displayed(app, person, add_history, division):
    add_history(
        *(
            PastEntry(
                AT.replace(month=1 + n % 12, minute=n, second=n % 3),
                list(HistoryEvent)[n % 3],
                text,
                n if n % 3 < 2 else -n,
                TEXTS[(n + 4) % len(TEXTS)],
                "",
                unit_price=n * 45,
                total_price=None if n % 2 else -n * 10**12,
                site=("main", "other", "")[n % 3],
            )
            for n, text in enumerate(TEXTS * 2)
        ),
        division=division,
    )
    with app.app_context():
        factories.user("reader", division)
        rows = queries.newest_rows(division, 100)
    person.sign_in("reader", follow=False)
    path = "/history/export" if division is Division.GFM else "/gpm/history/export"
    body = person.client.get(path).get_data(as_text=True)
    assert [list(line.values()) for line in csv.DictReader(io.StringIO(body, newline=""))] == [
        [
            dates.format_local_time(row.at),
            row.event.value,
            escape(row.team.replace(",", ";")),
            escape(row.item.replace(",", ";")),
            str(row.amount),
            *(
                [plain_pounds(row.unit_price), plain_pounds(row.total_price)]
                if division is Division.GFM
                else []
            ),
            row.site or "–",
        ]
        for row in rows
    ]


def test_the_export_contains_the_filtered_rows(app, keeper, add_history):
    with app.app_context():
        move_twice(factories.item("Red heart", 10), team="Bar")
    add_history(PastEntry(AT, HistoryEvent.DELIVERY, "Tea", 3, "Shop"))
    page = keeper.open("/history?q=heart&event=Other&from=2026-07-02&to=2026-07-02")
    assert lines(keeper.client.get(page.link("Export CSV")))[1:-1] == [
        "2026-07-02 12:00,Other,,Red heart,3,2.50,7.50,guildford",
        "2026-07-02 12:00,Other,,Red heart,-3,2.50,-7.50,main",
    ]
    assert len(lines(keeper.client.get("/history/export?team=shop"))) == 3
    assert len(lines(keeper.client.get("/history/export?q=zzz"))) == 2


def test_an_export_is_sent_in_pieces_while_it_is_read_and_compressed(keeper, add_history):
    add_history(
        *(PastEntry(AT, HistoryEvent.DELIVERY, f"Item {n:05d}", 1, "Shop") for n in range(3000))
    )
    response = keeper.client.get("/history/export", buffered=False)
    pieces = list(response.iter_encoded())
    assert len(pieces) > 3
    assert max(map(len, pieces)) < 40_000
    assert b"".join(pieces).count(b"\r\n") == 3001
    response = keeper.client.get("/history/export", headers={"Accept-Encoding": "br"})
    assert response.headers["Content-Encoding"] == "br"
    assert len(response.data) < 50_000

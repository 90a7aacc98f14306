"""Lists as files: CSV and Excel, what is listed or all, and everything of a division."""

import io
from zipfile import ZipFile

import pytest
from python_calamine import CalamineWorkbook

from app.divisions import Division, Role
from app.errors import Invalid
from app.exports.targets import TARGETS, lists_of
from app.records.targets import RowState
from app.tables.sheets import read_sheet
from app.tables.xlsx_files import write_workbook
from tests import factories
from tests.records.test_targets import FIRST, apply, states

GFM, GPM, FLEET, ASSETS = Division
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
def boss(signed_in):
    """Return a function that returns a manager who has chosen a division."""
    return lambda division: signed_in(f"boss-{division}", division, division=division)


@pytest.fixture
def every_list(in_app):
    """Give each list something, with texts that spreadsheets like to change."""
    for key, text in FIRST.items():
        in_app(apply, TARGETS[key], text.encode())
    in_app(factories.item, "007", category="=1+1", amount=5)
    in_app(factories.check, "LK19 VTE", by=in_app(factories.user, "driver", FLEET))


def cells(data):
    """Return the cells of a file, without the ' by which a text isn't a formula."""
    return [[cell.removeprefix("'") for cell in row] for _, row in read_sheet(data)]


@pytest.mark.differs_by_engine
@pytest.mark.usefixtures("every_list")
def test_what_every_list_exports_changes_nothing_when_it_is_imported(boss, in_app):
    filled = set()
    for division in Division:
        person = boss(division)
        page = person.open("/export")
        lists = lists_of(division)
        assert page.all(".rows .name") == [each.label for each in lists.values()]
        for key, each in lists.items():
            csv, xlsx = (
                person.client.get(page.link(f"{each.label} as {name}")) for name in ("CSV", "Excel")
            )
            assert (csv.status_code, xlsx.status_code) == (200, 200), key
            assert xlsx.headers["Content-Disposition"] == f"attachment; filename={key}.xlsx"
            assert xlsx.mimetype == XLSX
            assert cells(xlsx.data) == cells(csv.data), key
            if key not in TARGETS:
                continue
            before = in_app(lambda key=key: list(TARGETS[key].rows()))
            for data in (csv.data, xlsx.data):
                found = in_app(states, TARGETS[key], data)
                assert found == [RowState.UNCHANGED] * len(before), key
                in_app(apply, TARGETS[key], data)
            assert in_app(lambda key=key: list(TARGETS[key].rows())) == before, key
            filled |= {key} if before else set()
    assert filled >= FIRST.keys()


@pytest.mark.usefixtures("every_list")
def test_all_cells_of_a_workbook_are_texts(boss):
    data = boss(GFM).client.get("/inventory/main.csv?format=xlsx").data
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python()
    rows = [dict(zip(sheet[0], row, strict=True)) for row in sheet[1:]]
    found = {(row["item"], row["amount"], row["category"], row["unitPrice"]) for row in rows}
    assert ("007", "5", "=1+1", "2.50") in found
    assert ("=Tea", "79", "Hot, sweet", "2.10") in found
    assert b"<f>" not in ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml")


@pytest.mark.usefixtures("every_list")
def test_a_list_exports_what_it_shows(boss):
    traders, keepers, drivers = boss(GPM), boss(GFM), boss(FLEET)
    for person, address, found in (
        (keepers, "/inventory/main?q=tea", ["item", "=Tea"]),
        (keepers, "/inventory/main?category=none", ["item"]),
        (traders, "/gpm/deliveries?q=mug", ["delivery", "2"]),
        (traders, "/gpm/deliveries?status=cancelled", ["delivery"]),
        (traders, "/services?q=wind", ["name", "Windows"]),
        (traders, "/keys?q=boiler", ["code", "+1"]),
        (drivers, "/vehicles?q=lk19", ["reg", "LK19 VTE"]),
        (drivers, "/vehicles?q=none", ["reg"]),
    ):
        path, _, query = address.partition("?")
        for name in ("csv", "xlsx"):
            reply = person.client.get(f"{path}.csv?{query}&format={name}")
            names = [row[0].removeprefix("'") for _, row in read_sheet(reply.data)]
            assert names == found, (address, name)
    page = keepers.open("/inventory/main?q=tea")
    assert page.link("Export Excel") == "/inventory/main.csv?format=xlsx&q=tea"
    columns = traders.client.get("/gpm/deliveries.csv?status=delivered").text.strip().split(",")
    assert columns[-4:] == ["orderNumber", "deliveredAt", "cancelledAt", "cancelReason"]


@pytest.mark.usefixtures("every_list")
def test_hidden_columns_are_left_out_of_files_of_both_formats(boss):
    drivers = boss(FLEET)
    for name in ("csv", "xlsx"):
        data = drivers.client.get(f"/vehicles.csv?columns=-make,-model&format={name}").data
        header = next(iter(read_sheet(data)))[1]
        assert header[0] == "reg"
        assert {"make", "model"}.isdisjoint(header)


def test_wrong_addresses_are_refused(boss):
    person = boss(GFM)
    for address, status, message in (
        ("/history/export?format=pdf", 422, "There is no such format. Choose csv or xlsx."),
        ("/export/gfm/<b>.csv", 404, 'There is no list "<b>".'),
        ("/export/assets/assets.csv", 403, "Ask an administrator for access"),
    ):
        page = person.open(address)
        assert (page.status, message in page.text) == (status, True), address


@pytest.mark.differs_by_engine
@pytest.mark.usefixtures("every_list")
def test_managers_take_everything_of_their_division(boss, app, tmp_path):
    for division in Division:
        person = boss(division)
        reply = person.client.get(person.open("/export").link(f"Everything of {division.label}"))
        archive = ZipFile(io.BytesIO(reply.data))
        lists = lists_of(division)
        assert archive.testzip() is None
        assert archive.namelist() == ["README.txt", *(f"{key}.csv" for key in lists)]
        readme = archive.read("README.txt").decode()
        for key, each in lists.items():
            file = archive.read(f"{key}.csv")
            assert file == person.client.get(f"/export/{division}/{key}.csv").data, key
            part = readme.partition(f"\n{key}.csv: {each.label}")[2].partition("\n\n")[0]
            assert part.startswith(", can be imported again") == (key in TARGETS), key
            named = [line.split()[0].rstrip(":") for line in part.splitlines()[1:]]
            assert named == file.decode().splitlines()[0].split(","), key
    assert "  purchasePrice: Purchase Price; pounds, such as 2.50" in readme

    file = tmp_path / "everything.zip"
    run = app.test_cli_runner().invoke
    done = run(args=["export", "all", "--division", "assets", "--output", str(file)])
    assert (done.exit_code, done.output) == (0, "everything.zip: everything of Assets.\n")
    assert ZipFile(file).namelist() == archive.namelist()
    trail = run(args=["audit", "export"]).output.splitlines()
    assert sum("everything of assets" in line for line in trail) == 2


def test_everything_is_sent_while_it_is_read(boss, in_app):
    in_app(factories.items, [(f"Item {number}", number) for number in range(3000)])
    with boss(GFM).client.get("/export/gfm/all.zip", buffered=False) as reply:
        chunks = [chunk for chunk in reply.iter_encoded() if chunk]
    assert len(chunks) > 5
    assert ZipFile(io.BytesIO(b"".join(chunks))).testzip() is None


def test_only_managers_take_everything(signed_in):
    worker = signed_in("worker", GFM, roles=(Role.WORKER,), division=GFM)
    reason = "Only a manager of GFM's stock can do this. Ask one."
    assert reason in worker.open("/export").text
    assert worker.open("/export/gfm/all.zip").status == 403


def test_a_workbook_refuses_what_it_cannot_hold():
    with pytest.raises(Invalid, match="more than a workbook can hold"):
        next(write_workbook(iter(["text\r\n", f"{'x' * 32_768}\r\n"])))

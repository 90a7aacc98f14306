"""The options of every `import` command, on the register of assets."""

from functools import partial

import pytest

from app import dates
from app.assets.queries import register
from tests import factories
from tests.test_sheets import ods


@pytest.fixture
def flask(app, tmp_path):
    runner = app.test_cli_runner()

    def run(group, content, *options):
        file = tmp_path / "list.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        result = runner.invoke(args=[group, "import", str(file), *options])
        return result.exit_code, result.output

    return run


@pytest.fixture
def load(flask):
    return partial(flask, "assets")


@pytest.fixture
def listed(app):
    def listed():
        with app.app_context():
            states = map(register.state_of, register.stream_register())
            return [(state.id, state.item, state.purchase_date) for state in states]

    return listed


def test_columns_with_other_names_are_mapped_and_further_ones_left_out(load, listed):
    content = "Asset Tag,ID,Item,Colour\nT1,7,Desk,red\n"
    code, output = load(content, "--map", "Asset Tag=id")
    assert (code, 'row 1: "ID" is unknown, "Colour" is unknown' in output) == (1, True)
    assert load(content, "--map", "Asset Tag=id", "--ignore-unknown") == (
        *(0, "list.csv: 1 added, 0 changed, 0 unchanged.\n"),
    )
    assert listed() == [("T1", "Desk", None)]
    for mapped, message in (
        ("Tag=id", 'There is no column "Tag"; there is: Asset Tag, ID, Item, Colour'),
        ("Asset Tag=tag", 'There is no column "tag"; there is: id, item,'),
    ):
        code, output = load(content, "--map", mapped)
        assert (code, f"list.csv: {message}" in output) == (1, True)


def test_a_sheet_is_chosen_by_its_name(load, listed):
    book = ods(Old=[["item"], ["Desk"]], New=[["item"], ["Lamp"]])
    assert load(book, "--sheet", "New")[0] == 0
    assert [item for _, item, _ in listed()] == ["Lamp"]
    code, output = load(book, "--sheet", "Newer")
    assert (code, 'There is no sheet "Newer"; there is: Old, New' in output) == (1, True)


def test_days_that_contradict_each_other_ask_for_their_order(load, listed):
    both = "ID,Item,Purchase date\nA,Desk,13/02/26\nB,Lamp,02/13/26\n"
    code, output = load(both)
    question = (
        "13/02/26 and 02/13/26 can't both be right. Choose the order of days, or write 2026-02-13."
    )
    assert (code, question in output) == (1, True)
    code, output = load(both, "--month-first")
    assert (code, 'row 2, Purchase date: "13/02/26" is not a date' in output) == (1, True)
    assert load("ID,Item,Purchase date\nA,Desk,3/2/2026\n", "--month-first")[0] == 0
    assert [str(day) for _, _, day in listed()] == ["2026-03-02"]


def test_refused_rows_are_left_out_into_a_file_that_says_why(load, listed, tmp_path):
    refused = tmp_path / "refused.csv"
    options = ("--leave-out-refused", str(refused))
    content = 'id;item;quantity\nA;Desk;0\nB;"Lamp; big";1\nA;;2\n'
    for more in (("--dry-run",), ()):
        code, output = load(content, *options, *more)
        done = f"list.csv: 1 added, 0 changed, 0 unchanged. 2 rows left out: {refused}."
        assert (code, output.startswith(done)) == (0, True)
        assert refused.read_text().splitlines() == [
            "id,item,quantity,why",
            'A,Desk,0,"quantity: Quantity must be 1 to 999,999,999"',
            'A,,2,"id: ""A"" is already in row 2; item: Item name is required"',
        ]
        assert listed() == ([] if more else [("B", "Lamp; big", None)])
    assert load("item\nDesk\n", *options)[1].count("left out") == 0
    assert load("colour\nred\n", *options)[0] == 1


def test_moves_and_deliveries_go_out_and_in(app, flask, in_app):
    in_app(factories.asset, "Desk", id="A1", location="Hall")
    file = "date,id,startPosition,endPosition\n2026-01-02,a1,,Hall\n"
    assert flask("moves", file) == (0, "list.csv: 1 added, 0 changed, 0 unchanged.\n")
    assert flask("moves", file) == (0, "list.csv: 0 added, 0 changed, 1 unchanged.\n")
    run = app.test_cli_runner().invoke
    assert run(args=["moves", "export"]).output == (
        "date,id,item,startPosition,endPosition,user\n2026-01-02,A1,Desk,,Hall,\n"
    )
    where = ("--division", "gpm")
    file = "item,amount,supplier\nTea,5,Oak\nMug,2,OAK\nCup,1,Ash\n"
    done = "list.csv: 3 added, 0 changed, 0 unchanged.\n"
    assert flask("deliveries", file, *where) == (0, done)
    exported = run(args=["deliveries", "export", *where]).output
    assert exported.splitlines()[1] == f"1,Tea,5,0.00,Oak,main,,{dates.today()},"
    edited = exported.replace("Tea,5", "Tea,6")
    done = "list.csv: 0 added, 1 changed, 2 unchanged.\n"
    assert flask("deliveries", edited, *where) == (0, done)

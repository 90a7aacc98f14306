"""`flask directory`: lists are imported whole or not at all, exported and edited."""

import pytest

from app.directory import queries
from app.directory.rules import DirectoryList
from app.directory.schemas import HANDOVER_LIST
from tests import factories
from tests.listing import listed

KEYS = "code,name,holder,notes\n"


@pytest.fixture
def flask(app):
    runner = app.test_cli_runner()

    def run(*arguments):
        result = runner.invoke(args=["directory", *arguments])
        return result.exit_code, result.output

    return run


@pytest.fixture
def load(flask, tmp_path):
    def load(list_name, content, *options):
        file = tmp_path / "list.csv"
        file.write_text(content)
        return flask("import", list_name, str(file), *options)

    return load


@pytest.fixture
def holders(app):
    def holders():
        with app.app_context():
            return {key.label: key.holder for key in queries.all_keys()}

    return holders


@pytest.mark.parametrize(
    ("list_name", "content"),
    [
        ("teams", "name\nGarden\nKitchen\n"),
        ("suppliers", 'name,leadDays\n\'=Sum Ltd,\n"Tea, Coffee & Co",14\n'),
        ("services", "name,description\nPortering,\nWindows,'-twice a year\n"),
        ("keys", KEYS + "K1,Boiler room,Kitchen,Ask first\n,Gate,,\n".replace("K1", "A1")),
    ],
)
def test_importing_an_exported_list_changes_nothing(flask, load, tmp_path, list_name, content):
    assert load(list_name, content) == (0, "list.csv: 2 added, 0 changed, 0 unchanged.\n")
    file = tmp_path / "export.csv"
    assert flask("export", list_name, "--output", str(file)) == (0, "")
    code, output = flask("import", list_name, str(file))
    assert (code, output) == (0, "export.csv: 0 added, 0 changed, 2 unchanged.\n")
    assert flask("export", list_name) == (0, content)


def test_an_import_sets_its_entries_and_keeps_others(app, in_app, load, holders):
    in_app(factories.key, "K1", holder="Kitchen")
    in_app(factories.key, "K2", holder="Garden")
    code, output = load("keys", KEYS + "k1,,Attic,\nK3,,,\n")
    assert (code, output) == (0, "list.csv: 1 added, 1 changed, 0 unchanged.\n")
    assert holders() == {"K1": "Attic", "K2": "Garden", "K3": ""}
    with app.app_context():
        newest, *_ = listed(HANDOVER_LIST).rows
        assert (newest.holder_before, newest.holder, newest.username) == ("Kitchen", "Attic", "")


def test_an_import_sets_a_services_description(app, load):
    load("services", "name,description\nWindows,Once\n")
    code, output = load("services", "name,description\nWINDOWS,Twice\n")
    assert (code, output) == (0, "list.csv: 0 added, 1 changed, 0 unchanged.\n")
    with app.app_context():
        (service,) = queries.entries(DirectoryList.SERVICES)
        assert (service.name, service.description) == ("Windows", "Twice")


def test_an_import_sets_a_suppliers_lead_days_and_leaves_them_alone_without_any(flask, load):
    load("suppliers", "name,leadDays\nHearth,14\n")
    for content in ("name\nHearth\n", "name,leadDays\nHEARTH,\n"):
        assert load("suppliers", content) == (0, "list.csv: 0 added, 0 changed, 1 unchanged.\n")
    assert load("suppliers", "name,leadDays\nHEARTH,21\n")[1] == (
        "list.csv: 0 added, 1 changed, 0 unchanged.\n"
    )
    assert flask("export", "suppliers") == (0, "name,leadDays\nHearth,21\n")


@pytest.mark.parametrize(
    ("list_name", "content"), [("teams", "name\nGarden\n"), ("keys", KEYS + "K1,,Kitchen,\n")]
)
def test_a_dry_run_reports_changes_and_makes_none(flask, load, list_name, content):
    message = "list.csv: 1 added, 0 changed, 0 unchanged. Dry run: nothing was written.\n"
    assert load(list_name, content, "--dry-run") == (0, message)
    assert flask("export", list_name) == (0, content.partition("\n")[0] + "\n")


@pytest.mark.parametrize(
    ("list_name", "content", "error"),
    [
        ("teams", "name\n' \n", "row 2, name: Name is required"),
        ("teams", "name\nA\na \n", 'row 3, name: "a" is already in row 2'),
        ("teams", "name\n=1+1\n", 'row 2, name: "=1+1" starts like a formula'),
        ("teams", "name\n" + "x" * 101, "row 2, name: Name must be at most 100 characters"),
        ("teams", "team\nA\n", 'row 1: name is missing, "team" is unknown'),
        ("services", "name\nA\n", "row 1: description is missing"),
        ("services", "name,description\nA,@x\n", 'row 2, description: "@x" starts like'),
        ("teams", "name,leadDays\nA,7\n", 'row 1: "leadDays" is unknown'),
        ("suppliers", "name,leadDays\nA,366\n", "row 2, leadDays: Lead days must be at most 365"),
        ("keys", KEYS + ",,Kitchen,\n", "row 2, code: A key needs a code or a name"),
        ("keys", KEYS + "A,,,\n,a,,\n", 'row 3, name: "a" is already in row 2'),
        ("keys", KEYS + "A,,,\na,,,\n", 'row 3, code: "a" is already in row 2'),
        ("keys", KEYS + f"{'x' * 61},,,\n", "row 2, code: Code must be at most 60 characters"),
        ("keys", KEYS + "A,,\n", "row 2: 3 columns, the header has 4"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_imported(flask, load, list_name, content, error):
    code, output = load(list_name, content + "\n")
    assert code == 1
    assert "Nothing was imported." in output
    assert f"list.csv: {error}" in output
    assert len(flask("export", list_name)[1].splitlines()) == 1


def test_every_bad_row_is_named_once(load):
    _, output = load("keys", KEYS + "=A,,,\n,,,x\nC,,@,+\n")
    assert output.count("list.csv: row") == 4
    for place in ("row 2, code", "row 3, code", "row 4, holder", "row 4, notes"):
        assert f"list.csv: {place}: " in output


def test_an_entry_is_removed_and_a_keys_history_stays(app, in_app, flask, holders):
    in_app(factories.team, "Kitchen")
    in_app(factories.key, "K1", holder="Kitchen")
    assert flask("remove", "teams", "KITCHEN") == (0, 'Removed team "Kitchen".\n')
    assert flask("remove", "keys", "k1") == (0, 'Removed key "K1".\n')
    assert holders() == {}
    with app.app_context():
        assert queries.team_names() == []
        assert [h.holder for h in queries.stream_handovers()] == ["", "Kitchen"]


def test_a_missing_entry_cannot_be_removed(flask):
    for list_name in DirectoryList:
        message = f'Error: There is no {list_name.noun} "Attic".\n'
        assert flask("remove", list_name.value, "Attic") == (1, message)


def test_an_unknown_list_is_refused(flask):
    code, output = flask("export", "vehicles")
    assert (code, "is not one of" in output) == (2, True)

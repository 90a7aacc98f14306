"""`flask directory`: lists in and out, whole or not at all."""

import pytest

from app.directory import queries
from app.directory.rules import Kind
from tests import factories

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
    def load(kind, content, *options):
        file = tmp_path / "list.csv"
        file.write_text(content)
        return flask("import", kind, str(file), *options)

    return load


@pytest.fixture
def held(app):
    def held():
        with app.app_context():
            return {key.label: key.holder for key in queries.all_keys()}

    return held


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("teams", "name\nGarden\nKitchen\n"),
        ("suppliers", 'name\n\'=Sum Ltd\n"Tea, Coffee & Co"\n'),
        ("services", "name,description\nPortering,\nWindows,'-twice a year\n"),
        ("keys", KEYS + "K1,Boiler room,Kitchen,Ask first\n,Gate,,\n".replace("K1", "A1")),
    ],
)
def test_a_list_comes_in_and_its_export_changes_nothing(flask, load, tmp_path, kind, content):
    assert load(kind, content) == (0, "list.csv: 2 added, 0 changed, 0 unchanged.\n")
    file = tmp_path / "export.csv"
    assert flask("export", kind, "--output", str(file)) == (0, "")
    code, said = flask("import", kind, str(file))
    assert (code, said) == (0, "export.csv: 0 added, 0 changed, 2 unchanged.\n")
    assert flask("export", kind) == (0, content)


def test_an_import_sets_what_it_lists_and_leaves_others_alone(app, load, held):
    with app.app_context():
        factories.key("K1", holder="Kitchen")
        factories.key("K2", holder="Garden")
    code, said = load("keys", KEYS + "k1,,Attic,\nK3,,,\n")
    assert (code, said) == (0, "list.csv: 1 added, 1 changed, 0 unchanged.\n")
    assert held() == {"K1": "Attic", "K2": "Garden", "K3": ""}
    with app.app_context():
        (newest,) = queries.handovers_part(1)
        assert (newest.holder_before, newest.holder, newest.who) == ("Kitchen", "Attic", "")


def test_a_service_that_is_listed_again_takes_the_new_description(app, load):
    load("services", "name,description\nWindows,Once\n")
    code, said = load("services", "name,description\nWINDOWS,Twice\n")
    assert (code, said) == (0, "list.csv: 0 added, 1 changed, 0 unchanged.\n")
    with app.app_context():
        (service,) = queries.entries(Kind.SERVICES)
        assert (service.name, service.description) == ("Windows", "Twice")


@pytest.mark.parametrize(
    ("kind", "content"), [("teams", "name\nGarden\n"), ("keys", KEYS + "K1,,Kitchen,\n")]
)
def test_a_dry_run_says_what_would_change_and_changes_nothing(flask, load, kind, content):
    said = "list.csv: 1 added, 0 changed, 0 unchanged. Dry run: nothing was written.\n"
    assert load(kind, content, "--dry-run") == (0, said)
    assert flask("export", kind) == (0, content.partition("\n")[0] + "\n")


@pytest.mark.parametrize(
    ("kind", "content", "said"),
    [
        ("teams", "name\n' \n", "row 2, name: Name is required"),
        ("teams", "name\nA\na \n", 'row 3, name: "a" stands in row 2 already'),
        ("teams", "name\n=1+1\n", 'row 2, name: "=1+1" starts like a formula'),
        ("teams", "name\n" + "x" * 101, "row 2, name: Name must be at most 100 characters"),
        ("teams", "team\nA\n", 'row 1: name is missing, "team" is unknown'),
        ("services", "name\nA\n", "row 1: description is missing"),
        ("services", "name,description\nA,@x\n", 'row 2, description: "@x" starts like'),
        ("keys", KEYS + ",,Kitchen,\n", "row 2, code: A key needs a code or a name"),
        ("keys", KEYS + "A,,,\n,a,,\n", 'row 3, name: "a" stands in row 2 already'),
        ("keys", KEYS + "A,,,\na,,,\n", 'row 3, code: "a" stands in row 2 already'),
        ("keys", KEYS + f"{'x' * 61},,,\n", "row 2, code: Code must be at most 60 characters"),
        ("keys", KEYS + "A,,\n", "row 2: 3 columns, the header has 4"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_imported(flask, load, kind, content, said):
    code, output = load(kind, content + "\n")
    assert code == 1
    assert "Nothing was imported." in output
    assert f"list.csv: {said}" in output
    assert len(flask("export", kind)[1].splitlines()) == 1


def test_every_bad_row_is_named_once(load):
    _, said = load("keys", KEYS + "=A,,,\n,,,x\nC,,@,+\n")
    assert said.count("list.csv: row") == 4
    for place in ("row 2, code", "row 3, code", "row 4, holder", "row 4, notes"):
        assert f"list.csv: {place}: " in said


def test_a_wrong_entry_is_taken_away_and_a_keys_history_stays(app, flask, held):
    with app.app_context():
        factories.team("Kitchen")
        factories.key("K1", holder="Kitchen")
    assert flask("remove", "teams", "KITCHEN") == (0, 'Removed team "Kitchen".\n')
    assert flask("remove", "keys", "k1") == (0, 'Removed key "K1".\n')
    assert held() == {}
    with app.app_context():
        assert queries.team_names() == []
        assert [h.holder for h in queries.all_handovers()] == ["", "Kitchen"]


@pytest.mark.parametrize("kind", Kind)
def test_what_is_not_there_cannot_be_removed(flask, kind):
    said = f'Error: There is no {kind.noun} "Attic".\n'
    assert flask("remove", kind.value, "Attic") == (1, said)


def test_an_unknown_list_is_refused(flask):
    code, said = flask("export", "vehicles")
    assert (code, "is not one of" in said) == (2, True)

"""Screens, the API and the terminal leave the same trail."""

import pytest

from app.audit import queries
from app.db import db
from app.divisions import Division
from tests import factories
from tests.person import PASSWORD

EXPORTS = {
    "/history/export": "gfm history",
    "/gpm/history/export": "gpm history",
    "/assets/export": "assets",
    "/assets/history/export": "asset moves",
    "/fleetChecksList/vehicle-checks.csv": "vehicle checks",
    "/fleetChecksList/vehicle-checks.json": "vehicle checks",
}


@pytest.fixture
def keeper(in_app):
    return in_app(factories.user, "keeper", *Division)


@pytest.fixture
def trail(app, keeper):
    """Return a function that returns the entries after the account's own."""

    def trail():
        with app.app_context():
            db.session.rollback()
            return [(e.event, e.channel, e.user_id, e.subject) for e in queries.all_entries()][1:]

    return trail


def test_signing_in_and_out_on_a_screen(person, keeper, trail):
    person.sign_in("keeper", "wrong password")
    person.sign_in("keeper")
    person.post("/logout", person.open("/choose").fields("form[method=post]"))
    assert trail() == [
        ("sign-in-failure", "screen", None, "keeper"),
        ("sign-in", "screen", keeper, "keeper"),
        ("sign-out", "screen", keeper, "keeper"),
    ]


def test_signing_in_and_out_by_the_api(app, keeper, trail):
    client = app.test_client()
    body = {"username": "keeper", "password": PASSWORD}
    tokens = client.post("/api/auth/login", json=body).json
    bearer = {"Authorization": f"Bearer {tokens['accessToken']}"}
    assert client.post("/api/auth/logout", headers=bearer).status_code == 204
    assert trail() == [("sign-in", "api", keeper, "keeper"), ("sign-out", "api", keeper, "keeper")]


def test_an_export_of_a_screen(person, keeper, trail):
    person.sign_in("keeper")
    token = person.open("/choose").fields("form[method=post]")
    person.post("/choose", token | {"division": "gfm"})
    for address in EXPORTS:
        assert person.open(address).status == 200
    assert trail()[1:] == [("export", "screen", keeper, each) for each in EXPORTS.values()]


def test_imports_and_exports_at_the_terminal(app, trail, tmp_path):
    file = tmp_path / "stock.csv"
    file.write_text("item,amount,category,unitPrice\nRed heart,5,,1.00\n")
    run = app.test_cli_runner().invoke
    options = ["--division", "gfm", "--site", "main"]
    for arguments in (["import", str(file), "--dry-run"], ["import", str(file)], ["export"]):
        assert run(args=["stock", *arguments, *options]).exit_code == 0
    # An import that changes nothing isn't recorded.
    run(args=["stock", "import", str(file), *options])
    assert trail() == [
        ("import", "terminal", None, "gfm main stock"),
        ("export", "terminal", None, "gfm main stock"),
    ]

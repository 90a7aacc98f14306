"""`flask users`."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import PASSWORD, Person


@pytest.fixture
def users(app):
    runner = app.test_cli_runner()

    def run(*arguments, stdin=None):
        result = runner.invoke(args=["users", *arguments], input=stdin)
        return result.exit_code, result.output

    return run


@pytest.fixture
def keeper(in_app):
    return in_app(factories.user, "keeper", Division.GFM)


def test_a_created_account_can_sign_in(app, users):
    code, output = users(
        "create", "j.marsh", "--division", "gfm", "--password-stdin", stdin=PASSWORD + "\n"
    )
    assert (code, output) == (0, 'Created "j.marsh" for GFM.\n')
    assert Person(app).sign_in("j.marsh").all(".tag") == ["GFM"]


def test_an_account_without_divisions_and_scopes_gets_all_four(users):
    code, output = users("create", "boss", "--password-stdin", stdin=PASSWORD)
    assert code == 0
    assert 'Created "boss" for GFM, GPM, Fleet, Assets.' in output
    assert "all four were granted" in output


def test_creating_an_account_with_a_scope_explains_what_the_scope_grants(users):
    code, output = users(
        "create", "robot", "--scope", "gfm:read", "--password-stdin", stdin=PASSWORD
    )
    assert code == 0
    assert output.splitlines() == [
        'Created "robot" for GFM.',
        "A scope grants its whole division; the part after the colon does not limit it.",
    ]


def test_the_prompt_requires_the_password_twice(users):
    code, output = users("create", "x", "--division", "gpm", stdin=f"{PASSWORD}\n{PASSWORD}\n")
    assert code == 0
    assert PASSWORD not in output


REFUSED = (
    (["create", "keeper", "--password-stdin"], PASSWORD, 'User "keeper" already exists'),
    (["create", " KEEPER", "--password-stdin"], PASSWORD, "already exists"),
    (["create", " ", "--password-stdin"], PASSWORD, "Username is required"),
    (["create", "new", "--password-stdin"], "short", "at least 12 characters"),
    (["create", "n\u200bew", "--password-stdin"], PASSWORD, "can't be seen"),
    (["create", "new", "--scope", "gfm", "--password-stdin"], PASSWORD, "not a scope"),
    (["grant", "keeper", "--scope", f"gfm:{'x' * 120}"], None, "is not a scope like gfm:read"),
    (["disable", "nobody"], None, 'There is no user "nobody"'),
    (["revoke", "keeper", "--division", "gpm"], None, '"keeper" does not have: gpm'),
    (["grant", "keeper"], None, "Give at least one --division or --scope"),
    (["grant", "keeper", "--division", "hr"], None, "'hr' is not one of"),
    (["grant", "keeper", "--scope", "gfm:x", "--role", "viewer"], None, "Give the --division"),
    (["grant", "keeper", "--division", "gfm", "--role", "boss"], None, "'boss' is not one of"),
    (["revoke", "keeper", "--division", "gfm", "--role", "viewer"], None, "have: viewer of gfm"),
)


def test_a_refused_command_gives_the_reason_and_changes_nothing(users, keeper):
    before = users("list")
    for arguments, stdin, expected in REFUSED:
        code, output = users(*arguments, stdin=stdin)
        assert (code != 0, expected in output) == (True, True), arguments
        assert "Traceback" not in output, arguments
        assert users("list") == before, arguments


def test_accounts_are_listed_with_divisions_and_scopes(in_app, users):
    in_app(factories.user, "b", Division.FLEET, Division.GFM)
    in_app(factories.user, "a", scopes=["gpm:read"])
    users("disable", "b")
    assert users("list") == (0, "a\tactive\tGPM\tgpm:read\nb\tdisabled\tGFM, Fleet\n")


def test_divisions_are_granted_and_revoked(users, keeper):
    assert users("grant", "keeper", "--division", "fleet") == (0, '"keeper" now has GFM, Fleet.\n')
    assert users("grant", "keeper", "--division", "fleet")[0] == 0
    assert users("revoke", "keeper", "--division", "gfm") == (0, '"keeper" now has Fleet.\n')


def test_a_disabled_account_can_be_enabled_again(app, users, keeper):
    users("disable", "keeper")
    assert users("enable", "keeper")[0] == 0
    assert Person(app).sign_in("keeper").path == "/dashboard"


def test_a_duplicate_grant_is_stored_once(users, keeper):
    twice = ["--division", "gpm", "--division", "gpm", "--scope", "gpm:read", "--scope", "GPM:read"]
    assert users("grant", "keeper", *twice) == (0, '"keeper" now has GFM, GPM.\n')


def test_revoking_mentions_access_that_scopes_still_grant(in_app, users):
    in_app(factories.user, "robot", Division.GFM, scopes=["gfm:read"])
    code, output = users("revoke", "robot", "--division", "gfm")
    assert code == 0
    assert "Its scopes still grant GFM; revoke them with --scope." in output
    assert "its access comes from scopes" in users("revoke", "robot", "--division", "gfm")[1]


def test_an_account_is_created_with_a_role_in_each_of_its_divisions(users):
    arguments = ["--division", "gfm", "--division", "fleet", "--role", "viewer"]
    code, output = users("create", "auditor", *arguments, "--password-stdin", stdin=PASSWORD)
    assert (code, output) == (0, 'Created "auditor" for GFM (viewer), Fleet (viewer).\n')
    assert users("list")[1] == "auditor\tactive\tGFM (viewer), Fleet (viewer)\n"


def test_single_roles_are_granted_and_revoked(users, keeper):
    in_fleet = ["keeper", "--division", "fleet"]
    assert users("grant", *in_fleet, "--role", "viewer")[1] == (
        '"keeper" now has GFM, Fleet (viewer).\n'
    )
    assert users("grant", *in_fleet, "--role", "Worker")[1] == (
        '"keeper" now has GFM, Fleet (viewer and worker).\n'
    )
    assert users("revoke", *in_fleet, "--role", "viewer")[1] == (
        '"keeper" now has GFM, Fleet (worker).\n'
    )
    assert users("revoke", *in_fleet)[1] == '"keeper" now has GFM.\n'


def test_granting_a_lesser_role_tells_that_it_takes_nothing_away(users, keeper):
    code, output = users("grant", "keeper", "--division", "gfm", "--role", "viewer")
    assert (code, output.splitlines()) == (
        0,
        ['"keeper" now has GFM.', "A role takes nothing away: it still changes GFM as a worker."],
    )


def test_a_division_is_revoked_with_all_its_roles(in_app, users):
    in_app(factories.user, "keeper", Division.GFM, Division.GPM)
    users("grant", "keeper", "--division", "gpm", "--role", "viewer")
    assert users("revoke", "keeper", "--division", "gpm") == (0, '"keeper" now has GFM.\n')

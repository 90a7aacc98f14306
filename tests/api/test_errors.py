"""Codes of errors: every error has one, and docs/api.md lists them all."""

import re

from app import create_app, errors
from app.accounts.services.sessions import InvalidCredentials
from app.errors import ErrorCode, QuartermasterError
from tests.serving import ROOT

ROW = re.compile(r"^\| (\d{3}) \| `(\w+)` \|", re.MULTILINE)


def error_types(base: type[QuartermasterError]) -> list[type[QuartermasterError]]:
    """Return all subclasses of an error that the application has."""
    found = base.__subclasses__()
    return [*found, *(inner for error in found for inner in error_types(error))]


def documented() -> dict[str, int]:
    """Return the status of each code in the guide."""
    return {code: int(status) for status, code in ROW.findall((ROOT / "docs/api.md").read_text())}


def test_the_guide_lists_every_code():
    assert set(documented()) == {code.value for code in ErrorCode}


def test_every_type_of_error_has_the_status_that_the_guide_has_for_its_code():
    assert create_app
    statuses = documented()
    # SeveralErrors have those of the first; the login page shows its form again.
    on_pages = {InvalidCredentials}
    types = set(error_types(QuartermasterError)) - {errors.SeveralErrors} - on_pages
    assert len(types) > 12
    assert [error for error in types if statuses[error.code] != error.status] == []


def test_several_errors_have_status_and_code_of_the_first():
    first, second = errors.Conflict("Not enough"), errors.Invalid("Wrong")
    several = errors.SeveralErrors({"ops.1": first, "ops.3": second})
    assert (several.status, several.code, several.message) == (409, "conflict", "Not enough")
    assert several.fields == {"ops.1": "Not enough", "ops.3": "Wrong"}

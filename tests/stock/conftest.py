"""A keeper at work, and shorthands for the stock of main."""

import pytest

from app.divisions import Division
from tests import factories


@pytest.fixture
def keeper(app, person):
    with app.app_context():
        factories.user("keeper")
    person.sign_in("keeper")
    return person


@pytest.fixture
def stock(app):
    def stock(*args, **options):
        with app.app_context():
            return factories.item(*args, **options)

    return stock


@pytest.fixture
def amount(app):
    def amount(*args):
        with app.app_context():
            return factories.amount(*args)

    return amount


class Caller:
    """A browser's script: signed in, with our token."""

    def __init__(self, person):
        self.client = person.client
        self.token = person.open("/choose").fields("form")["csrf_token"]

    def __call__(self, method, path, body=None, **headers):
        sent = {"X-CSRFToken": self.token, "Accept": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.open(path, method=method, json=body, headers=sent)


@pytest.fixture
def call(app, person):
    with app.app_context():
        factories.user("keeper", Division.GFM, Division.GPM)
    person.sign_in("keeper")
    return Caller(person)

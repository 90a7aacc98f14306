"""People who keep views of GFM's stock list."""

import pytest

from app.divisions import Division
from tests import factories
from tests.person import Caller

LIST = "/inventory/main"


@pytest.fixture
def keeper(signed_in, in_app):
    """A worker of GFM, whose main site has tea and cups."""
    in_app(factories.items, [("Tea", 3)], category="Drinks")
    in_app(factories.items, [("Cup", 9)], category="Glass")
    return signed_in("keeper", Division.GFM)


@pytest.fixture
def call(keeper):
    return Caller(keeper)


@pytest.fixture
def save(call):
    """Return a function that saves a view of the list by its call, and returns its JSON."""

    def save(name="Drinks", query="category=Drinks", **others):
        body = {"list": LIST, "name": name, "query": query} | others
        reply = call("POST", "/api/views", body)
        assert reply.status_code == 201, reply.text
        return reply.json

    return save

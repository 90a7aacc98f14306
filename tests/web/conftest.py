"""A keeper who has signed in, with one item in stock."""

from functools import partial

import pytest

from tests import factories


@pytest.fixture
def keeper(in_app, person):
    made = in_app(factories.user, "keeper")
    person.sign_in("keeper", follow=False)
    return made


@pytest.fixture
def item(in_app, keeper):
    return in_app(factories.item, "Red heart", 10)


@pytest.fixture
def stock(in_app):
    """Return a function that counts the red hearts in stock."""
    return partial(in_app, factories.amount, "Red heart")

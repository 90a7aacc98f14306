"""A keeper who has signed in, with one item in stock."""

import pytest

from tests import factories


@pytest.fixture
def keeper(app, person):
    with app.app_context():
        made = factories.user("keeper")
    person.sign_in("keeper", follow=False)
    return made


@pytest.fixture
def item(app, keeper):
    with app.app_context():
        return factories.item("Red heart", 10)


@pytest.fixture
def stock(app):
    """Return a function that counts the red hearts in stock."""

    def count():
        with app.app_context():
            return factories.amount("Red heart")

    return count

"""A keeper who has signed in, with one item in stock."""

import pytest

from tests import factories


@pytest.fixture
def item(app, person):
    with app.app_context():
        factories.user("keeper")
        made = factories.item("Red heart", 10)
    person.sign_in("keeper", follow=False)
    return made

"""A change that conflicts with a concurrent one is retried."""

import pytest
from sqlalchemy.exc import DBAPIError

from app.stock.services import movements as services
from tests import factories


class Collision(Exception):
    sqlstate = "40P01"


@pytest.mark.parametrize(("collisions", "status"), [(1, 303), (3, 303), (4, 503)])
@pytest.mark.own_app
def test_a_deadlock_is_tried_again_three_times(app, person, monkeypatch, collisions, status):
    with app.app_context():
        factories.user("keeper")
        item = factories.item("Red heart", 10)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    person.sign_in("keeper", follow=False)
    dialog = person.open(f"/inventory/main/items/{item}/action")
    move, left = services.move, iter(range(collisions))

    def colliding(*args, **kwargs):
        if next(left, None) is not None:
            raise DBAPIError("UPDATE", {}, Collision())
        return move(*args, **kwargs)

    monkeypatch.setattr(services, "move", colliding)
    assert person.submit(dialog, team="K", quantity="3", follow=False).status == status
    with app.app_context():
        assert factories.amount("Red heart") == (7 if status == 303 else 10)

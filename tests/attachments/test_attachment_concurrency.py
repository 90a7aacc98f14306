"""Attachments added and removed at the same moment: none too many, each removed once."""

from collections import Counter

import pytest
from sqlalchemy import select

from app.attachments import queries, services
from app.attachments.models import Attachment
from app.db import db, transaction
from app.divisions import Division
from app.errors import Conflict, Invalid
from tests import factories
from tests.attachments.files import invoice
from tests.fleet.threads import run_at_once

pytestmark = pytest.mark.differs_by_engine


@pytest.fixture
def by(in_app):
    return in_app(factories.user, "driver", Division.FLEET)


def outcome(app, action):
    """Return what an action in a transaction of its own ends with."""
    with app.app_context():
        try:
            with transaction():
                action()
        except (Conflict, Invalid) as error:
            return type(error).__name__
        return "done"


@pytest.fixture
def add(app, by):
    """Return a function that returns an action, which attaches files to one defect."""

    def add(*files):
        def action():
            prepared = services.prepare_files(files, by=by)
            services.add_attachments("defect", 1, prepared, by=by)

        return lambda: outcome(app, action)

    return add


def test_two_people_who_add_7_each_do_not_exceed_12(app, add):
    people = [
        add(*(invoice(f"{n}.pdf", f"{person} {n}") for n in range(7))) for person in ("one", "two")
    ]
    assert Counter(run_at_once(people)) == {"done": 1, "Invalid": 1}
    with app.app_context():
        assert len(queries.attachments_of("defect", [1])[1]) == 7


def test_files_that_are_added_at_once_have_places_of_their_own(app, add):
    # Two of each file: the second of them isn't attached again.
    files = [invoice(f"{number}.pdf", text=str(number // 2)) for number in range(8)]
    assert run_at_once([add(file) for file in files]) == ["done"] * 8
    with app.app_context():
        places = db.session.execute(select(Attachment.position)).scalars()
        assert sorted(places) == [0, 1, 2, 3]


def test_two_people_who_remove_one_remove_it_once(app, by):
    with app.app_context():
        [number] = factories.attach([invoice()], by=by)

    def remove():
        return outcome(app, lambda: services.remove_attachment(number, by=by))

    assert Counter(run_at_once([remove] * 3)) == {"done": 1, "Conflict": 2}

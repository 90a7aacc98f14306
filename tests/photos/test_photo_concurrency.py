"""Photos uploaded concurrently: one row and one file per picture."""

from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from app.db import db
from app.divisions import Division
from app.photos.models import Photo, PhotoUpload
from tests.fleet.threads import run_at_once
from tests.person import Caller, Person
from tests.photos.photo_files import jpeg, send

pytestmark = pytest.mark.differs_by_engine


def everything(app):
    with app.app_context():
        rows = [len(db.session.execute(select(m)).scalars().all()) for m in (Photo, PhotoUpload)]
    folder = Path(app.config["QUARTERMASTER"].photo_store)
    return (*rows, len([path for path in folder.rglob("*") if path.is_file()]))


def test_the_same_photo_sent_6_times_at_once_is_stored_once(app, signed_in):
    tabs = [Caller(signed_in("driver", Division.FLEET))]
    for _ in range(5):
        person = Person(app)
        person.sign_in("driver", follow=False)
        tabs.append(Caller(person))
    data = jpeg((1200, 900))
    replies = run_at_once([lambda call=call: send(call, data).status_code for call in tabs])
    assert Counter(replies) == {201: 1, 200: 5}
    assert everything(app) == (1, 1, 2)


def test_the_same_photo_sent_by_4_users_at_once_is_one_file_with_four_uploads(app, signed_in):
    callers = [Caller(signed_in(f"driver{n}", Division.GPM)) for n in range(4)]
    replies = run_at_once([lambda call=call: send(call, jpeg()).status_code for call in callers])
    assert replies == [201] * 4
    assert everything(app) == (1, 4, 2)

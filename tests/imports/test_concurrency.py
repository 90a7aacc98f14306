"""Imports of one list at once: each sees all of the other, or is refused."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.db import transaction
from app.errors import EditConflict
from app.exports.targets import TARGETS
from app.imports.services import imports
from app.tables.sheets import read_sheet
from tests import factories
from tests.fleet.threads import TIMEOUT_SECONDS, wait_for_lock
from tests.records.test_targets import apply

pytestmark = pytest.mark.differs_by_engine


@pytest.mark.parametrize(
    ("key", "first", "texts"),
    [
        (
            "gfm-main-stock",
            "item,amount\nTea,5\n",
            ("item,amount\nTea,6\n", "item,amount\nTea,7\n"),
        ),
        ("assets", "id,item\nA-1,Desk\n", ["id,item\nA-1,Sofa\n", "id,item\nA-1,Lamp\n"]),
        ("teams", "name\nKitchen\n", ["name\nBar\n", "name\nKitchen\nBar\n"]),
    ],
)
def test_an_import_beside_another_one_is_refused_and_changes_nothing(app, key, first, texts):
    target, about = TARGETS[key], {"name": "list.csv", "sha256": ""}
    with app.app_context():
        by = factories.user()
        apply(target, first.encode())
        files = []
        for text in texts:
            prepared = target.prepare("list.csv", read_sheet(text.encode()))
            files.append(imports.compare(target, prepared, about))

    def save(file):
        with app.app_context(), transaction():
            return imports.save(file, by=by)

    with ThreadPoolExecutor(1) as pool, app.app_context():
        with transaction():
            imports.save(files[0], by=by)
            second = pool.submit(save, files[1])
            wait_for_lock(second)
        with pytest.raises(EditConflict):
            second.result(TIMEOUT_SECONDS)
        after = list(target.rows())
    with app.app_context():
        apply(target, first.encode())
        apply(target, texts[0].encode())
        assert list(target.rows()) == after

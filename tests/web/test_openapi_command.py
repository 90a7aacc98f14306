"""`flask openapi`: what the widgets' types are made from."""

import json

from app import create_app
from tests.databases import settings_for


def test_the_description_is_written_without_a_database_and_is_the_one_that_is_served(tmp_path):
    app = create_app(settings_for(f"sqlite:///{tmp_path}/none.db", tmp_path))
    written = app.test_cli_runner().invoke(args=["openapi"])
    assert written.exit_code == 0
    assert json.loads(written.output) == app.test_client().get("/api/openapi.json").json
    assert not (tmp_path / "none.db").exists()

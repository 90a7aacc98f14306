"""A filled database of an engine, which reads share and changes copy."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.api.filled import Filled, fill


@pytest.fixture(scope="session")
def filled(
    request: pytest.FixtureRequest, shared_app: Flask, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Filled]:
    copies = request.getfixturevalue(request.param)
    made = fill(shared_app, copies, tmp_path_factory.mktemp("filled"))
    yield made
    copies.remove(made.url)

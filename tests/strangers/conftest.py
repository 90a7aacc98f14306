"""Somebody with every right in every division, who attacks a company that has something of all."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.strangers.attack import Attacker
from tests.strangers.world import world


@pytest.fixture
def attacker(app: Flask, request: pytest.FixtureRequest) -> Iterator[Attacker]:
    ids, everybody = world(request, app)
    [manager] = [who for who in everybody if who.name.count("+") == 3]
    made = Attacker(app, manager, everybody, is_thorough=request.config.option.thorough)
    made.ids |= ids | {"item_id": ids["gfm-main"], "operation_id": ids["gfm-main-op"]}
    with made.watch_writes():
        yield made

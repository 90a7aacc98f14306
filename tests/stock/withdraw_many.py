"""Processes that withdraw from one item at the same time, each with its own login."""

import multiprocessing
import os
import sys
import uuid
from collections import Counter
from multiprocessing.synchronize import Lock
from pathlib import Path

from flask import Flask

from app import create_app
from app.db import db
from tests.databases import settings_for
from tests.person import Person


def work(app: Flask, item: str, tries: int, turn: Lock) -> None:
    """Withdraw one unit at a time, and print the number of replies per status."""
    person = Person(app)
    # A busy machine may refuse those who sign in to one account at once; here they share stock.
    with turn:
        person.sign_in("keeper", follow=False)
    path = f"/inventory/main/items/{item}/action"
    sent = person.open(path).fields() | {"quantity": "1", "team": "Race"}
    seen: Counter[int] = Counter()
    for _ in range(tries):
        reply = person.post(path, sent | {"key": str(uuid.uuid4())}, follow=False)
        seen[reply.status] += 1
    line = " ".join(f"{status}={count}" for status, count in seen.items())
    # Written at once, so that no other process writes into it.
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def main(url: str, instance: str, item: str, tries: str, workers: str) -> None:
    """Start `workers` processes, forked from one that has loaded the application and its pages."""
    fork = multiprocessing.get_context("fork")
    app = create_app(settings_for(url, Path(instance)))
    person = Person(app)
    person.sign_in("keeper", follow=False)
    page = person.open(f"/inventory/main/items/{item}/action")
    page_refused = person.post(page.path, page.fields() | {"quantity": "0"})
    assert page_refused.status == 422
    with app.app_context():
        db.engine.dispose()
    arguments = (app, item, int(tries), fork.Lock())
    processes = [fork.Process(target=work, args=arguments) for _ in range(int(workers))]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    sys.exit(any(process.exitcode for process in processes))


main(*sys.argv[1:])

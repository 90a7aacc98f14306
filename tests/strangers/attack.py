"""Sends hostile requests as a signed-in user, and notes what is wrong with each reply."""

import itertools
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from bs4 import BeautifulSoup, Tag
from flask import Flask
from sqlalchemy import event
from werkzeug.test import TestResponse

from app.db import db
from tests.strangers.corpus import RAW
from tests.strangers.replies import faults_of
from tests.strangers.world import Somebody

KEPT = ("login_session", "idempotency_key", "audit_entry", "sign_in_failure", "audit_failure")
"""Tables that a refused request may write to."""


@dataclass
class PageForm:
    """A form of a page: where it is sent, how, and its fields with what they have."""

    method: str
    action: str
    fields: dict[str, str]


@dataclass
class Attacker:
    """A signed-in user who sends what nobody should; `found` says what was wrong, and with what."""

    app: Flask
    who: Somebody
    everybody: list[Somebody] = field(default_factory=list)
    is_thorough: bool = False
    ids: dict[str, int] = field(default_factory=dict)
    found: list[tuple[str, str, str]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    statuses: set[int] = field(default_factory=set)
    _keys: Iterator[int] = field(default_factory=itertools.count)
    _pending: list[str] = field(default_factory=list)
    _written: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = self.app.test_client(use_cookies=False)

    def share(self, values: tuple[Any, ...], number: int) -> Iterator[Any]:
        """Return a field's share of the values: all, or one, which isn't that of the next field."""
        return iter(values) if self.is_thorough else iter([values[number % len(values)]])

    @contextmanager
    def watch_writes(self) -> Iterator[None]:
        """Note which statements that write are committed."""
        with self.app.app_context():
            engine = db.engine

        def executed(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
            words = statement.split(None, 3)
            if words[0] in ("INSERT", "UPDATE", "DELETE", "COPY"):
                table = words[1 if words[0] in ("UPDATE", "COPY") else 2].strip('"')
                if table not in KEPT:
                    self._pending.append(statement)

        def committed(_c: Any) -> None:
            self._written += self._pending
            self._pending.clear()

        listening = (
            ("before_cursor_execute", executed),
            ("commit", committed),
            ("rollback", lambda _c: self._pending.clear()),
        )
        for name, listener in listening:
            event.listen(engine, name, listener)
        try:
            yield
        finally:
            for name, listener in listening:
                event.remove(engine, name, listener)

    def send(self, method: str, path: str, what: str = "", **options: Any) -> TestResponse:
        """Send one request; what is wrong with its reply is noted under `what`."""
        headers = self.who.headers(bearer=path.startswith("/api/")) | options.pop("headers", {})
        self._written.clear()
        begun = time.thread_time()
        reply = self.client.open(path, method=method, headers=headers, **options)
        self.seconds.append(time.thread_time() - begun)
        self.statuses.add(reply.status_code)
        wrong = faults_of(reply)
        if reply.status_code >= 500:
            wrong.append(str(reply.status_code))
        if reply.status_code >= 400 and self._written:
            wrong.append(f"{reply.status_code}, but committed {self._written[0][:60]}")
        if reply.mimetype == "text/html":
            wrong += [f"shows {raw}" for raw in RAW if raw.encode() in reply.get_data()]
        where = f"{method} {path}"[:120]
        self.found += [(where, what[:80], each) for each in wrong]
        return reply

    def forms_of(self, path: str) -> Iterator[PageForm]:
        """Yield the forms of a page."""
        reply = self.send("GET", path)
        if reply.mimetype != "text/html":
            return
        for form in BeautifulSoup(reply.text, "html.parser").select("main form, dialog form"):
            fields = dict(_fields(form))
            action = str(form.get("action") or path)
            yield PageForm(str(form.get("method", "get")).upper(), action, fields)

    def fill_in(self, form: PageForm, typed: dict[str, str], what: str) -> TestResponse:
        """Send a form under a key of its own with some values replaced."""
        values = form.fields | typed
        if "key" in form.fields and "key" not in typed:
            values["key"] = f"attack-{next(self._keys)}"
        if form.method == "GET":
            return self.send("GET", form.action, what, query_string=values)
        return self.send("POST", form.action, what, data=values)

    @property
    def slowest(self) -> float:
        """Return how many times the usual request the slowest one took, of the processor's time."""
        return max(self.seconds) / statistics.median(self.seconds)


def _fields(form: Tag) -> Iterator[tuple[str, str]]:
    for each in form.select("input[name], select[name], textarea[name], button[name]"):
        name = str(each["name"])
        if each.get("type") == "file" or name == "csrf_token":
            continue
        if each.name == "select":
            chosen = each.select_one("option[selected]") or each.select_one("option[value]")
            yield name, str(chosen.get("value") or "") if chosen else ""
        else:
            yield name, str(each.get("value") or each.get_text())

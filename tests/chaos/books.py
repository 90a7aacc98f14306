"""The driver's own books: what was submitted and acknowledged, compared with what is stored."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_PROBLEMS = 10
"""How many problems of a kind are named."""

Query = Callable[[str], Sequence[Sequence[Any]]]
"""Runs SQL on a database and returns its rows."""

Place = tuple[str, str]
"""A site and an item's name."""


@dataclass(frozen=True)
class Submission:
    """A bulk update under a key, which is also its team, and by how much it changes each amount."""

    key: str
    path: str
    body: bytes
    changes: Mapping[Place, int]


def bulk(
    key: str, action: str, site: str, lines: Mapping[str, int], *, destination: str = ""
) -> Submission:
    """Return a delivery, a withdrawal, or a transfer to another site."""
    body: dict[str, Any] = {
        "action": action,
        "team": key,
        "date": "2026-01-15",
        "lines": [{"name": name, "qty": qty} for name, qty in lines.items()],
    }
    sign = 1 if action == "delivery" else -1
    changes = {(site, name): sign * qty for name, qty in lines.items()}
    if destination:
        body["destination"] = destination
        changes |= {(destination, name): qty for name, qty in lines.items()}
    path = f"/api/gfm/inventory/{site}/bulk"
    return Submission(key, path, json.dumps(body).encode(), changes)


class Books:
    """What the driver knows; all threads write to it."""

    def __init__(self) -> None:
        self.submissions: dict[str, Submission] = {}
        self.acknowledged: dict[str, int] = {}
        self.refused: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self._lock = threading.Lock()

    def submit(self, submission: Submission) -> None:
        """Note a new submission."""
        with self._lock:
            self.submissions[submission.key] = submission

    def count(self, what: str, number: int = 1) -> None:
        """Count something that is reported."""
        with self._lock:
            self.counts[what] += number

    def acknowledge(self, key: str, operation: int) -> None:
        """Note a reply that confirms a submission; each confirms the same operation."""
        with self._lock:
            first = self.acknowledged.setdefault(key, operation)
        if first != operation:
            self.fault(f"{key} was confirmed as operation {first}, then as {operation}")

    def refuse(self, key: str, reason: str) -> None:
        """Note a reply that refuses a submission, which none of the load deserves."""
        with self._lock:
            self.refused.add(key)
        self.fault(f"{key} was refused: {reason}")

    def fault(self, text: str) -> None:
        """Note something that must not happen."""
        with self._lock:
            self.faults.append(text)

    def merge(self, other: "Books") -> None:
        """Add what another process knows."""
        self.submissions |= other.submissions
        self.acknowledged |= other.acknowledged
        self.refused |= other.refused
        self.counts += other.counts
        self.faults += other.faults

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = threading.Lock()

    def problems(
        self, query: Query, initial: int, expected: Iterable[str] | None = None
    ) -> list[str]:
        """Return how a database differs from the books.

        `initial` is each item's amount before; `expected` are the keys that must be stored, those
        acknowledged unless given. What wasn't answered may be stored, once and as a whole.
        """
        stored = {
            team: (operations, lines)
            for team, operations, lines in query(
                "SELECT team, count(DISTINCT operation_id), count(*) FROM ledger_entry "
                "WHERE team LIKE 'chaos%' GROUP BY team"
            )
        }
        must = set(self.acknowledged if expected is None else expected)
        found = [
            *_named("is lost though it was acknowledged", must - stored.keys()),
            *_named("is doubled", (key for key, (n, _) in stored.items() if n > 1)),
            *_named("was applied though it was refused", self.refused & stored.keys()),
            *_named("was never submitted", stored.keys() - self.submissions.keys()),
            *_named(
                "is stored in part",
                (
                    key
                    for key, (operations, lines) in stored.items()
                    if key in self.submissions
                    and lines != operations * len(self.submissions[key].changes)
                ),
            ),
        ]
        return found + self._wrong_amounts(query, initial, stored.keys())

    def _wrong_amounts(self, query: Query, initial: int, stored: Iterable[str]) -> list[str]:
        expected: Counter[Place] = Counter()
        for key in stored:
            if key in self.submissions:
                for place, change in self.submissions[key].changes.items():
                    expected[place] += change
        amounts = query(
            "SELECT stock_site.site, item.name, item.amount FROM item "
            "JOIN stock_site ON stock_site.id = item.site_id WHERE item.removed_at IS NULL"
        )
        wrong = [
            f"{name} at {site} has {amount}, not {initial + expected[site, name]}"
            for site, name, amount in amounts
            if amount != initial + expected[site, name]
        ]
        return _shortened(wrong)


def _named(what: str, keys: Iterable[str]) -> list[str]:
    return _shortened([f"{key} {what}" for key in sorted(keys)])


def _shortened(texts: Sequence[str]) -> list[str]:
    more = len(texts) - MAX_PROBLEMS
    return [*texts[:MAX_PROBLEMS], *([f"and {more} more like the last"] if more > 0 else [])]

"""Limits of costly requests: how many one user, and one address, may send in a minute.

Each worker counts for itself: it is its threads and memory that a request costs, and a count in
the database would make a writer of every reader. So a server admits the limit times its workers.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from cachetools import TTLCache
from flask import Flask, current_app, request

from app.config import Settings
from app.errors import Throttled
from app.identity import counted_address
from app.money import count_of
from app.web.access import current_user
from app.web.policies import View, declared, declares

WINDOW_SECONDS = 60
USERS_PER_ADDRESS = 5
"""How many users' limits one address may use up: an office has one address."""

MAX_COUNTED = 10_000


class CostlyRequest(StrEnum):
    """The costly part of a request."""

    EXPORTS = "exports"
    PHOTOS = "photos or checks"


def costly(cost: CostlyRequest) -> Callable[[View], View]:
    """Declare the cost of a view's requests, which users and addresses may only send so often.

    Of PHOTOS only requests that send some count: opening their form costs nothing.
    """
    return declares(cost=cost)


@dataclass
class RequestCount:
    """The requests of a window that began at `since`."""

    since: float
    requests: int = 0


class RequestCounts:
    """The requests of the last minute, by who sent them."""

    def __init__(self) -> None:
        self._counts: TTLCache[str, RequestCount] = TTLCache(MAX_COUNTED, WINDOW_SECONDS)
        self._lock = Lock()

    def add(self, limits: Mapping[str, int]) -> int:
        """Count a request under each key and return 0, or return the seconds of its refusal."""
        now = time.monotonic()
        with self._lock:
            counts = {key: self._counts.setdefault(key, RequestCount(now)) for key in limits}
            full = [c for key, c in counts.items() if c.requests >= limits[key]]
            if full:
                return max(1, round(max(count.since for count in full) + WINDOW_SECONDS - now))
            for count in counts.values():
                count.requests += 1
        return 0

    def clear(self) -> None:
        """Forget all requests."""
        with self._lock:
            self._counts.clear()


def init_app(app: Flask) -> None:
    """Refuse costly requests beyond their limit, once their user is admitted."""
    counts = app.extensions["request_counts"] = RequestCounts()

    @app.before_request
    def limit() -> None:
        cost: CostlyRequest | None = declared("cost")
        if cost is None or (cost is CostlyRequest.PHOTOS and request.method in ("GET", "HEAD")):
            return
        settings: Settings = current_app.config["QUARTERMASTER"]
        is_photo = cost is CostlyRequest.PHOTOS
        most = settings.photos_per_minute if is_photo else settings.exports_per_minute
        if not most:
            return
        by_user = f"{cost} of user {current_user().user_id}"
        by_address = f"{cost} from {counted_address(request.remote_addr)}"
        seconds = counts.add({by_user: most, by_address: most * USERS_PER_ADDRESS})
        if seconds:
            wait = count_of(seconds, "second")
            raise Throttled(f"Too many {cost} within a minute. Try again in {wait}.", seconds)

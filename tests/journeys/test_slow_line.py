"""What pages wait for on a line whose every reply takes long: how many come one after another."""

from operator import itemgetter
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests import factories
from tests.journeys.conftest import PHONE
from tests.person import PASSWORD

LATENCY_MS = 400
"""Longer than the browser takes for anything itself, so that what can be sent at once is."""
BYTES_PER_SECOND = 2_000 / LATENCY_MS * 50 * 1024
"""As many bytes in a round trip as on a line of 50 KB a second whose replies take 2 seconds."""

BLOCKING = """() => performance.getEntriesByType("resource")
  .filter(({ renderBlockingStatus }) => renderBlockingStatus === "blocking")
  .map(({ name }) => name)"""
"""Lists the addresses of what the first paint waits for."""

pytestmark = [PHONE, pytest.mark.parametrize("product", ["sqlite"], indirect=True)]


class RoundTrips:
    """Counts how many replies of a slow line each reply came after, one after the other.

    A request that was sent after a reply had come is taken to depend on it. Times decide that:
    pages and what they load report on lines of their own, so their events come in any order.
    """

    def __init__(self, page: Page) -> None:
        self._session = session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", lambda event: self._events.append(event))
        session.on("Network.responseReceived", lambda event: self._events.append(event))
        session.on(
            "Network.requestServedFromCache", lambda event: self._cached.add(event["requestId"])
        )
        conditions = {"latency": LATENCY_MS, "offline": False}
        rates = dict.fromkeys(("downloadThroughput", "uploadThroughput"), BYTES_PER_SECOND)
        session.send("Network.emulateNetworkConditions", conditions | rates)
        self.start()

    def start(self) -> None:
        """Count from here on."""
        self._events: list[dict[str, Any]] = []
        self._cached: set[str] = set()

    def depths(self) -> dict[str, int]:
        """Return after how many round trips each reply came, by its address."""
        # Receives the events before now, as the page's own come on another connection.
        self._session.send("Runtime.evaluate", {"expression": "0"})
        depths: dict[str, int] = {}
        sent: dict[str, int] = {}
        deepest = 0
        for event in sorted(self._events, key=itemgetter("timestamp")):
            request_id, response = event["requestId"], event.get("response")
            if response is None:
                if "redirectResponse" in event:
                    deepest = max(deepest, sent.get(request_id, 0))
                sent[request_id] = deepest + 1
            elif request_id in sent.keys() - self._cached and not response["fromDiskCache"]:
                depths[response["url"]] = sent[request_id]
                deepest = max(deepest, sent.get(request_id, 0))
        return depths

    def of(self, *addresses: str) -> int:
        """Return after how many round trips all of these had come; what is cached takes none."""
        depths = self.depths()
        return max(depths.get(address, 0) for address in addresses)


@pytest.fixture
def slow(product, new_context, width):
    """Return a new phone on a slow line, and what counts its round trips."""
    with product.app.app_context():
        factories.user("keeper")
        factories.item("Red heart", 5)
    page = new_context(width).new_page()
    return page, RoundTrips(page)


def visible_after(page: Page, trips: RoundTrips) -> int:
    """Return after how many round trips the page was seen."""
    return trips.of(page.url, *page.evaluate(BLOCKING))


def scripts_of(page: Page) -> list[str]:
    links = page.locator("script[src], link[rel=modulepreload]")
    return links.evaluate_all("(all) => all.map((each) => each.src || each.href)")


def test_a_cold_sign_in_shows_and_works_one_round_trip_after_its_page(slow):
    page, trips = slow
    page.goto("/login")
    assert visible_after(page, trips) == 2
    assert trips.of(*scripts_of(page)) == 2
    assert max(trips.depths().values()) == 2


@pytest.mark.parametrize("path", ["/inventory/main", "/dashboard"])
def test_after_signing_in_the_page_shows_and_works_one_round_trip_after_the_reply(slow, path):
    page, trips = slow
    page.goto("/login" if path == "/dashboard" else path)
    page.get_by_label("Username").fill("keeper")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    trips.start()
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: urlsplit(url).path == path)
    page.wait_for_load_state()
    assert visible_after(page, trips) == 2, trips.depths()
    assert trips.of(*scripts_of(page)) <= 2

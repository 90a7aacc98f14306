"""What pages wait for on a line whose every reply takes long: how many come one after another."""

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

    A request that was sent after a reply had come is taken to depend on it.
    """

    def __init__(self, page: Page) -> None:
        self.depths: dict[str, int] = {}
        self._sent: dict[str, int] = {}
        self._deepest = 0
        self._session = session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._send)
        session.on("Network.requestServedFromCache", self._forget)
        session.on("Network.responseReceived", self._receive)
        conditions = {"latency": LATENCY_MS, "offline": False}
        rates = dict.fromkeys(("downloadThroughput", "uploadThroughput"), BYTES_PER_SECOND)
        session.send("Network.emulateNetworkConditions", conditions | rates)

    def _send(self, event: dict[str, Any]) -> None:
        if "redirectResponse" in event:
            self._deepest = max(self._deepest, self._sent[event["requestId"]])
        self._sent[event["requestId"]] = self._deepest + 1

    def _forget(self, event: dict[str, Any]) -> None:
        del self._sent[event["requestId"]]

    def _receive(self, event: dict[str, Any]) -> None:
        response = event["response"]
        depth = self._sent.get(event["requestId"])
        if depth is None or response["fromDiskCache"]:
            return
        self._deepest = max(self._deepest, depth)
        self.depths[response["url"]] = depth

    def start(self) -> None:
        """Count from here on."""
        self.depths, self._sent, self._deepest = {}, {}, 0

    def catch_up(self) -> None:
        """Receive the events before now: the page's own come on another connection."""
        self._session.send("Runtime.evaluate", {"expression": "0"})

    def of(self, *addresses: str) -> int:
        """Return after how many round trips all of these had come; what is cached takes none."""
        return max(self.depths.get(address, 0) for address in addresses)


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
    blocking = page.evaluate(BLOCKING)
    trips.catch_up()
    assert page.url in trips.depths
    return trips.of(page.url, *blocking)


def scripts_of(page: Page) -> list[str]:
    links = page.locator("script[src], link[rel=modulepreload]")
    return links.evaluate_all("(all) => all.map((each) => each.src || each.href)")


def test_a_cold_sign_in_shows_and_works_one_round_trip_after_its_page(slow):
    page, trips = slow
    page.goto("/login")
    assert visible_after(page, trips) == 2
    assert trips.of(*scripts_of(page)) == 2
    assert max(trips.depths.values()) == 2


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
    assert visible_after(page, trips) == 2, trips.depths
    assert trips.of(*scripts_of(page)) <= 2

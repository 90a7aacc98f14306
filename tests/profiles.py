"""Browser profiles on disk, as phones have them: killed at any moment, and started again."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, BrowserType, Page
from playwright.sync_api import Error as PlaywrightError

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TIMEOUT = 8_000
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}


def chromium() -> str:
    """Return the path of Chromium."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, "Chromium is missing: run tests/setup/system.sh"
    return found


_LOOK = """async ({ names, hours }) => {
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const isReady = async () => {
    if (!navigator.serviceWorker.controller) return false;
    const found = await indexedDB.databases();
    if (!found.some(({ name }) => name === "quartermaster-offline")) return false;
    const database = await result(indexedDB.open("quartermaster-offline"));
    const reading = database.transaction(["references", "device"]);
    const keys = await result(reading.objectStore("references").getAllKeys());
    const [person] = await result(reading.objectStore("device").getAll());
    database.close();
    const ahead = Math.round((person?.clockOffset ?? 0) / 3_600_000);
    return ahead === hours && names.every((name) => keys.some(([, kept]) => kept === name));
  };
  const ends = performance.now() + 30_000;
  while (!(await isReady())) {
    if (performance.now() > ends) throw new Error(`not ready for ${names}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}"""
"""Waits until the service worker answers for this page, references of these names are kept, and
the server's clock is known to be so many hours ahead."""


def wait_until_ready(page: Page, *references: str, hours: int = 0) -> None:
    """Wait until pages open without a connection, from references of these names.

    `hours` is by how much the server's clock is ahead of the browser's.
    """
    page.evaluate(_LOOK, {"names": references, "hours": hours})


class Profile:
    """A phone's browser: what it stores is in `folder`, and outlives its process."""

    def __init__(self, browser_type: BrowserType, folder: Path, url: str) -> None:
        self._browser_type = browser_type
        self._folder = folder
        self._url = url
        self.context: BrowserContext = self.start()

    def start(self) -> BrowserContext:
        """Start the browser."""
        self.context = self._browser_type.launch_persistent_context(
            self._folder, executable_path=chromium(), args=ARGUMENTS, base_url=self._url, **PHONE
        )
        self.context.set_default_timeout(TIMEOUT)
        return self.context

    @property
    def page(self) -> Page:
        """The last page that was opened."""
        pages = self.context.pages
        return pages[-1] if pages else self.context.new_page()

    def kill(self) -> None:
        """Kill the browser with SIGKILL, as an empty battery does."""
        option = f"--user-data-dir={self._folder}".encode()
        for process in Path("/proc").iterdir():
            with suppress(OSError):
                if process.name.isdecimal() and option in _arguments(process):
                    os.kill(int(process.name), signal.SIGKILL)
        self.close()

    def restart(self) -> Page:
        """Kill the browser and start it again."""
        self.kill()
        self.start()
        return self.page

    def close(self) -> None:
        """Close the browser."""
        with suppress(PlaywrightError):
            self.context.close()

    def wait_until_ready(self, *references: str, hours: int = 0) -> None:
        """Wait until pages open without a connection, as the function of this name does."""
        wait_until_ready(self.page, *references, hours=hours)

    def sync_in_background(self, tag: str) -> None:
        """Let the service worker have a sync event, as Chromium does when the line returns.

        Chromium without windows has no Background Sync of its own.
        """
        session = self.context.new_cdp_session(self.page)
        found: list[str] = []
        session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: found.extend(
                registration["registrationId"]
                for registration in event["registrations"]
                if registration["scopeURL"].startswith(self._url)
            ),
        )
        session.send("ServiceWorker.enable")
        # Events are read while something else is waited for.
        self.page.wait_for_function("() => true")
        assert found, "no service worker is registered"
        target = {"origin": self._url, "registrationId": found[0]}
        session.send("ServiceWorker.dispatchSyncEvent", target | {"tag": tag, "lastChance": False})


def _arguments(process: Path) -> list[bytes]:
    return (process / "cmdline").read_bytes().split(b"\0")

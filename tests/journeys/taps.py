"""Counts the taps of a task on a phone."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import FilePayload, Locator, Page, expect


class Thumb:
    """Taps on a page, and counts it; typing where the focus is, is no tap.

    A choice in a native picker is one tap more than opening it.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: Locator) -> None:
        target.first.tap()
        self.taps += 1

    def choose(self, target: Locator, option: str) -> None:
        target.select_option(label=option)
        self.taps += 2

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def search(self, text: str, found: str) -> None:
        """Search a list, which is counted apart, and wait for its total."""
        field = self.page.get_by_role("searchbox")
        field.tap()
        field.fill(text)
        expect(self.page.locator("#total")).to_contain_text(found)

    def pick(self, files: list[FilePayload]) -> None:
        """Pick photos in the phone's own picker, which is counted apart."""
        self.page.locator("input[type=file]").first.set_input_files(files)

    @contextmanager
    def within(self, most: int) -> Iterator[None]:
        """Hold a task to at most so many taps."""
        self.taps = 0
        yield
        assert self.taps <= most, f"{self.taps} taps instead of {most}"

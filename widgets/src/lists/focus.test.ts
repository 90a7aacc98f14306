/** The place of a message in the order of Tab. */
import { beforeEach, expect, test, vi } from "vitest";
import { returnFocus, setOpener } from "./focus";
import { dialog, get, PAGE } from "./testing";

const showPopover = vi.fn();
HTMLElement.prototype.showPopover = showPopover;

beforeEach(() => {
  document.body.innerHTML = PAGE;
  get("#live").innerHTML = '<div class="message">Done</div>';
  showPopover.mockReset();
  setOpener(get("a[href='/items/1']"));
});

test("a message follows the changed item", () => {
  returnFocus();
  expect(showPopover).toHaveBeenCalledExactlyOnceWith({ source: get("a[href='/items/1']") });
});

test("a message stays the last of the page where only the heading is left", () => {
  get("#rows").replaceChildren();
  returnFocus();
  expect(get("h1")).toHaveFocus();
  expect(showPopover).not.toHaveBeenCalled();
});

test("a message stays below an open dialog", () => {
  dialog().showModal();
  returnFocus();
  expect(showPopover).not.toHaveBeenCalled();
});

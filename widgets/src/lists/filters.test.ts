/** The search of a list: its text on return, and the place after Enter. */
import { beforeEach, expect, test, vi } from "vitest";
import { HTMX } from "../shared/htmx-events";
import { watchFilters } from "./filters";
import { get, PAGE, send } from "./testing";

vi.mock("htmx.org", () => ({ default: {} }));

watchFilters();
beforeEach(() => {
  document.body.innerHTML = PAGE;
});

test("the next search replaces the one that the list came back with", async () => {
  const search = get<HTMLInputElement>("#q");
  search.value = "red";
  search.focus();
  await vi.waitFor(() => expect(search.selectionStart).toBe(0));
  expect(search.selectionEnd).toBe(3);
});

/** Loads the list for what an event has sent. */
function load(triggeringEvent: Event): void {
  const requestConfig = { elt: get("#filters"), verb: "get", path: "/items", triggeringEvent };
  send(HTMX.afterSettle, get("#list"), { requestConfig });
}

const happen = (event: Event): Event => {
  get("#filters").dispatchEvent(event);
  return event;
};

test("Enter in the search goes on to the first item, also where the typing is sent last", () => {
  get("#q").focus();
  const typed = new Event("input", { bubbles: true });
  load(typed);
  load(happen(new CustomEvent("submit", { bubbles: true })));
  expect(get("#q")).toHaveFocus();
  const entered = happen(new SubmitEvent("submit", { bubbles: true }));
  for (const event of [entered, typed]) {
    get("#q").focus();
    load(event);
    expect(get("a[href='/items/1']")).toHaveFocus();
  }
  get("#in-sort").focus();
  load(entered);
  expect(get("#in-sort")).toHaveFocus();
  get("#rows").replaceChildren();
  get("#q").focus();
  load(entered);
  expect(get("#q")).toHaveFocus();
});

test("a search that is still loading as another form is sent keeps the focus", () => {
  const typed = new Event("input", { bubbles: true });
  get("#q").focus();
  get("#main").dispatchEvent(new SubmitEvent("submit", { bubbles: true }));
  load(typed);
  expect(get("#q")).toHaveFocus();
});

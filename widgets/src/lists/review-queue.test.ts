/** The keys of the review queue, the remarks typed in it, and the focus when it has moved on. */
import { fireEvent } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";
import { HTMX } from "../shared/htmx-events";

const htmx = vi.hoisted(() => ({ onLoad: vi.fn(), process: vi.fn(), ajax: vi.fn() }));
vi.mock("htmx.org", () => ({ default: htmx }));

const QUEUE = `
  <div data-review-queue>
    <section id="now" tabindex="-1"></section>
    <button data-key="r">Reviewed</button>
    <a data-key="j" href="#next">Next</a>
    <button data-key="enter">Open</button>
    <button data-keys-switch aria-pressed="true">Keys</button>
    <form id="review"><input id="remark" data-draft="7:38"></form>
    <ul class="queued"><li><button>Reviewed: LK19 VTE</button></li></ul>
  </div>`;

const pressed = vi.fn();
document.body.innerHTML = QUEUE;
const queue = document.querySelector("[data-review-queue]") as HTMLElement;
await import("./index");
await import("./review-queue");
queue.addEventListener("click", (event) => {
  event.preventDefault();
  pressed((event.target as HTMLElement).textContent);
});
const find = (selector: string) => queue.querySelector(selector) as HTMLElement;

beforeEach(() => pressed.mockClear());

test("a key presses the control that names it, in either case", () => {
  fireEvent.keyDown(document.body, { key: "r" });
  fireEvent.keyDown(document.body, { key: "J" });
  fireEvent.keyDown(document.body, { key: "Enter" });
  expect(pressed.mock.calls.flat()).toEqual(["Reviewed", "Next", "Open"]);
});

test("keys rest while somebody types, with modifiers, and while a key is held down", () => {
  fireEvent.keyDown(find("#remark"), { key: "r" });
  fireEvent.keyDown(document.body, { key: "r", ctrlKey: true });
  fireEvent.keyDown(document.body, { key: "r", repeat: true });
  fireEvent.keyDown(document.body, { key: "x" });
  expect(pressed).not.toHaveBeenCalled();
});

test("Enter belongs to the control that has the focus", () => {
  fireEvent.keyDown(find("[data-key=j]"), { key: "Enter" });
  expect(pressed).not.toHaveBeenCalled();
});

/** Sends an event of htmx about a request of an element. */
function send(name: string, elt: HTMLElement, status = 200): void {
  const requestConfig = { elt, verb: "post", path: "/review" };
  const xhr = { status, getResponseHeader: () => "" };
  const detail = { elt, target: queue, requestConfig, shouldSwap: true, xhr };
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

test("the next check has the focus, or the next button below after one there", () => {
  send(HTMX.beforeRequest, find("[data-key=r]"));
  send(HTMX.afterSettle, queue);
  expect(find("#now")).toHaveFocus();
  send(HTMX.beforeRequest, find(".queued button"));
  send(HTMX.afterSettle, queue);
  expect(find(".queued button")).toHaveFocus();
});

test("keys that are switched off stay off when the queue is loaded again, until they are on", () => {
  const toggle = find("[data-keys-switch]");
  fireEvent.click(toggle);
  expect(toggle).toHaveAttribute("aria-pressed", "false");
  toggle.setAttribute("aria-pressed", "true");
  send(HTMX.afterSettle, queue);
  expect(toggle).toHaveAttribute("aria-pressed", "false");
  pressed.mockClear();
  fireEvent.keyDown(document.body, { key: "r" });
  expect(pressed).not.toHaveBeenCalled();
  fireEvent.click(toggle);
  expect(toggle).toHaveAttribute("aria-pressed", "true");
  pressed.mockClear();
  fireEvent.keyDown(document.body, { key: "r" });
  expect(pressed).toHaveBeenCalled();
});

const remark = () => find("#remark") as HTMLInputElement;

/** Shows a check, as the server sends it. */
function show(check: string): void {
  remark().value = "";
  remark().dataset.draft = check;
  send(HTMX.afterSettle, queue);
}

test("a remark stays with its check while others are looked at, until its review was sent", () => {
  fireEvent.input(remark(), { target: { value: "Garage on Friday" } });
  show("7:39");
  expect(remark()).toHaveValue("");
  show("7:38");
  expect(remark()).toHaveValue("Garage on Friday");
  send(HTMX.beforeSwap, find("#review"), 409);
  show("7:38");
  expect(remark()).toHaveValue("Garage on Friday");
  send(HTMX.beforeSwap, find("#review"));
  show("7:38");
  expect(remark()).toHaveValue("");
});

test("a remark that is deleted, or somebody else's, doesn't come back", () => {
  fireEvent.input(remark(), { target: { value: "Garage" } });
  show("8:38");
  expect(remark()).toHaveValue("");
  show("7:38");
  fireEvent.input(remark(), { target: { value: "" } });
  show("7:38");
  expect(remark()).toHaveValue("");
});

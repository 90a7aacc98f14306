import {
  findByRole,
  findByText,
  getByLabelText,
  getByRole,
  getByText,
  queryByRole,
  waitFor,
} from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchTicks } from "./ticks";

const page = document.body;
let showAgain: () => void;

function list(...numbers: number[]): string {
  return numbers
    .map(
      (n) =>
        `<input type="checkbox" name="asset" value="${n}" form="ticked" aria-label="Tick ${n}">`,
    )
    .join("");
}

function open(...numbers: number[]): void {
  page.innerHTML = `<div id="list">${list(...numbers)}</div>
    <form id="ticked" data-user="7" data-most="3" aria-label="Ticked">
      <label data-all hidden><input type="checkbox"> All on this page</label><p data-message></p>
      <button type="button" data-clear hidden>Clear</button><button data-move>Move ticked</button></form>`;
  showAgain = watchTicks(getByRole(page, "form") as HTMLFormElement);
}

function turnTo(...numbers: number[]): void {
  (document.getElementById("list") as HTMLElement).innerHTML = list(...numbers);
  showAgain();
}

/** Returns the ids that the form sends, including those ticked on other pages. */
const sent = () => new FormData(getByRole(page, "form") as HTMLFormElement).getAll("asset");
const tick = (n: number) => userEvent.click(getByLabelText(page, `Tick ${n}`));
const all = () => getByLabelText(page, "All on this page") as HTMLInputElement;

/** Offers to tick all that match, whose numbers the server replies with, or fails. */
function offerMatching(numbers: number[] | null): void {
  const label = document.createElement("label");
  label.innerHTML = `<input type="checkbox" name="all" form="ticked" data-url="/assets/matching?q=a"> All 4`;
  const link = document.createElement("div");
  link.innerHTML = `<a href="/assets/move?all=1&q=a">Move all 4</a>`;
  link.dataset.moveAll = "";
  document.getElementById("list")?.before(label, link);
  const reply = numbers ? Response.json({ numbers }) : new Response(null, { status: 500 });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => reply.clone());
  showAgain();
}
const matching = () => getByLabelText(page, "All 4") as HTMLInputElement;

beforeEach(() => {
  sessionStorage.clear();
  open(1, 2);
});

afterEach(() => {
  vi.restoreAllMocks();
});

test("one tick stands for all that match, on all pages, and single ones can be taken off", async () => {
  offerMatching([1, 2, 3]);
  expect(queryByRole(page, "form")).toBeNull();
  await userEvent.click(matching());
  expect(await findByRole(page, "button", { name: "Move 3 assets" })).toBeEnabled();
  expect(getByText(page, "3 ticked, 1 not on this page")).toBeVisible();
  expect(sent().sort()).toEqual(["1", "2", "3"]);
  expect(new FormData(getByRole(page, "form") as HTMLFormElement).has("all")).toBe(false);
  expect(matching()).toBeChecked();
  await tick(2);
  expect(matching()).not.toBeChecked();
  expect(sent().sort()).toEqual(["1", "3"]);
  await userEvent.click(matching());
  await userEvent.click(matching());
  expect(fetch).toHaveBeenCalledOnce();
  expect(queryByRole(page, "form")).toBeNull();
});

test("all that match are not ticked when they can't be loaded", async () => {
  offerMatching(null);
  await userEvent.click(matching());
  expect(await findByText(page, "Failed to load assets. Try again.")).toBeVisible();
  expect(matching()).not.toBeChecked();
  expect(matching()).toBeEnabled();
});

test("with Shift the ticks from the last one to this one follow it", async () => {
  const user = userEvent.setup();
  open(1, 2, 3, 4);
  await user.click(getByLabelText(page, "Tick 4"));
  await user.keyboard("{Shift>}");
  await user.click(getByLabelText(page, "Tick 2"));
  await user.keyboard("{/Shift}");
  expect(sent().sort()).toEqual(["2", "3", "4"]);
  await user.click(getByLabelText(page, "Tick 3"));
  expect(sent().sort()).toEqual(["2", "4"]);
});

test("assets can be moved only when some are ticked", async () => {
  expect(getByRole(page, "button", { name: "Move ticked" })).toBeDisabled();
  expect(queryByRole(page, "button", { name: "Clear" })).toBeNull();
  await tick(2);
  expect(getByRole(page, "button", { name: "Move 1 asset" })).toBeEnabled();
  expect(sent()).toEqual(["2"]);
});

test("ticks on other pages of the list are remembered, counted and sent", async () => {
  await tick(1);
  turnTo(3, 4);
  await tick(3);
  expect(getByText(page, "2 ticked, 1 not on this page")).toBeVisible();
  expect(sent().sort()).toEqual(["1", "3"]);
  turnTo(1, 2);
  expect(getByLabelText(page, "Tick 1")).toBeChecked();
  expect(getByLabelText(page, "Tick 2")).not.toBeChecked();
  await tick(1);
  expect(sent()).toEqual(["3"]);
});

test("all rows of a page can be ticked and unticked at once", async () => {
  await tick(1);
  expect(all().indeterminate).toBe(true);
  await userEvent.click(all());
  expect(sent()).toEqual(["1", "2"]);
  expect(all()).toBeChecked();
  await userEvent.click(all());
  expect(sent()).toEqual([]);
});

test("ticks survive a visit to another page, only for the same person", async () => {
  await tick(2);
  open(1, 2);
  expect(getByRole(page, "button", { name: "Move 1 asset" })).toBeEnabled();
  expect(sent()).toEqual(["2"]);
  page.innerHTML = page.innerHTML
    .replace('data-user="7"', 'data-user="8"')
    .replaceAll(' checked=""', "");
  watchTicks(getByRole(page, "form") as HTMLFormElement);
  expect(getByRole(page, "button", { name: "Move ticked" })).toBeDisabled();
});

test("Clear removes every tick, including those of other pages", async () => {
  await tick(1);
  turnTo(3, 4);
  await userEvent.click(getByRole(page, "button", { name: "Clear" }));
  expect(sent()).toEqual([]);
  turnTo(1, 2);
  expect(getByLabelText(page, "Tick 1")).not.toBeChecked();
});

test("a move clears all ticks", async () => {
  await tick(1);
  document.body.dispatchEvent(new CustomEvent("ticked-moved", { bubbles: true }));
  expect(getByRole(page, "button", { name: "Move ticked" })).toBeDisabled();
  expect(getByLabelText(page, "Tick 1")).not.toBeChecked();
});

test("more ticks than the maximum are reported and not sent", async () => {
  await userEvent.click(all());
  turnTo(3, 4);
  await userEvent.click(all());
  expect(getByText(page, "4 ticked, at most 3 at once")).toBeVisible();
  expect(getByRole(page, "button", { name: "Move 4 assets" })).toBeDisabled();
  await tick(3);
  expect(getByRole(page, "button", { name: "Move 3 assets" })).toBeEnabled();
});

test("an empty list has no bar unless rows of other pages are ticked", async () => {
  turnTo();
  expect(queryByRole(page, "form")).toBeNull();
  turnTo(1);
  await tick(1);
  turnTo();
  expect(getByText(page, "1 ticked, 1 not on this page")).toBeVisible();
});

test("all that match can be moved at once while nothing is ticked", async () => {
  offerMatching([1, 2, 8, 9]);
  const link = getByText(page, "Move all 4");
  expect(link).toBeVisible();
  await tick(1);
  expect(link).not.toBeVisible();
  await tick(1);
  expect(link).toBeVisible();
});

test("other filters take back the tick for all that match, and leave what was ticked by itself", async () => {
  await tick(1);
  offerMatching([1, 2, 8, 9]);
  await userEvent.click(matching());
  await waitFor(() => expect(sent().sort()).toEqual(["1", "2", "8", "9"]));
  turnTo(2, 8);
  expect(sent().sort()).toEqual(["1", "2", "8", "9"]);
  matching().dataset.url = "/assets/matching?q=b";
  showAgain();
  expect(sent()).toEqual(["1"]);
  expect(matching()).not.toBeChecked();
});

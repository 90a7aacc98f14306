import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as drafts from "../shared/drafts";
import {
  apply,
  bar,
  button,
  chooseApply,
  count,
  type FakeServer,
  OWNER,
  open,
  question,
  savedLine,
  startServer,
  stopServer,
  type,
} from "./testing";

let server: FakeServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

const title = () => within(question()).getByRole("heading", { level: 1 });
const largest = () =>
  within(question())
    .getAllByRole("listitem")
    .map((each) => [...each.children].map((part) => part.textContent));

test("before a count is applied, a question says how many lines differ, their net value, and the largest first", async () => {
  await open();
  await type("Hand warmer", "81");
  await type("Red heart holder", "125");
  await chooseApply();
  expect(title()).toHaveTextContent("2 lines differ, net −£7.60");
  expect(largest()).toEqual([
    ["Red heart holder", "−£11.80", "129 → 125 (−4)"],
    ["Hand warmer", "+£4.20", "79 → 81 (+2)"],
  ]);
  expect(bar()).toHaveTextContent("+£4.20 / −£11.80");
  expect(server.sent()).toEqual([]);
  await userEvent.click(button("Apply 2"));
  await waitFor(() => expect(server.navigations).toHaveLength(1));
  expect(server.sent()).toHaveLength(1);
});

test("the question counts found items with their value, and lines that agree", async () => {
  await open();
  await type("Globe", "0");
  await userEvent.click(button("Found new item"));
  await userEvent.keyboard("Cloche");
  await userEvent.type(screen.getByLabelText("Quantity"), "6");
  await userEvent.type(screen.getByLabelText("Unit price (£)"), "7.95");
  await chooseApply();
  expect(title()).toHaveTextContent("1 found item, net +£47.70");
  expect(largest()).toEqual([["Cloche", "+£47.70", "found: 6"]]);
  expect(question()).toHaveTextContent("1 line counted as expected will be recorded too.");
  expect(button("Apply 1")).toBeVisible();
});

test("the question names the lines that nobody looked at", async () => {
  await open();
  await type("Red heart holder", "125");
  await chooseApply();
  expect(question()).toHaveTextContent(
    "3 lines not looked at will stay as they are: Hand warmer, Paper chain kit, Globe",
  );
});

test("of many lines the first ones are named, and the others counted", async () => {
  const items = Array.from({ length: 12 }, (_, n) => {
    return { item: `Item ${n}`, amount: 10, category: "", unitPrice: n, unit: "pcs" };
  });
  server = await startServer(items);
  await open();
  for (let n = 0; n < 7; n += 1) await type(`Item ${n}`, "9");
  await chooseApply();
  expect(title()).toHaveTextContent("7 lines differ, net −£21.00");
  expect(largest().map(([name]) => name)).toEqual([
    "Item 6",
    "Item 5",
    "Item 4",
    "Item 3",
    "Item 2",
  ]);
  expect(question()).toHaveTextContent("and 2 smaller ones");
  expect(question()).toHaveTextContent("stay as they are: Item 7, Item 8, Item 9 and 2 more");
});

test("'Keep counting' closes the question, sends nothing and keeps the count and its draft", async () => {
  await open();
  await type("Globe", "3");
  await chooseApply();
  expect(button("Keep counting")).toHaveFocus();
  await userEvent.click(button("Keep counting"));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(count("Globe")).toHaveValue("3");
  await savedLine("Globe", "3");
  expect(server.sent()).toEqual([]);
  expect((await drafts.load(OWNER))?.parts.get("line:Globe")).toMatchObject({ counted: "3" });
});

test("setting most of a site to 0 asks once more, and names what goes to 0 unseen", async () => {
  await open();
  await userEvent.click(button("Set all counted to 0"));
  await chooseApply();
  expect(question()).toHaveTextContent(
    "3 lines not looked at will change: Red heart holder, Hand warmer, Paper chain kit",
  );
  await userEvent.click(button("Apply 3"));
  const again = screen.getByRole("dialog", { name: "Set 3 of 3 items to 0?" });
  expect(again).toHaveTextContent("Most of Main will have no stock.");
  await userEvent.click(within(again).getByRole("button", { name: "Go back" }));
  expect(server.sent()).toEqual([]);
  await userEvent.click(button("Apply 3"));
  await userEvent.click(button("Set 3 to 0"));
  await waitFor(() => expect(server.navigations).toHaveLength(1));
  expect(server.sent()).toHaveLength(1);
});

test("setting a few items to 0 asks only once", async () => {
  await open();
  await type("Hand warmer", "0");
  await apply();
  await waitFor(() => expect(server.navigations).toHaveLength(1));
});

test("Back leaves the count without a warning, and its draft is resumed", async () => {
  const close = await open();
  await type("Globe", "3");
  await userEvent.click(screen.getByRole("link", { name: "Back" }));
  await waitFor(() => expect(server.navigations).toEqual(["/inventory/main"]));
  expect(dispatchEvent(new Event("beforeunload", { cancelable: true }))).toBe(true);
  close();
  await open();
  expect(count("Globe")).toHaveValue("3");
  expect(screen.getByText(/^Count resumed/)).toBeVisible();
});

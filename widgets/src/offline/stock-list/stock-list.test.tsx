import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { entriesOf, sendNow } from "../../outbox";
import * as store from "../../outbox/store";
import { emptyDatabase, giveLocks, Server } from "../../outbox/testing";
import { stockName } from "../../shared/stores";
import type { StockReference } from "../references";
import { GPM, giveReference, keepDialog, moveOf, PERSON, REFERENCE } from "../testing";
import { mount } from "./index";

const READ_AT = Date.now() - 60_000;
let server: Server;
let unmount: () => void;

beforeEach(async () => {
  giveLocks();
  server = new Server();
  server.before = () => "no reply";
  keepDialog();
  await emptyDatabase();
  history.replaceState(null, "", "/inventory/main");
  document.body.innerHTML = '<main id="main"><div id="here"></div></main><div id="live"></div>';
});
afterEach(() => {
  act(() => unmount());
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open(value: StockReference = REFERENCE): Promise<void> {
  await giveReference(stockName(value), value, { fetchedAt: READ_AT });
  const props = { reference: { value, fetchedAt: READ_AT }, person: PERSON };
  act(() => {
    unmount = mount(document.getElementById("here") as HTMLElement, props);
  });
  await act(async () => {});
}

const row = (name: string) => screen.getByRole("row", { name: new RegExp(`^${name}`) });
const names = () => screen.getAllByRole("rowheader").map((cell) => cell.textContent);
const amountOf = (name: string) => within(row(name)).getAllByRole("cell")[0];
const button = (name: string) => screen.getByRole("button", { name });
const dialog = () => document.querySelector("dialog#dialog") as HTMLDialogElement;
const field = (label: string) => within(dialog()).getByLabelText<HTMLInputElement>(label);

test("it shows the stock as it was read, and where", async () => {
  await open();
  expect(screen.getByRole("heading")).toHaveTextContent("Inventory Main");
  expect(screen.getByText("3 items")).toBeVisible();
  const headings = screen.getAllByRole("columnheader").map((cell) => cell.textContent);
  expect(headings).toEqual(["Item", "Amount", "Category", "Unit Price", "Actions"]);
  const texts = within(row("Rope"))
    .getAllByRole("cell")
    .map((cell) => cell.textContent);
  expect(texts.slice(0, 3)).toEqual(["12 m", "Tools", "£0.99"]);
});

test("it meets the rules of accessibility", async () => {
  await store.put(moveOf(5, {}), []);
  await open();
  await screen.findByText("79 in the books, 5 taken not sent yet");
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("the search finds words in any order and case, and Reset takes the filters away", async () => {
  await open();
  await userEvent.type(screen.getByLabelText("Search items"), "WARM hand");
  expect(names()).toEqual(["Hand warmer"]);
  expect(screen.getByText("1 match")).toBeVisible();
  await userEvent.click(button("Reset"));
  expect(names()).toEqual(["Globe", "Hand warmer", "Rope"]);
});

test("a category filters, and what matches nothing says so", async () => {
  await open();
  await userEvent.selectOptions(screen.getByLabelText("Category"), "Tools");
  expect(names()).toEqual(["Rope"]);
  await userEvent.type(screen.getByLabelText("Search items"), "globe");
  expect(screen.getByText("No items match.")).toBeVisible();
  expect(screen.queryByRole("table")).toBeNull();
});

test("the filters of the address are kept, even a category that is gone", async () => {
  history.replaceState(null, "", "/inventory/main?q=rope&category=Old");
  await open();
  expect(screen.getByLabelText("Search items")).toHaveValue("rope");
  expect(screen.getByLabelText("Category")).toHaveValue("Old");
});

test("an empty store says so", async () => {
  await open({ ...REFERENCE, rows: [] });
  expect(screen.getByText("No items in this inventory.")).toBeVisible();
});

test("the stock check is offered unless it is switched off", async () => {
  const count = { sheet: "" } as unknown as NonNullable<StockReference["count"]>;
  await open({ ...REFERENCE, count });
  const link = screen.getByRole("link", { name: "Start Stock Check" });
  expect(link).toHaveAttribute("href", "/inventory/main/count");
  act(() => unmount());
  await open();
  expect(screen.queryByRole("link", { name: "Start Stock Check" })).toBeNull();
});

test("who may only look sees the stock without its actions, and why", async () => {
  const count = { sheet: "" } as unknown as NonNullable<StockReference["count"]>;
  await open({ ...REFERENCE, count, viewOnly: "You can look at GFM's stock, but not change it." });
  expect(names()).toEqual(["Globe", "Hand warmer", "Rope"]);
  const headings = screen.getAllByRole("columnheader").map((cell) => cell.textContent);
  expect(headings).toEqual(["Item", "Amount", "Category", "Unit Price"]);
  expect(within(row("Rope")).queryByRole("button", { hidden: true })).toBeNull();
  const link = screen.getByRole("link", { name: "Start Stock Check" });
  expect(link).toHaveAttribute("aria-disabled", "true");
  expect(link).not.toHaveAttribute("href");
  expect(link).toHaveAccessibleDescription("You can look at GFM's stock, but not change it.");
  expect(screen.getByText("You can look at GFM's stock, but not change it.")).toBeVisible();
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("a withdrawal is kept and taken off, and the focus returns to its button", async () => {
  await open();
  await userEvent.click(button("Withdraw Hand warmer"));
  expect(field("Withdrawal").checked).toBe(true);
  await userEvent.clear(field("Quantity"));
  await userEvent.type(field("Quantity"), "5{Enter}");
  await waitFor(() => expect(dialog().open).toBe(false));
  expect(await screen.findByText("79 in the books, 5 taken not sent yet")).toBeVisible();
  expect(amountOf("Hand warmer")).toHaveTextContent("74 79 in the books, 5 taken not sent yet");
  expect(await entriesOf(3)).toMatchObject([{ title: "Withdraw 5 × Hand warmer" }]);
  await userEvent.click(button("Withdraw Hand warmer"));
  expect(within(dialog()).getByText(/^74 in stock \(79 in the books, 5/)).toBeVisible();
});

test("what was sent is in the books, though they were read before", async () => {
  await store.put(moveOf(5, { action: "delivery" }), []);
  await open();
  expect(await screen.findByText("79 in the books, 5 added not sent yet")).toBeVisible();
  server.before = () => undefined;
  server.after = () => ({ body: { message: "Hand warmer: delivered 5, 84 now." } });
  await act(async () => {
    await sendNow();
  });
  expect(document.getElementById("live")).toHaveTextContent("Hand warmer: delivered 5, 84 now.");
  await waitFor(() => expect(screen.queryByText(/not sent yet/)).toBeNull());
  expect(amountOf("Hand warmer")).toHaveTextContent(/^84$/);
});

test("+ delivers, and Transfer is in the menu of a row", async () => {
  await open();
  await userEvent.click(button("Deliver Globe"));
  expect(field("Delivery").checked).toBe(true);
  await userEvent.click(within(dialog()).getByRole("link", { name: "Close" }));
  await userEvent.click(
    within(row("Rope")).getByRole("button", { name: "Transfer", hidden: true }),
  );
  expect(field("Transfer").checked).toBe(true);
  expect(dialog()).toHaveAccessibleName("Rope");
});

test("GPM's deliveries are scheduled with a connection, and it has no other site", async () => {
  await open(GPM);
  expect(screen.queryByRole("button", { name: /^Deliver/ })).toBeNull();
  expect(screen.queryByRole("button", { name: "Transfer", hidden: true })).toBeNull();
  await userEvent.click(button("Withdraw Globe"));
  expect(field("Delivery").checked).toBe(false);
});

test("an address that names an entry opens its dialog", async () => {
  const entry = moveOf(5, { quantity: "7" });
  await store.put(entry, []);
  history.replaceState(null, "", `/inventory/main#entry-${entry.id}`);
  await open();
  await waitFor(() => expect(dialog().open).toBe(true));
  expect(field("Quantity")).toHaveValue("7");
});

test("a database that can't be read leaves the list as it was read", async () => {
  vi.spyOn(store, "all").mockRejectedValue(new store.NotKept("Blocked"));
  await open();
  expect(names()).toEqual(["Globe", "Hand warmer", "Rope"]);
});

test("of a long list only the rows near the view are rendered, and the one with the focus stays", async () => {
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(33);
  const rows = Array.from({ length: 3030 }, (_, n): StockReference["rows"][number] => [
    n + 1,
    `Item ${n}`,
    n,
    "",
    100,
    "pcs",
  ]);
  await open({ ...REFERENCE, rows });
  expect(screen.getAllByRole("rowheader").length).toBeLessThan(60);
  expect(screen.getByRole("table")).toHaveAttribute("aria-rowcount", "3031");
  const first = button("Withdraw Item 0");
  first.focus();
  vi.spyOn(window, "scrollY", "get").mockReturnValue(50_000);
  fireEvent.scroll(window);
  expect(first).toBeInTheDocument();
});

test("amounts and prices too big for a phone's row are marked", async () => {
  await open({ ...REFERENCE, rows: [[1, "Pin", 100_000, "", 1, "pcs"]] });
  expect(row("Pin")).toHaveClass("big");
});

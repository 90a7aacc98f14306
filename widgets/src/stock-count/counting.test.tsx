import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StockCheck } from "./StockCheck";
import {
  bar,
  button,
  count,
  type FakeServer,
  open,
  PROPS,
  row,
  startServer,
  stopServer,
  type,
} from "./testing";

let server: FakeServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

test("counts start as expected, and no line is looked at", async () => {
  await open();
  expect(count("Red heart holder")).toHaveValue("129");
  expect(within(row("Red heart holder")).getByText("£2.95")).toBeVisible();
  expect(bar()).toHaveTextContent("0 differences");
  expect(bar()).toHaveTextContent("4 lines not looked at");
  expect(screen.getByRole("table")).toHaveAttribute("aria-rowcount", "5");
});

test("a count shows its difference and is summed in the bar", async () => {
  await open();
  await type("Red heart holder", "125");
  await type("Hand warmer", "81");
  expect(within(row("Red heart holder")).getByText("−4")).toHaveClass("down");
  expect(within(row("Hand warmer")).getByText("+2")).toHaveClass("up");
  expect(row("Hand warmer")).toHaveClass("differs");
  expect(within(row("Hand warmer")).getByRole("img", { name: "Looked at" })).toBeVisible();
  expect(bar()).toHaveTextContent("2 differences · +2 / −4 units · +£4.20 / −£11.80");
  expect(bar()).toHaveTextContent(/2 lines not looked at · saved at \d\d:\d\d/);
});

test("Enter marks a line as looked at and focuses the next, Shift+Enter the previous, with the number selected", async () => {
  await open();
  count("Red heart holder").focus();
  await userEvent.keyboard("{Enter}");
  expect(count("Hand warmer")).toHaveFocus();
  expect(count("Hand warmer").selectionEnd).toBe(2);
  await userEvent.keyboard("{Shift>}{Enter}{/Shift}");
  expect(count("Red heart holder")).toHaveFocus();
  expect(bar()).toHaveTextContent("2 lines not looked at");
  await userEvent.keyboard("{ArrowUp}{ArrowDown}");
  expect(count("Red heart holder")).toHaveValue("129");
});

test("− and + count one less and one more, never below 0", async () => {
  await open();
  await userEvent.click(button("One more Globe"));
  expect(count("Globe")).toHaveValue("1");
  await userEvent.click(button("One less Globe"));
  await userEvent.click(button("One less Globe"));
  expect(count("Globe")).toHaveValue("0");
  expect(bar()).toHaveTextContent("3 lines not looked at");
});

test.each(["x1", "-1", "1.5", "", "1000000000"])(
  "'%s' is not a count, is marked, and blocks Apply",
  async (text) => {
    await open();
    fireEvent.change(count("Hand warmer"), { target: { value: text } });
    await waitFor(() => expect(count("Hand warmer")).toBeInvalid());
    expect(
      within(row("Hand warmer")).getByText("Enter a whole number of 0 or more."),
    ).toBeVisible();
    await userEvent.click(button("Apply"));
    const alert = screen.getByRole("alert");
    expect(alert).toHaveFocus();
    await userEvent.click(within(alert).getByRole("button", { name: /Hand warmer/ }));
    await waitFor(() => expect(count("Hand warmer")).toHaveFocus());
    expect(server.sent()).toEqual([]);
  },
);

test("the search matches words in any order and case, the filter a category", async () => {
  await open();
  await userEvent.type(screen.getByRole("searchbox"), "HOLDER red{Enter}");
  expect(screen.getAllByRole("rowheader")).toHaveLength(1);
  await userEvent.type(screen.getByRole("searchbox"), "zzz");
  expect(screen.getByText("No items match.")).toBeVisible();
  await userEvent.click(button("Show all"));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Category" }), "Paper");
  expect(screen.getAllByRole("rowheader").map((each) => each.textContent?.trim())).toEqual([
    "Paper chain kit",
  ]);
  expect(server.sent()).toEqual([]);
});

test("only differences can be shown, and a line stays while its count is corrected", async () => {
  await open();
  await type("Hand warmer", "80");
  await userEvent.selectOptions(
    screen.getByRole("combobox", { name: "Category" }),
    "Only differences",
  );
  expect(screen.getAllByRole("rowheader")).toHaveLength(1);
  await type("Hand warmer", "79");
  expect(count("Hand warmer")).toBeVisible();
});

test("all counts can be set to 0 or to expected, after confirmation when counts would be lost", async () => {
  await open();
  await userEvent.click(button("Set all counted to 0"));
  expect(count("Red heart holder")).toHaveValue("0");
  expect(bar()).toHaveTextContent("3 differences");
  await type("Hand warmer", "5");
  await userEvent.click(button("Reset counts to expected"));
  const question = screen.getByRole("dialog");
  expect(question).toHaveTextContent("Your count so far will be lost.");
  await userEvent.click(within(question).getByRole("button", { name: "Cancel" }));
  expect(count("Hand warmer")).toHaveValue("5");
  await userEvent.click(button("Reset counts to expected"));
  await userEvent.click(button("Go ahead"));
  await waitFor(() => expect(count("Hand warmer")).toHaveValue("79"));
  expect(bar()).toHaveTextContent("0 differences");
});

test("the count sheet can be printed and downloaded", async () => {
  await open();
  expect(screen.getByRole("link", { name: "Print count sheet" })).toHaveAttribute(
    "href",
    "/inventory/main/count-sheet",
  );
  expect(screen.getByRole("link", { name: "Download count sheet (CSV)" })).toHaveAttribute(
    "href",
    "/inventory/main/count-sheet.csv",
  );
});

test("a filled-in sheet marks its lines as looked at and adds its new items as found", async () => {
  server.answers.push({
    body: {
      lines: [{ id: "Globe", expected: 2, counted: 3 }],
      found: [{ name: "Cloche", qty: 6, category: "Glass", unitPrice: 7.95 }],
    },
  });
  await open();
  const file = new File(["item,counted"], "sheet.csv", { type: "text/csv" });
  await userEvent.upload(screen.getByLabelText("Load a filled-in sheet"), file);
  expect(await screen.findByText("Loaded 1 line and 1 found item from the sheet.")).toBeVisible();
  expect(within(row("Globe")).getByText("+1")).toBeVisible();
  expect(screen.getByLabelText("Unit price (£)")).toHaveValue("7.95");
  expect(bar()).toHaveTextContent("3 lines not looked at");
  expect(server.requests.at(-1)).toMatchObject({
    method: "POST",
    url: "/api/gfm/inventory/main/count-sheet",
  });
});

test("a sheet that can't be read lists its errors by line", async () => {
  server.answers.push({
    status: 422,
    body: { error: "Row 3: counted is not a number\nRow 9: no such item" },
  });
  await open();
  await userEvent.upload(
    screen.getByLabelText("Load a filled-in sheet"),
    new File([""], "x.csv", { type: "text/csv" }),
  );
  expect(await screen.findByText("Row 3: counted is not a number")).toBeVisible();
  expect(screen.getByText("Row 9: no such item")).toBeVisible();
});

test("a found item shows whether it will be added or is already in the list", async () => {
  await open();
  await userEvent.click(button("Found new item"));
  expect(screen.getByLabelText("Item name")).toHaveFocus();
  expect(screen.getByText("Enter name and quantity")).toBeVisible();
  await userEvent.keyboard("  GLOBE");
  expect(screen.getByText(/Already in the list/)).toBeVisible();
  await userEvent.type(screen.getByLabelText("Item name"), "s");
  expect(screen.queryByText(/Already in the list/)).toBeNull();
  await userEvent.type(screen.getByLabelText("Quantity"), "6");
  expect(screen.getByText("Will be added on Apply")).toHaveClass("ok");
  await userEvent.click(button("Clear"));
  expect(screen.queryByLabelText("Item name")).toBeNull();
  expect(button("Found new item")).toHaveFocus();
});

test("a list that fails to load shows an error, and can be retried", async () => {
  const { fetch } = globalThis;
  let calls = 0;
  globalThis.fetch = (...given) =>
    calls++ === 0 ? Promise.reject(new TypeError()) : fetch(...given);
  render(<StockCheck props={PROPS} />);
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to load inventory");
  await userEvent.click(button("Try again"));
  expect(await screen.findByRole("table")).toBeVisible();
});

test("the summary names every wrong line, each until it is right, and leaves the focus", async () => {
  await open();
  fireEvent.change(count("Hand warmer"), { target: { value: "x1" } });
  fireEvent.change(count("Globe"), { target: { value: "-1" } });
  await userEvent.click(button("Apply"));
  const summary = () => screen.queryByRole("alert");
  expect(summary()).toHaveTextContent("Hand warmer");
  expect(summary()).toHaveTextContent("Globe");
  await userEvent.clear(count("Globe"));
  await userEvent.type(count("Globe"), "3");
  expect(summary()).not.toHaveTextContent("Globe");
  expect(count("Globe")).toHaveFocus();
  await userEvent.clear(count("Hand warmer"));
  await userEvent.type(count("Hand warmer"), "79");
  expect(summary()).toBeNull();
});

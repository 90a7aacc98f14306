import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as drafts from "../shared/drafts";
import { OPERATION_DONE, STOCK_CHANGED } from "../shared/operations";
import { type Answer, ITEMS, type SentRequest, serve } from "../shared/testing";
import { BulkUpdate } from "./BulkUpdate";
import type { Props } from "./props";

const PROPS: Props = {
  user: 7,
  division: "gfm",
  site: "main",
  sites: [
    { value: "main", label: "Main" },
    { value: "guildford", label: "Guildford" },
  ],
  teams: ["Cleaning"],
  deliveryTeams: [],
  withdrawalTeams: [],
  today: "2026-11-21",
  back: "/inventory/main",
  resultUrl: "/inventory/main/operations/{id}",
};
const OWNER = { user: 7, division: "gfm", site: "main", kind: "bulk-update" };
const DONE: Answer = { body: { operation: 12, lines: [] } };

let requests: SentRequest[];
let answers: Answer[];

beforeEach(async () => {
  await drafts.discard(OWNER);
  answers = [];
  requests = serve(({ method }) =>
    method === "GET" ? { body: ITEMS } : (answers.shift() ?? DONE),
  );
});
afterEach(() => vi.unstubAllGlobals());

async function open(props: Partial<Props> = {}): Promise<void> {
  document.body.innerHTML = '<dialog id="dialog"></dialog>';
  const dialog = document.querySelector("dialog") as HTMLDialogElement;
  dialog.showModal();
  render(<BulkUpdate props={{ ...PROPS, ...props }} />, { container: dialog });
  await waitFor(() => expect(requests.length).toBeGreaterThan(0));
  // The widget's own read of its draft comes before this one.
  await act(async () => void (await drafts.load(OWNER)));
}
const item = (n: number) => screen.getByRole("combobox", { name: `Item, line ${n}` });
const quantity = (n: number) => screen.getByRole("textbox", { name: `Quantity, line ${n}` });
async function send(): Promise<void> {
  const button = document.querySelector<HTMLButtonElement>("footer .primary") as HTMLButtonElement;
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
}
const posts = () => requests.filter(({ method }) => method === "POST");
function paste(text: string): void {
  fireEvent.paste(item(1), { clipboardData: { getData: () => text } });
}

test("type-ahead offers items with their amounts, by keyboard, and Enter focuses the next field", async () => {
  await open();
  await userEvent.type(item(1), "HOLDER red");
  const offer = await screen.findByRole("option", { name: /Red heart holder/ });
  expect(offer).toHaveTextContent("129");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(item(1)).toHaveValue("Red heart holder");
  expect(quantity(1)).toHaveFocus();
  await userEvent.keyboard("3{Enter}");
  expect(screen.getByText("129 → 132")).toBeVisible();
  expect(item(2)).toHaveFocus();
});

test("an offer is chosen by touch", async () => {
  await open();
  await userEvent.type(item(1), "glo");
  await userEvent.click(await screen.findByRole("option", { name: /Globe/ }));
  expect(item(1)).toHaveValue("Globe");
});

test("Esc closes the offers and keeps the text", async () => {
  await open();
  await userEvent.type(item(1), "glo");
  await screen.findByRole("option");
  await userEvent.keyboard("{Escape}{Escape}");
  expect(screen.queryByRole("option")).toBeNull();
  expect(item(1)).toHaveValue("glo");
});

test("lines pasted from a spreadsheet are filled in, and the same item is summed", async () => {
  await open();
  paste("Globe\t3\nglobe\t4\nLadder\t2");
  expect(quantity(3)).toHaveValue("2");
  expect(screen.getAllByText(/^0 → 7/)).toHaveLength(2);
  expect(screen.getByText("New item")).toBeVisible();
  await send();
  await waitFor(() => expect(posts()).toHaveLength(1));
  expect(posts()[0]).toMatchObject({
    url: "/api/gfm/inventory/main/bulk",
    body: {
      action: "delivery",
      date: "2026-11-21",
      team: "",
      autoCreate: true,
      destination: null,
      lines: [
        { name: "Globe", qty: 3 },
        { name: "globe", qty: 4 },
        { name: "Ladder", qty: 2 },
      ],
    },
  });
});

test.each([
  ["Delivery", 'Item not found: "Ladder" (enable auto-create or add it first)'],
  ["Withdrawal", 'Item not found for withdrawal: "Ladder"'],
  ["Transfer", 'Item not found for transfer: "Ladder"'],
])("a %s of an unknown item is flagged before it is sent", async (action, message) => {
  await open();
  paste("Ladder\t2\n");
  await userEvent.click(screen.getByLabelText(/Auto-create/));
  await userEvent.click(screen.getByLabelText(action));
  expect(screen.getByText(message)).toBeVisible();
  expect(screen.queryByLabelText(/Auto-create/) !== null).toBe(action === "Delivery");
});

test("more than is in stock is flagged, summed over all lines of the item", async () => {
  await open();
  await userEvent.click(screen.getByLabelText("Withdrawal"));
  paste("Hand warmer\t50\nHAND warmer\t30");
  expect(screen.getAllByText('Not enough stock: "Hand warmer" has 79')).toHaveLength(2);
});

test("missing input is reported in the summary and at its field, and nothing is sent", async () => {
  await open();
  await send();
  expect(screen.getByRole("alert")).toHaveTextContent("Add at least one item.");
  paste("Globe\t0\n");
  fireEvent.change(screen.getByLabelText("Date"), { target: { value: "" } });
  await userEvent.click(screen.getByLabelText("Transfer"));
  await send();
  const alert = screen.getByRole("alert");
  expect(alert).toHaveFocus();
  for (const message of [
    "Please pick a date.",
    "Quantity must be at least 1",
    "Choose a destination site.",
  ]) {
    expect(alert).toHaveTextContent(message);
  }
  await userEvent.click(within(alert).getByRole("button", { name: "Quantity must be at least 1" }));
  expect(quantity(1)).toHaveFocus();
  fireEvent.change(screen.getByLabelText(/^Date/), { target: { value: "2026-11-22" } });
  await send();
  expect(screen.getByRole("alert")).toHaveTextContent("Date can't be in the future.");
  expect(posts()).toEqual([]);
});

test("the only site of a division has no transfers", async () => {
  await open({ sites: [{ value: "main", label: "Main" }] });
  expect(screen.queryByLabelText("Transfer")).toBeNull();
});

test("a transfer offers the other sites as destination", async () => {
  await open();
  await userEvent.click(screen.getByLabelText("Transfer"));
  const destination = screen.getByLabelText("Destination site");
  expect(within(destination).queryByRole("option", { name: "Main" })).toBeNull();
  await userEvent.selectOptions(destination, "guildford");
  paste("Hand warmer\t5\n");
  await send();
  await waitFor(() =>
    expect(posts()[0]?.body).toMatchObject({ action: "transfer", destination: "guildford" }),
  );
});

test("the server's error is shown at its line, even after blank lines", async () => {
  answers = [
    {
      status: 409,
      body: { error: "No.", fields: { "lines.1.name": 'Not enough stock: "Globe" has 0' } },
    },
  ];
  await open();
  paste("Hand warmer\t1\n\t\nGlobe\t2");
  await send();
  expect(await screen.findByRole("alert")).toHaveTextContent('Not enough stock: "Globe" has 0');
  const wrong = document.querySelectorAll(".bulk-line.wrong");
  expect(wrong).toHaveLength(1);
  expect(wrong[0]?.querySelector("input")).toHaveValue("Globe");
});

test("after a lost reply the same content is sent under the same key, other content under a new one", async () => {
  answers = ["no connection", { status: 500, text: "" }, "no connection"];
  await open();
  paste("Globe\t3\n");
  await send();
  expect(
    await screen.findByText(
      "Bulk update failed. No connection. Nothing is lost. Try again; the change is made only once.",
    ),
  ).toBeVisible();
  await send();
  await waitFor(() => expect(posts()).toHaveLength(2));
  await waitFor(() => expect(document.querySelector("footer .primary")).toBeEnabled());
  await userEvent.type(quantity(1), "1");
  await send();
  await waitFor(() => expect(posts()).toHaveLength(3));
  const [first, second, third] = posts().map(({ key }) => key);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("an error without a message says what failed", async () => {
  answers = [{ status: 400, text: "" }];
  await open();
  paste("Globe\t3\n");
  await send();
  expect(await screen.findByText("Bulk update failed")).toBeVisible();
});

test("success closes the dialog, notifies the list and removes the draft", async () => {
  const events: unknown[] = [];
  document.addEventListener(OPERATION_DONE, (event) => events.push((event as CustomEvent).detail), {
    once: true,
  });
  document.addEventListener(STOCK_CHANGED, () => events.push("changed"), { once: true });
  await open();
  paste("Globe\t3\n");
  await send();
  await waitFor(() =>
    expect(events).toEqual(["changed", { url: "/inventory/main/operations/12" }]),
  );
  expect(document.querySelector("dialog")).not.toHaveAttribute("open");
  expect(await drafts.load(OWNER)).toBeNull();
});

test("lines that were left unsent are in the form again, only for their owner", async () => {
  await open();
  paste("Globe\t3\nLadder\t2");
  await waitFor(async () => expect((await drafts.load(OWNER))?.parts.get("lines")).toHaveLength(2));
  await open({ user: 8 });
  expect(screen.queryByText(/^Lines resumed/)).toBeNull();
  expect(item(1)).toHaveValue("");
  await open();
  expect(screen.getByText(/^Lines resumed. They were entered at \d\d:\d\d/)).toBeVisible();
  expect(item(1)).toHaveValue("Globe");
  expect(quantity(2)).toHaveValue("2");
  await userEvent.type(quantity(2), "5");
  expect(screen.queryByText(/^Lines resumed/)).toBeNull();
  expect(item(1)).toHaveValue("Globe");
});

test("starting again removes the lines that were resumed", async () => {
  await drafts.put(OWNER, "lines", [{ name: "Globe", qty: "3" }]);
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Start again" }));
  expect(item(1)).toHaveValue("");
  expect(screen.queryByText(/^Lines resumed/)).toBeNull();
  await waitFor(async () => expect(await drafts.load(OWNER)).toBeNull());
});

test("the user's last teams are offered, the last one of the same action is chosen", async () => {
  await open({ deliveryTeams: ["Kitchen", "Shop"], withdrawalTeams: ["Shop", "Kitchen"] });
  expect(screen.getByLabelText("Kitchen")).toBeChecked();
  await userEvent.click(screen.getByLabelText("Withdrawal"));
  expect(screen.getByLabelText("Shop")).toBeChecked();
  await userEvent.click(screen.getByLabelText("Transfer"));
  expect(screen.queryByLabelText("Shop")).toBeNull();
  await userEvent.click(screen.getByLabelText("Delivery"));
  await userEvent.click(screen.getByLabelText("No team"));
  expect(screen.getByLabelText("No team")).toBeChecked();
  await userEvent.type(screen.getByLabelText("Another team"), "Bar");
  expect(screen.getByLabelText("No team")).not.toBeChecked();
  paste("Globe\t3\n");
  await send();
  await waitFor(() => expect(posts()).toHaveLength(1));
  expect(posts()[0]).toMatchObject({ body: { team: "Bar" } });
});

test("a team that may be another one is confirmed first, the one in use at once", async () => {
  const refused = { error: "No.", fields: { team: "No." }, resembles: ["Cleaning"] };
  answers = [
    { status: 422, body: refused },
    { status: 422, body: refused },
  ];
  await open();
  paste("Globe\t3\n");
  await userEvent.type(screen.getByLabelText("Team (optional)"), "Clean");
  await send();
  const question = await screen.findByRole("group", { name: 'New team "Clean"? Or' });
  expect(within(question).getByRole("button", { name: "Cleaning" })).toHaveFocus();
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(posts()).toHaveLength(2));
  await userEvent.clear(screen.getByLabelText("Team (optional)"));
  expect(screen.queryByRole("group", { name: /^New team/ })).toBeNull();
  await userEvent.type(screen.getByLabelText("Team (optional)"), "Clean");
  answers = [{ status: 422, body: refused }];
  await send();
  await userEvent.click(await screen.findByRole("button", { name: 'New team "Clean"' }));
  await waitFor(() => expect(posts()).toHaveLength(4));
  expect(posts().map(({ body }) => body)).toMatchObject([
    { team: "Clean", newTeam: false },
    { team: "Cleaning", newTeam: false },
    { team: "Clean", newTeam: false },
    { team: "Clean", newTeam: true },
  ]);
});

test("leaving the page asks while lines are unsent", async () => {
  await open();
  const leave = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(leave()).toBe(false);
  paste("Globe\t3\n");
  expect(leave()).toBe(true);
});

test("a line can be removed, and the last one is replaced by a blank one", async () => {
  await open();
  paste("Globe\t3\nLadder\t2");
  await userEvent.click(screen.getByRole("button", { name: "Remove line 1" }));
  expect(item(1)).toHaveValue("Ladder");
  await userEvent.click(screen.getByRole("button", { name: "Remove line 1" }));
  expect(item(1)).toHaveValue("");
});

test("stock that fails to load shows an error, and can be retried", async () => {
  requests = serve(() => ({ status: 500, text: "" }));
  await open();
  expect(screen.getByText("Failed to load inventory. No connection. Try again.")).toBeVisible();
  requests = serve(() => ({ body: ITEMS }));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});

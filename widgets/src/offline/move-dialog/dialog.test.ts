import { getByRole, getByText, queryByText, within } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { expect, test, vi } from "vitest";
import { entriesOf } from "../../outbox";
import { londonDay } from "../../shared/times";
import { offersOf } from "../stock-reference";
import { GPM, REFERENCE } from "../testing";
import { button, dialog, field, form, open, save, startPages } from "./testing";

const TODAY = londonDay();
const server = startPages();
const sent = () => server().calls.filter(({ method }) => method === "POST");
const lastSent = () => Object.fromEntries(new URLSearchParams(sent().at(-1)?.body));

test("it has the item, its amount and price, and the fields of the page's dialog", async () => {
  await open();
  expect(dialog()).toHaveAccessibleName("Hand warmer");
  expect(getByText(dialog(), "79 in stock · £2.10")).toBeVisible();
  expect(field("Withdrawal")).toBeChecked();
  expect(field("Quantity")).toHaveValue("1");
  expect(field("Quantity")).toHaveFocus();
  expect(field("Kitchen")).toBeChecked();
  expect(field("Another team")).toHaveValue("");
  expect(field("Date")).toHaveValue(TODAY);
  expect(button("Withdraw")).toBeEnabled();
  expect(getByText(dialog(), "79 → 78")).toBeVisible();
});

test("what is on the shelf is what the books have with what is not sent yet", async () => {
  await open({ change: -5 });
  const note = "74 in stock (79 in the books, 5 taken not sent yet) · £2.10";
  expect(getByText(dialog(), note)).toBeVisible();
  expect(getByText(dialog(), "74 → 73")).toBeVisible();
});

test("more than the books have was taken: a delivery adds to what is missing", async () => {
  await open({ change: -81, action: "delivery" });
  expect(getByText(dialog(), /^0 in stock/)).toBeVisible();
  expect(getByText(dialog(), "0 → 0")).toBeVisible();
  await userEvent.clear(field("Quantity"));
  await userEvent.type(field("Quantity"), "5");
  expect(getByText(dialog(), "0 → 3")).toBeVisible();
  await userEvent.click(field("Withdrawal"));
  expect(getByText(dialog(), "Only 0 in stock")).toBeVisible();
});

test("a unit is named beside the amount, a price that isn't known isn't", async () => {
  const [id, name, amount, , , unit] = REFERENCE.rows[2] ?? [0, "", 0, "", 0, ""];
  await open({ item: { id, name, amount, unit, unitPrice: null } });
  expect(getByText(dialog(), "12 m in stock")).toBeVisible();
});

test("it meets the rules of accessibility", async () => {
  await open();
  form().requestSubmit();
  const { violations } = await axe.run(dialog());
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("the preview, the button and the fields follow the action", async () => {
  await open();
  const destination = () => getByText(dialog(), "Destination site").closest("[data-only]");
  expect(destination()).not.toBeVisible();
  await userEvent.click(field("Transfer"));
  expect(destination()).toBeVisible();
  expect(button("Transfer")).toBeVisible();
  expect(queryByText(dialog(), "Team")?.closest("[data-only]")).not.toBeVisible();
  await userEvent.click(field("Delivery"));
  expect(getByText(dialog(), "79 → 80")).toBeVisible();
  expect(button("Deliver")).toBeVisible();
});

test("the last teams of the same action are offered, the first chosen", async () => {
  await open({ action: "delivery" });
  expect(field("Stores")).toBeChecked();
  expect(within(dialog()).queryByLabelText("Kitchen")).toBeNull();
  expect(field("Delivery")).toBeChecked();
});

test("a division of one site has no transfers, and one without moves has no last teams", async () => {
  await open({}, { ...GPM, withdrawalTeams: [] });
  expect(within(dialog()).queryByLabelText("Transfer")).toBeNull();
  expect(within(dialog()).queryByText("Destination site")).toBeNull();
  expect(field("Team")).toHaveValue("");
  expect([...(field("Team").list?.options ?? [])].map(({ value }) => value)).toEqual([
    "Kitchen",
    "Stores",
  ]);
});

test("a destination may be chosen beforehand", async () => {
  await open({ action: "transfer", chosen: { destination: "northern" } });
  expect(field("Northern")).toBeChecked();
});

test("the day is that in London by the server's clock", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T12:00:00Z") });
  await open({ clockOffset: 36 * 60 * 60 * 1000 });
  expect(field("Date")).toHaveValue("2026-11-22");
  expect(field("Date")).toHaveAttribute("max", "2026-11-22");
});

test("what is wrong is shown as the server words it, in its order, and nothing is kept", async () => {
  await open({ offers: { ...offersOf(REFERENCE), withdrawalTeams: [] } });
  field("Quantity").value = "";
  field("Date").value = "";
  form().requestSubmit();
  const problems = [...dialog().querySelectorAll("[data-problems] a")].map((a) => a.textContent);
  expect(problems).toEqual([
    "Team is required",
    "Quantity must be at least 1",
    "Please pick a date.",
  ]);
  expect(dialog().querySelector("[data-problems]")).toHaveFocus();
  expect(field("Quantity")).toHaveAttribute("aria-invalid", "true");
  expect(field("Quantity")).toHaveAccessibleDescription("Quantity must be at least 1");
  // Leaving the field would mean one.
  expect(field("Quantity")).toHaveValue("");
  expect(await entriesOf(3)).toEqual([]);
});

test.each([
  ["Quantity", "0", "Quantity must be at least 1"],
  ["Quantity", "1.5", '"1.5" is not a whole number'],
  ["Quantity", "9999999999", "Quantity must be at most 999,999,999"],
  ["Another team", "x".repeat(101), "Team must be at most 100 characters"],
  ["Date", "1999-12-31", "Date can't be before 1 Jan 2000."],
  ["Date", "2999-01-01", "Date can't be in the future."],
])("%s '%s' is refused: %s", async (label, value, message) => {
  await open();
  field(label).value = value;
  form().requestSubmit();
  expect(dialog().querySelector("[data-problems]")).toHaveTextContent(message);
});

test("a transfer needs a destination and no team", async () => {
  await open({ action: "transfer", offers: { ...offersOf(REFERENCE), withdrawalTeams: [] } });
  form().requestSubmit();
  const link = getByRole(dialog(), "link", { name: "Choose a destination site." });
  expect(dialog().querySelectorAll("[data-problems] li")).toHaveLength(1);
  await userEvent.click(link);
  expect(dialog().querySelector("fieldset#destination")).toHaveFocus();
  await userEvent.click(field("Guildford"));
  expect(queryByText(dialog(), "Choose a destination site.")).toBeNull();
  form().requestSubmit();
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  expect(lastSent()).toMatchObject({ action: "transfer", destination: "guildford" });
});

test("an error goes once its field is corrected", async () => {
  await open();
  await save("0");
  await userEvent.type(field("Quantity"), "5");
  expect(dialog().querySelector("[data-problems]")).toBeNull();
  expect(field("Quantity")).not.toHaveAttribute("aria-invalid");
});

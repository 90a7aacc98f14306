import { getByRole, getByText } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { entriesOf } from "../../outbox";
import type { Entry } from "../../outbox/entry";
import { readHint } from "../../outbox/hint";
import * as store from "../../outbox/store";
import { PORTAL, refusal } from "../../outbox/testing";
import { londonDay } from "../../shared/times";
import { moveOf } from "../testing";
import { button, dialog, field, form, live, open, save, startPages } from "./testing";

const KEPT = "Kept on this phone. It counts once it is sent.";
const TODAY = londonDay();
const server = startPages();
const question = () => document.querySelector("dialog:not(#dialog)") as HTMLDialogElement;
const sent = () => server().calls.filter(({ method }) => method === "POST");
const lastSent = () => Object.fromEntries(new URLSearchParams(sent().at(-1)?.body));

async function expectKept(): Promise<Entry> {
  await vi.waitFor(() => expect(live()).toHaveTextContent(KEPT));
  const [entry] = await entriesOf(3);
  if (!entry) throw new Error("Nothing was kept");
  return entry;
}

test("with a line it is sent at once, and the server's message is shown", async () => {
  server().after = () => ({ body: { message: "Hand warmer: withdrew 5, 74 left." } });
  await open();
  await save("5");
  await vi.waitFor(() => expect(live()).toHaveTextContent("Hand warmer: withdrew 5, 74 left."));
  expect(dialog().open).toBe(false);
  expect(sent()[0]?.path).toBe("/inventory/main/items/5/action");
  expect(lastSent()).toEqual({
    action: "withdrawal",
    quantity: "5",
    recent_team: "Kitchen",
    team: "",
    date: TODAY,
    key: expect.any(String),
  });
  expect(await entriesOf(3)).toEqual([]);
});

test.each([
  ["no connection", () => "no reply" as const],
  ["a portal in the server's place", () => PORTAL],
])("with %s it is kept, which is shown with a link to what waits", async (_, answer) => {
  server().before = answer;
  await open();
  await save("5");
  const entry = await expectKept();
  expect(dialog().open).toBe(false);
  expect(getByRole(live(), "link", { name: "1 not sent yet" })).toHaveAttribute("href", "/outbox");
  expect(entry).toMatchObject({ title: "Withdraw 5 × Hand warmer", state: "waiting" });
  expect(readHint()).toMatchObject([{ user: 3, count: 1 }]);
});

test("a save counts once however often it is confirmed", async () => {
  server().before = () => "no reply";
  await open();
  form().requestSubmit();
  form().requestSubmit();
  await expectKept();
  expect(await entriesOf(3)).toHaveLength(1);
});

test("Cancel and Close leave nothing behind", async () => {
  for (const name of ["Cancel", "Close"]) {
    await open();
    await userEvent.click(getByRole(dialog(), "link", { name }));
    expect(dialog().open).toBe(false);
    expect(dialog()).toBeEmptyDOMElement();
  }
  expect(await entriesOf(3)).toEqual([]);
});

test("more than the list had is to be confirmed, since the books may be old", async () => {
  server().before = () => "no reply";
  await open();
  await save("80");
  expect(getByText(dialog(), "Only 79 in stock")).toBeVisible();
  await vi.waitFor(() => expect(question()).toHaveAccessibleName("Withdraw 80?"));
  expect(question()).toHaveTextContent(/The books had 79 at \d+:\d+\. If/);
  await userEvent.click(getByRole(question(), "button", { name: "Cancel" }));
  expect(dialog().open).toBe(true);
  await vi.waitFor(() => expect(button("Withdraw")).toBeEnabled());
  form().requestSubmit();
  await vi.waitFor(() => expect(question()).not.toBeNull());
  await userEvent.click(getByRole(question(), "button", { name: "Withdraw 80" }));
  expect((await expectKept()).title).toBe("Withdraw 80 × Hand warmer");
});

test("more than what is left beside what is not sent yet is to be confirmed, with both figures", async () => {
  server().before = () => "no reply";
  await open({ change: -3 });
  await save("77");
  expect(getByText(dialog(), "Only 76 in stock")).toBeVisible();
  await vi.waitFor(() =>
    expect(question()).toHaveTextContent(
      /The books had 79 at \d+:\d+, 3 taken not sent yet: that leaves 76\. If/,
    ),
  );
});

test("more than an entry's list had is to be confirmed without the time", async () => {
  await open({ readAt: null, action: "transfer", chosen: { destination: "northern" } });
  await save("80");
  await vi.waitFor(() => expect(question()).toHaveTextContent("The books had 79. If"));
});

test("a refusal comes back into the form, and its correction is sent in its place", async () => {
  server().before = ({ path }) =>
    path === "/session"
      ? undefined
      : refusal(422, "invalid", { fields: { team: "Team holds a character that can't be seen" } });
  await open();
  await userEvent.type(field("Another team"), "Kit");
  await userEvent.click(button("Withdraw"));
  await vi.waitFor(() =>
    expect(dialog().querySelector("[data-problems]")).toHaveTextContent("can't be seen"),
  );
  const [refused] = await entriesOf(3);
  expect(refused?.state).toBe("refused");
  server().before = () => undefined;
  await userEvent.clear(field("Another team"));
  await userEvent.type(field("Another team"), "Kitchen");
  await userEvent.click(button("Withdraw"));
  await vi.waitFor(() => expect(dialog().open).toBe(false));
  expect(await entriesOf(3)).toEqual([]);
  expect([...server().made.keys()]).toHaveLength(1);
  expect([...server().made.keys()]).not.toContain(refused?.id);
});

test("a refusal without fields is shown above them; after the dialog was closed, above the page", async () => {
  server().before = ({ path }) => (path === "/session" ? undefined : refusal(404, "not_found"));
  await open();
  form().requestSubmit();
  await vi.waitFor(() =>
    expect(dialog().querySelector("[data-problems]")).toHaveTextContent("Refused with 404"),
  );
  form().requestSubmit();
  dialog().close();
  await vi.waitFor(() =>
    expect(document.getElementById("alerts")).toHaveTextContent("Refused with 404"),
  );
});

test("a conflict is kept, and shown with a link to its choices", async () => {
  server().before = ({ path }) =>
    path === "/session" ? undefined : refusal(409, "not_enough_stock", { available: 2 });
  await open();
  await save("5");
  await vi.waitFor(() => expect(live()).toHaveTextContent(", but the books say 2."));
  expect(getByRole(live(), "link", { name: "Look at it" })).toHaveAttribute("href", "/outbox");
  expect(await entriesOf(3)).toMatchObject([{ state: "conflict" }]);
});

test("where nothing can be kept or sent, the dialog stays and says so", async () => {
  vi.stubGlobal("indexedDB", { open: () => ({}) });
  server().before = () => "no reply";
  vi.spyOn(store, "put").mockRejectedValue(new store.NotKept("This device is full."));
  await open();
  await save("5");
  await vi.waitFor(() =>
    expect(getByRole(dialog(), "alert")).toHaveTextContent("This device is full."),
  );
  expect(field("Quantity")).toHaveValue("5");
  vi.restoreAllMocks();
});

test("an edit has the values of its entry, and replaces it", async () => {
  server().before = () => "no reply";
  const first = moveOf(5, {
    quantity: "7",
    team: "Bar",
    recent_team: "",
    date: "2026-11-20",
    action: "delivery",
  });
  const edited = { ...first, madeAt: 1000, clockOffset: 5 };
  await store.put(edited, []);
  const { action, fields } = { action: "delivery" as const, fields: edited.content };
  await open({ edited, action, chosen: (fields as { fields: Record<string, string> }).fields });
  expect(field("Delivery")).toBeChecked();
  expect(field("Quantity")).toHaveValue("7");
  expect(field("Another team")).toHaveValue("Bar");
  expect(field("Stores")).not.toBeChecked();
  expect(field("Date")).toHaveValue("2026-11-20");
  await save("9");
  const entry = await expectKept();
  expect(await entriesOf(3)).toHaveLength(1);
  // It was never sent, so that its key can be kept.
  expect(entry).toMatchObject({ id: edited.id, madeAt: 1000, clockOffset: 5 });
  expect(entry.title).toBe("Deliver 9 × Hand warmer");
});

test("an edit of what was sent and refused has a new key", async () => {
  const edited = { ...moveOf(5, {}), tries: 1, state: "conflict" as const };
  await store.put(edited, []);
  await open({ edited });
  await save("2");
  await vi.waitFor(() => expect(dialog().open).toBe(false));
  expect([...server().made.keys()]).toHaveLength(1);
  expect([...server().made.keys()]).not.toContain(edited.id);
});

test("an edit of what a file has too keeps its key, under which both count once", async () => {
  const edited = { ...moveOf(5, {}), tries: 1, state: "conflict" as const, hasCopy: true };
  await store.put(edited, []);
  await open({ edited });
  await save("2");
  await vi.waitFor(() => expect(dialog().open).toBe(false));
  expect([...server().made.keys()]).toEqual([edited.id]);
});

test("what was sent while it was open isn't sent once more", async () => {
  const edited = { ...moveOf(5, {}), tries: 1 };
  await open({ edited });
  await save("2");
  await vi.waitFor(() =>
    expect(getByRole(dialog(), "alert")).toHaveTextContent(
      "This isn't waiting any more: it was sent or discarded meanwhile.",
    ),
  );
  expect(await entriesOf(3)).toEqual([]);
  expect(server().made.size).toBe(0);
});

test("where nothing can be kept, a refusal can be corrected all the same", async () => {
  vi.spyOn(store, "put").mockRejectedValue(new store.NotKept("This device is full."));
  server().before = ({ path }) => (path === "/session" ? undefined : refusal(422, "invalid"));
  await open();
  await userEvent.click(button("Withdraw"));
  await vi.waitFor(() =>
    expect(dialog().querySelector("[data-problems]")).toHaveTextContent("Refused with 422"),
  );
  server().before = () => undefined;
  await userEvent.click(button("Withdraw"));
  await vi.waitFor(() => expect(dialog().open).toBe(false));
  expect(server().made.size).toBe(1);
  vi.restoreAllMocks();
});

const isForm = ({ path }: { path: string }) => path.endsWith("/action");
const keysSent = () => sent().map(({ body }) => new URLSearchParams(body).get("key"));

/** Lets the browser keep nothing, and no reply arrive. */
function cutOffUnkept(): void {
  vi.spyOn(store, "put").mockRejectedValue(new store.NotKept("This device is full."));
  server().after = () => "no reply";
}

test("what couldn't be kept and got no reply is booked once, however often it is saved", async () => {
  cutOffUnkept();
  await open();
  await save("5");
  const alert = await vi.waitFor(() => getByRole(dialog(), "alert"));
  expect(alert).toHaveTextContent("This may have arrived, though no reply came.");
  server().after = () => undefined;
  await userEvent.click(button("Withdraw"));
  await vi.waitFor(() => expect(dialog().open).toBe(false));
  expect(sent()).toHaveLength(2);
  expect(server().made.size).toBe(1);
});

test("another dialog on the same item books again", async () => {
  for (const _ of [1, 2]) {
    await open();
    await save("5");
    await vi.waitFor(() => expect(dialog().open).toBe(false));
  }
  expect(server().made.size).toBe(2);
});

test("what may have arrived keeps its key, whatever is corrected after a refusal", async () => {
  cutOffUnkept();
  await open();
  await save("5");
  await vi.waitFor(() => getByRole(dialog(), "alert"));
  server().before = (call) => (isForm(call) ? refusal(422, "key_reused") : undefined);
  await userEvent.click(button("Withdraw"));
  await vi.waitFor(() => expect(form()).toHaveTextContent("Refused with 422"));
  await userEvent.click(button("Withdraw"));
  await vi.waitFor(() => expect(sent()).toHaveLength(3));
  expect(new Set(keysSent()).size).toBe(1);
});

test("what is kept at the second attempt may have arrived with the first", async () => {
  cutOffUnkept();
  await open();
  await save("5");
  await vi.waitFor(() => getByRole(dialog(), "alert"));
  vi.restoreAllMocks();
  server().before = () => "no reply";
  await userEvent.click(button("Withdraw"));
  const entry = await expectKept();
  expect(entry.isUnanswered).toBe(true);
  expect([...server().made.keys()]).toEqual([entry.id]);
});

test("too little stock for what couldn't be kept is shown in the dialog", async () => {
  vi.spyOn(store, "put").mockRejectedValue(new store.NotKept("This device is full."));
  server().before = (call) =>
    isForm(call) ? refusal(409, "not_enough_stock", { available: 2 }) : undefined;
  await open();
  await save("5");
  await vi.waitFor(() => expect(form()).toHaveTextContent("Refused with 409"));
  expect(live()).toBeEmptyDOMElement();
});

test("what may have arrived isn't replaced, because both would count", async () => {
  const edited = { ...moveOf(5, {}), tries: 1, isUnanswered: true };
  await store.put(edited, []);
  await open({ edited });
  await save("2");
  await vi.waitFor(() =>
    expect(getByRole(dialog(), "alert")).toHaveTextContent("This may have been sent already."),
  );
  expect(await entriesOf(3)).toMatchObject([{ id: edited.id }]);
});

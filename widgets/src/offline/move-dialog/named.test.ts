/** The dialog on the entry that the page's address names. */
import { getByText } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";
import { entriesOf, sendNow } from "../../outbox";
import type { Entry } from "../../outbox/entry";
import * as store from "../../outbox/store";
import { entryOf } from "../../outbox/testing";
import { KEPT } from "../../shared/messages";
import { giveReference, moveOf, REFERENCE } from "../testing";
import { showUnsent } from "./live";
import { dialog, field, live, save, startPages } from "./testing";

const server = startPages();

beforeEach(() => {
  document.body.dataset.user = "3";
});

/** Keeps an entry, and opens the page whose address names it. */
async function openNamed(entry: Entry): Promise<void> {
  await store.put(entry, []);
  history.replaceState(null, "", `/inventory/main#entry-${entry.id}`);
  await showUnsent();
}

test("the dialog opens on the entry that its address names", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  const entry = moveOf(5, { quantity: "7", team: "Bar" });
  await openNamed(entry);
  expect(dialog().open).toBe(true);
  expect(field("Quantity")).toHaveValue("7");
  // What it takes itself isn't taken off.
  expect(getByText(dialog(), "79 in stock · £2.10")).toBeVisible();
});

test("an entry isn't sent while it is open, and as it was if nothing is saved", async () => {
  const entry = moveOf(5, { quantity: "7" });
  await openNamed(entry);
  // What was read isn't needed.
  expect(field("Quantity")).toHaveValue("7");
  await sendNow();
  expect(server().made.size).toBe(0);
  dialog().close();
  await vi.waitFor(async () =>
    expect(await entriesOf(3)).toMatchObject([{ state: "waiting", failure: null }]),
  );
  await sendNow();
  expect([...server().made.keys()]).toEqual([entry.id]);
});

test("a new version takes its place", async () => {
  const entry = moveOf(5, { quantity: "7" });
  server().before = () => "no reply";
  await openNamed(entry);
  await save("8");
  await vi.waitFor(() => expect(live()).toHaveTextContent(KEPT));
  expect(await entriesOf(3)).toMatchObject([
    { title: "Withdraw 8 × Hand warmer", state: "waiting" },
  ]);
});

test.each([
  ["may have arrived", { tries: 1 }, "This may have arrived, though no reply came"],
  ["a file has too", { hasCopy: true }, "This was saved as a file"],
])("what %s opens no dialog, and says why", async (_, state, reason) => {
  const entry = { ...moveOf(5, {}), isUnanswered: true, ...state };
  await openNamed(entry);
  expect(dialog().open).toBe(false);
  expect(document.getElementById("alerts")).toHaveTextContent(reason);
});

test("nothing opens for an entry of another person, one of another kind, or one that is gone", async () => {
  const others = { ...moveOf(5, {}), user: 4 };
  const check = entryOf("check", { kind: "check" });
  for (const entry of [others, check]) await openNamed(entry);
  history.replaceState(null, "", "/inventory/main#entry-gone");
  await showUnsent();
  expect(dialog().open).toBe(false);
});

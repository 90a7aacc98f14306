import { findByRole, queryByRole, waitFor } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as outbox from ".";
import * as store from "./store";
import { checkOf, emptyDatabase, entryOf, giveLocks, Server } from "./testing";

const STOP = "Stop: do not drive LK19 VTE. Brakes: fail (D-0142).";
const NIL = "No defects. Kept as a nil-defect report.";

let server: Server;
let sentences: string[];

beforeEach(async () => {
  localStorage.clear();
  giveLocks();
  sentences = [STOP];
  server = new Server();
  server.after = ({ path }) =>
    path.endsWith("/checks") ? { body: { id: 1, messages: sentences, warnings: [] } } : undefined;
  await emptyDatabase();
  openPage("/inventory/main");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens another page, whose scripts are loaded anew. */
function openPage(address: string): void {
  history.replaceState(null, "", address);
  vi.resetModules();
  document.body.dataset.user = "3";
  document.body.innerHTML = `<a id="unsent" href="/outbox" hidden></a><main id="main"></main>`;
}

async function watch(): Promise<typeof outbox> {
  const { watchUnsent } = await import("./header");
  watchUnsent();
  return import(".");
}

const late = () => checkOf("a", { title: "Check of LK19 VTE" });
const seen = () => store.sentEntry("a").then((sent) => sent?.isSeen);

test("the reply to a check that is sent later is shown until its person has read it", async () => {
  vi.setSystemTime("2026-11-23T12:00:00Z");
  const { keep } = await watch();
  await keep(late());
  const bar = await findByRole(document.body, "alert");
  expect(bar).toHaveTextContent(/^Check of LK19 VTE · Sent 12:00\./);
  expect(bar).toHaveTextContent(STOP);
  // The mark has other pages load the script.
  await waitFor(() => expect(localStorage.getItem("outbox-replies")).not.toBeNull());
  openPage("/vehicles");
  await watch();
  const again = await findByRole(document.body, "alert");
  await userEvent.click(await findByRole(again, "button", { name: "OK" }));
  expect(queryByRole(document.body, "alert")).toBeNull();
  expect(localStorage.getItem("outbox-replies")).toBeNull();
  await waitFor(async () => expect(await seen()).toBe(true));
});

test("a reply without a stop interrupts nobody", async () => {
  sentences = [NIL];
  const { keep } = await watch();
  await keep(late());
  expect(await findByRole(document.body, "status")).toHaveTextContent(NIL);
  expect(queryByRole(document.body, "alert")).toBeNull();
});

test("what a page shows itself isn't shown a second time", async () => {
  const { deliver } = await watch();
  expect(await deliver(late())).toMatchObject({ state: "sent" });
  await waitFor(async () => expect(await seen()).toBe(true));
  expect(document.getElementById("unsent-replies")).toBeNull();
});

test("neither other people's replies, old ones nor those to other changes are shown", async () => {
  const reply = { messages: [STOP] };
  await store.removeSent({ ...late(), user: 4 }, reply);
  await store.removeSent(entryOf("move"), { message: "Withdrew 5." });
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now - 25 * 60 * 60 * 1000);
  await store.removeSent(checkOf("old"), reply);
  vi.mocked(Date.now).mockRestore();
  const { keep } = await watch();
  sentences = [NIL];
  await keep(late());
  const bar = await findByRole(document.body, "status");
  expect(bar.querySelectorAll("b")).toHaveLength(1);
  expect(bar).not.toHaveTextContent(STOP);
});

test("the page that lists what was sent has no bar", async () => {
  openPage("/outbox");
  await store.removeSent(late(), { messages: [STOP] });
  await watch();
  await waitFor(() => expect(localStorage.getItem("outbox-replies")).not.toBeNull());
  expect(document.getElementById("unsent-replies")).toBeNull();
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "./announcements";
import { readHint, writeHint } from "./hint";
import { showLink } from "./link";
import * as store from "./store";
import { emptyDatabase, entryOf, giveLocks, refusal, Server } from "./testing";

/** Storage that the browser refuses. */
const refuse = () => {
  throw new DOMException("", "SecurityError");
};
const REFUSED = { getItem: refuse, setItem: refuse, removeItem: refuse };

let server: Server;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  giveLocks();
  server = new Server();
  server.before = () => "no reply";
  await emptyDatabase();
  history.replaceState(null, "", "/inventory/main");
  document.body.dataset.user = "3";
  document.body.innerHTML = `
    <a id="unsent" href="/outbox" data-src="/static/unsent.js" hidden></a>
    <form action="/logout" method="post"><button>Logout</button></form>
    <form action="/choose" method="post"><button>Change</button></form>
    <main id="main"><h1>Inventory</h1></main>`;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Loads the script as a page does. */
async function watch(): Promise<void> {
  vi.resetModules();
  const { watchUnsent } = await import("./header");
  watchUnsent();
}

const bar = (id: string) => document.getElementById(id)?.textContent ?? null;
const barReads = (id: string, text: string | null) => vi.waitFor(() => expect(bar(id)).toBe(text));

test("the link has the number of the signed-in person's entries", () => {
  const unsent = [
    { user: 4, username: "p.ash", count: 5, since: 0 },
    { user: 3, username: "k.lee", count: 2, since: 0 },
  ];
  showLink(unsent);
  const link = document.getElementById("unsent");
  expect(link).toBeVisible();
  expect(link).toHaveTextContent("2 not sent yet");
  showLink(null);
  expect(link).not.toBeVisible();
});

test("a page without a header has no link", () => {
  document.body.innerHTML = "";
  showLink([{ user: 3, username: "k.lee", count: 2, since: 0 }]);
  expect(document.querySelector("a")).toBeNull();
});

test("what the worker has sent meanwhile isn't noted any more", async () => {
  writeHint([{ user: 3, username: "k.lee", count: 2, since: 0 }]);
  await watch();
  expect(document.getElementById("unsent")).toHaveTextContent("2 not sent yet");
  await vi.waitFor(() => expect(readHint()).toBeNull());
  expect(document.getElementById("unsent")).not.toBeVisible();
});

test("a note that can't be stored or read is none", () => {
  vi.stubGlobal("localStorage", REFUSED);
  writeHint([{ user: 3, username: "k.lee", count: 2, since: 0 }]);
  expect(readHint()).toBeNull();
});

test("what has waited for more than a day is shown on every page but the outbox", async () => {
  const madeAt = Date.now() - 25 * 3_600_000;
  await store.put(entryOf("a", { madeAt }), []);
  await store.put(entryOf("b"), []);
  await watch();
  await barReads("unsent-late", "1 entry has waited for more than a day. See why");
  await store.put(entryOf("c", { madeAt }), []);
  announce({ type: "changed" });
  await barReads("unsent-late", "2 entries have waited for more than a day. See why");
  expect(document.querySelector("#unsent-late a")).toHaveAttribute("href", "/outbox");
  history.replaceState(null, "", "/outbox");
  announce({ type: "changed" });
  await barReads("unsent-late", null);
});

test("what the server has refused needs a decision, and a page says so", async () => {
  await store.put(entryOf("a", { madeAt: Date.now() - 25 * 3_600_000 }), []);
  await store.put({ ...entryOf("b"), state: "conflict" }, []);
  await watch();
  await barReads("unsent-late", "1 entry needs your decision. See why");
  await store.put({ ...entryOf("c"), state: "refused" }, []);
  announce({ type: "changed" });
  await barReads("unsent-late", "2 entries need your decision. See why");
});

test("what others have here is shown until it has been seen", async () => {
  await store.put(entryOf("a", { user: 4, username: "p.ash" }), []);
  await watch();
  await vi.waitFor(() =>
    expect(bar("unsent-others")).toMatch(
      /^p\.ash has 1 entry here not sent\. Kept safe until p\.ash signs in here\./,
    ),
  );
  document.querySelector<HTMLElement>("#unsent-others button")?.click();
  expect(bar("unsent-others")).toBeNull();
  announce({ type: "changed" });
  await store.all();
  expect(bar("unsent-others")).toBeNull();
  await store.put(entryOf("b", { user: 4, username: "p.ash" }), []);
  announce({ type: "changed" });
  await vi.waitFor(() => expect(bar("unsent-others")).toMatch(/2 entries/));
});

test("where the tab stores nothing, it is shown again", async () => {
  await store.put(entryOf("a", { user: 4, username: "p.ash" }), []);
  await watch();
  await vi.waitFor(() => expect(bar("unsent-others")).not.toBeNull());
  vi.stubGlobal("sessionStorage", REFUSED);
  document.querySelector<HTMLElement>("#unsent-others button")?.click();
  announce({ type: "changed" });
  await vi.waitFor(() => expect(bar("unsent-others")).not.toBeNull());
});

/** Presses the button of a form; returns whether the browser would send it. */
function press(action: string): boolean {
  const form = document.querySelector<HTMLFormElement>(`form[action="${action}"]`);
  return form?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })) ?? false;
}

/** Signs out with one entry; returns the dialog and how often the form was sent. */
async function signOut(): Promise<{ dialog: HTMLDialogElement; submit: ReturnType<typeof vi.fn> }> {
  const submit = vi.fn();
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(submit);
  await store.put(entryOf("a"), []);
  await watch();
  await vi.waitFor(() => expect(readHint()).not.toBeNull());
  expect(press("/logout")).toBe(false);
  const dialog = await vi.waitFor(() => {
    const found = document.querySelector("dialog");
    if (!found) throw new Error("no dialog");
    return found;
  });
  expect(dialog).toHaveTextContent("1 entry is not sent yet");
  return { dialog, submit };
}

const click = (dialog: Element, label: string) =>
  [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent === label)?.click();

test("whoever signs out without unsent work gets no question", async () => {
  await store.put(entryOf("a", { user: 4, username: "p.ash" }), []);
  await watch();
  const submit = vi.spyOn(HTMLFormElement.prototype, "submit").mockReturnValue();
  expect(press("/logout")).toBe(false);
  await vi.waitFor(() => expect(submit).toHaveBeenCalledOnce());
  expect(document.querySelector("dialog")).toBeNull();
});

test("whoever signs out before the page has read the database gets the question too", async () => {
  await store.put(entryOf("a"), []);
  await watch();
  expect(press("/logout")).toBe(false);
  await vi.waitFor(() =>
    expect(document.querySelector("dialog")).toHaveTextContent("1 entry is not sent yet"),
  );
});

test("a database that can't be read keeps nobody signed in", async () => {
  await watch();
  const submit = vi.spyOn(HTMLFormElement.prototype, "submit").mockReturnValue();
  vi.spyOn(IDBObjectStore.prototype, "index").mockImplementation(() => {
    throw new DOMException("", "UnknownError");
  });
  press("/logout");
  await vi.waitFor(() => expect(submit).toHaveBeenCalledOnce());
});

test("other forms aren't concerned", async () => {
  await signOut();
  expect(press("/choose")).toBe(true);
});

test("unsent work is kept for its person", async () => {
  const { dialog, submit } = await signOut();
  click(dialog, "Keep for me");
  expect(submit).toHaveBeenCalledOnce();
  expect(await store.get("a")).not.toBeNull();
});

test("a sign-out may be cancelled", async () => {
  const { dialog, submit } = await signOut();
  click(dialog, "Cancel");
  await vi.waitFor(() => expect(document.querySelector("dialog")).toBeNull());
  expect(submit).not.toHaveBeenCalled();
});

test("unsent work is sent before the sign-out", async () => {
  const { dialog, submit } = await signOut();
  click(dialog, "Send now");
  await vi.waitFor(() => expect(dialog).toHaveTextContent("1 entry is not sent. No connection"));
  server.before = ({ path }) => (path === "/do/a" ? refusal(422) : undefined);
  click(dialog, "Send now");
  await vi.waitFor(() => expect(dialog).toHaveTextContent("1 entry is not sent. Refused with 422"));
  expect(submit).not.toHaveBeenCalled();
  await store.update("a", () => ({ state: "waiting" }));
  server.before = () => undefined;
  click(dialog, "Send now");
  await vi.waitFor(() => expect(submit).toHaveBeenCalledOnce());
  expect([...server.made.keys()]).toEqual(["a"]);
});

test("unsent work is saved as a file before the sign-out", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:file");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  const { dialog, submit } = await signOut();
  click(dialog, "Save as a file");
  await vi.waitFor(() => expect(dialog).toHaveTextContent("Saved as a file."));
  click(dialog, "Sign out");
  expect(submit).toHaveBeenCalledOnce();
});

test("a file that can't be saved is reported", async () => {
  const { dialog } = await signOut();
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
    throw new Error("No room");
  });
  click(dialog, "Save as a file");
  await vi.waitFor(() => expect(dialog).toHaveTextContent("No room"));
});

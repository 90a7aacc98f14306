import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paused } from "../editing";
import type { Entry, Failure } from "../entry";
import type { KindOfEntry } from "../kinds";
import * as kinds from "../kinds";
import { sendDue } from "../sender";
import * as store from "../store";
import { checkOf, emptyDatabase, entryOf, giveLocks, refusal, Server } from "../testing";
import { OutboxPage } from "./OutboxPage";

let server: Server;
let kind: KindOfEntry | null;

beforeEach(async () => {
  vi.restoreAllMocks();
  giveLocks();
  server = new Server();
  server.before = () => "no reply";
  await emptyDatabase();
  kind = null;
  vi.spyOn(kinds, "kindOf").mockImplementation(async () => kind);
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:file");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const failure = (status: number, message: string, more: Partial<Failure> = {}): Failure => ({
  status,
  code: "",
  message,
  fields: {},
  body: null,
  ...more,
});

/** Shows the page of k.lee with these entries. */
async function show(...entries: Entry[]): Promise<void> {
  for (const entry of entries) await store.put(entry, []);
  render(<OutboxPage props={{ user: 3, username: "k.lee" }} />);
  await screen.findByRole("heading", { name: "Not sent yet" });
}

const card = (name: string) => screen.getByRole("listitem", { name: new RegExp(`${name}$`) });
const press = (name: string, label: string) =>
  userEvent.click(within(card(name)).getByRole("button", { name: label }));
const confirm = async (label: string) =>
  userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: label }));

test("an empty outbox says so, and can load a file", async () => {
  await show();
  expect(screen.getByText("Nothing waits here. All that you made is sent.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Send all now" })).toBeNull();
  expect(screen.getByRole("button", { name: "Load a file" })).toBeVisible();
});

test("each entry says what it is, when it was made and why it waits", async () => {
  server.before = () => refusal(401);
  await show(entryOf("a", { photos: ["h1", "h2"] }));
  expect(card("a")).toHaveTextContent(/GFM Main · Kitchen · made \d\d:\d\d · 2 photos/);
  await waitFor(() => expect(card("a")).toHaveTextContent("Sign in as k.lee to send"));
  expect(screen.getByText("Kept on this phone. It counts once it is sent.")).toBeVisible();
});

test("without a connection the page says so once, and no card again", async () => {
  await show(entryOf("a"), entryOf("b"));
  await waitFor(() => expect(screen.getAllByText("No connection")).toHaveLength(1));
  expect(card("a")).not.toHaveTextContent("Waits");
});

const DATED = {
  method: "POST" as const,
  url: "/do/a",
  form: [
    ["date", "2026-02-03"],
    ["key", "a"],
  ] as [string, string][],
};

test("the day shows where it isn't the one on which the entry was made", async () => {
  const madeAt = Date.UTC(2026, 1, 3, 12);
  const request = { ...DATED, url: "/do/b" };
  await show(entryOf("a", { request: DATED }), entryOf("b", { request, madeAt }));
  expect(card("a")).toHaveTextContent(/Kitchen · dated 3 Feb 2026 · made \d\d:\d\d/);
  expect(card("b")).toHaveTextContent(/Kitchen · made 12:00 on 3 Feb/);
  server.before = () => undefined;
  await press("a", "Send now");
  const sent = await screen.findByText(/Kitchen · dated 3 Feb 2026 · Sent \d\d:\d\d/);
  expect(sent).toBeVisible();
});

test("what was sent is told in the server's words: it may have booked less than was meant", async () => {
  await show(entryOf("a"), entryOf("b"));
  server.before = () => undefined;
  server.after = ({ path }) =>
    path === "/do/a" ? { body: { message: "Globe: withdrew 2 of 5, 0 left." } } : { body: {} };
  await userEvent.click(screen.getByRole("button", { name: "Send all now" }));
  await screen.findByText("Nothing waits here. All that you made is sent.");
  const lately = screen.getByText("Globe: withdrew 2 of 5, 0 left.").closest("section");
  expect(lately).not.toHaveTextContent("Withdraw 5 × a");
  expect(lately).toHaveTextContent("Withdraw 5 × b");
});

test.each([
  ["/inventory/main?q=rope", "/inventory/main?q=rope"],
  ["/login?next=/outbox", "/"],
  ["https://other.example/inventory", "/"],
  ["", "/"],
])("opened from '%s', the page leads back to %s", async (from, to) => {
  const referrer = from.startsWith("/") ? new URL(from, location.href).href : from;
  vi.spyOn(document, "referrer", "get").mockReturnValue(referrer);
  await show();
  expect(screen.getByRole("link", { name: "Back" })).toHaveAttribute("href", to);
});

/** What a card offers; its best button is marked. */
const offered = (name: string) =>
  within(card(name))
    .getAllByRole("button")
    .map(({ textContent, classList }) => (classList.contains("quiet") ? "" : "*") + textContent);

test("a card has one best button by its state, and all of them always in the same order", async () => {
  kind = { edit: async () => "/", choices: () => [{ label: "Edit", run: async () => {} }] };
  const old = failure(422, "This was made on 1 Oct.", { code: "made_long_ago" });
  await show(
    entryOf("a"),
    { ...entryOf("b"), state: "conflict", failure: failure(409, "Look at them") },
    { ...entryOf("c"), state: "refused", failure: failure(422, "Too many") },
    { ...entryOf("d"), state: "refused", failure: old },
  );
  await waitFor(() => within(card("d")).getByRole("button", { name: "Edit" }));
  expect(offered("a")).toEqual(["*Send now", "Edit", "Save as a file", "Discard"]);
  expect(offered("b")).toEqual(["Send again", "*Edit", "Save as a file", "Discard"]);
  expect(offered("c")).toEqual(["Send again", "*Edit", "Save as a file", "Discard"]);
  expect(offered("d")).toEqual(["*Send all the same", "Edit", "Save as a file", "Discard"]);
});

test("what was opened for an edit can be edited on, or sent as it is without the changes", async () => {
  const leave = vi.fn(async () => {});
  kind = { edit: async () => "/", leave, choices: () => [] };
  await show(paused(entryOf("a")));
  await waitFor(() =>
    expect(offered("a")).toEqual(["Send as it is", "*Go on editing", "Save as a file", "Discard"]),
  );
  const why = within(card("a")).getByText("You have opened this to change it.");
  expect(why.closest(".notice")).toBeNull();
  server.before = () => undefined;
  await press("a", "Send as it is");
  await waitFor(() => expect([...server.made.keys()]).toEqual(["a"]));
  expect(leave).toHaveBeenCalledOnce();
});

test("the page is accessible", async () => {
  await show(entryOf("a"), { ...entryOf("b"), state: "conflict", failure: failure(409, "Gone") });
  const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("what came back to its person is first, with the server's words", async () => {
  const refused = failure(422, "Check the form", {
    fields: { quantity: "Quantity must be at least 1", form: "Check the form" },
  });
  await show(entryOf("a"), { ...entryOf("b"), state: "refused", failure: refused });
  expect(
    screen.getAllByRole("listitem").map((item) => within(item).getByRole("heading").textContent),
  ).toEqual(["Withdraw 5 × b", "Withdraw 5 × a"]);
  expect(card("b")).toHaveTextContent("Check the form");
  expect(card("b")).toHaveTextContent("Quantity must be at least 1");
});

test("a refusal without words says that it is one", async () => {
  await show({ ...entryOf("a"), state: "refused", failure: failure(404, "") });
  expect(card("a")).toHaveTextContent("The server refused this.");
});

test("of other people's entries, only the number shows", async () => {
  await show(
    entryOf("x", { user: 4, username: "p.ash" }),
    entryOf("y", { user: 4, username: "p.ash" }),
  );
  expect(screen.getByText(/^p\.ash has 2 entries here not sent\. Kept safe/)).toBeVisible();
  expect(screen.queryAllByRole("listitem")).toEqual([]);
});

test("one entry can be sent now, and what became of it is told", async () => {
  await show(entryOf("a"));
  await press("a", "Send now");
  await waitFor(() => expect(screen.getByText("Not sent: No connection")).toBeVisible());
  server.before = () => undefined;
  await press("a", "Send now");
  await waitFor(() => expect(screen.getByText("Sent: Withdraw 5 × a")).toBeVisible());
  expect(screen.getByText("Nothing waits here. All that you made is sent.")).toBeVisible();
  expect(screen.getByText(/Sent \d\d:\d\d(, made \d\d:\d\d)?\.$/)).toBeVisible();
});

test("a refusal of what was sent now is told", async () => {
  await show(entryOf("a"));
  server.before = ({ path }) => (path === "/do/a" ? refusal(422) : undefined);
  await press("a", "Send now");
  await waitFor(() => expect(screen.getByText("Not sent: Refused with 422")).toBeVisible());
});

test("all can be sent now", async () => {
  await show(entryOf("a"), entryOf("b"));
  server.before = () => undefined;
  await userEvent.click(screen.getByRole("button", { name: "Send all now" }));
  await waitFor(() => expect([...server.made.keys()]).toEqual(["a", "b"]));
});

test("what was made long ago is sent once its person has confirmed it", async () => {
  const old = failure(422, "This was made on 1 Oct.", { code: "made_long_ago" });
  await show({ ...entryOf("a"), state: "refused", failure: old });
  server.before = () => undefined;
  await press("a", "Send all the same");
  await waitFor(() => expect([...server.made.keys()]).toEqual(["a"]));
});

test("an entry is discarded after a question", async () => {
  await show({ ...entryOf("a"), isUnanswered: true, tries: 1 });
  await press("a", "Discard");
  expect(await screen.findByRole("dialog")).toHaveTextContent("It may have arrived already");
  await confirm("Keep");
  expect(await store.get("a")).not.toBeNull();
  await press("a", "Discard");
  await confirm("Discard");
  await waitFor(() => expect(screen.getByText("Discarded.")).toBeVisible());
  expect(screen.getByRole("heading", { name: "Not sent yet" })).toHaveFocus();
});

test("a saved entry that was never tried from here isn't said to have arrived", async () => {
  await show({ ...entryOf("a"), isUnanswered: true });
  await press("a", "Discard");
  expect(await screen.findByRole("dialog")).toHaveTextContent("If its file was sent elsewhere");
  await confirm("Keep");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("an entry isn't sent while its person is asked whether to discard it", async () => {
  await show(entryOf("a"));
  await press("a", "Discard");
  await screen.findByRole("dialog");
  server.before = () => undefined;
  await sendDue();
  expect(server.sent()).toEqual([]);
  await confirm("Keep");
  await waitFor(async () => expect(await store.get("a")).toMatchObject({ pause: null }));
});

test("what another tab has sent during the question isn't told to be discarded", async () => {
  await show(entryOf("a"));
  await press("a", "Discard");
  await screen.findByRole("dialog");
  await store.removeSent(entryOf("a"), {});
  await confirm("Discard");
  await waitFor(() =>
    expect(screen.getByRole("alert")).toHaveTextContent("sent or discarded meanwhile"),
  );
});

test("a conflict is discarded with a reason, once the server has it", async () => {
  await show({ ...entryOf("a"), state: "conflict", failure: failure(409, "Only 2 left") });
  await press("a", "Discard");
  const dialog = await screen.findByRole("dialog");
  await userEvent.type(within(dialog).getByLabelText("Reason"), " It was broken ");
  await confirm("Discard");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("No connection."));
  server.before = () => undefined;
  await press("a", "Discard");
  await userEvent.type(await screen.findByLabelText("Reason"), " ");
  await confirm("Discard");
  await userEvent.type(screen.getByLabelText("Reason"), "It was broken");
  await confirm("Discard");
  await waitFor(() => expect(screen.getByText("Discarded.")).toBeVisible());
});

test("the reason may be left, which discards nothing", async () => {
  await show({ ...entryOf("a"), state: "conflict", failure: failure(409, "Only 2 left") });
  await press("a", "Discard");
  await confirm("Cancel");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await store.get("a")).not.toBeNull();
});

test("the choices of a conflict are those of its kind", async () => {
  const run = vi.fn(async () => {});
  kind = {
    edit: async () => "/inventory/main",
    conflictOf: () => "Taken 5 at 9:40, but the books say 2.",
    choices: () => [
      { label: "Book 2 and a difference of 3", run },
      { label: "Edit", run },
      { label: "Discard", isDanger: true, needsReason: true, run },
    ],
  };
  await show({ ...entryOf("a"), state: "conflict", failure: failure(409, "Only 2 left") });
  await waitFor(() => expect(card("a")).toHaveTextContent("the books say 2."));
  const labels = within(card("a"))
    .getAllByRole("button")
    .map(({ textContent }) => textContent);
  expect(labels).toEqual([
    "Book 2 and a difference of 3",
    "Send again",
    "Edit",
    "Save as a file",
    "Discard",
  ]);
  await press("a", "Book 2 and a difference of 3");
  expect(run).toHaveBeenCalledOnce();
  await press("a", "Discard");
  await userEvent.type(await screen.findByLabelText("Reason"), "Broken");
  await confirm("Discard");
  await waitFor(() => expect(run).toHaveBeenLastCalledWith(expect.anything(), "Broken"));
  await press("a", "Discard");
  await confirm("Cancel");
  expect(run).toHaveBeenCalledTimes(2);
});

test("an edit opens the page of its kind, or says why it can't", async () => {
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  const edit = vi.fn(async () => "/inventory/main#entry-a");
  kind = { edit, choices: () => [] };
  await show(entryOf("a"));
  await waitFor(() => within(card("a")).getByRole("button", { name: "Edit" }));
  await press("a", "Edit");
  expect(assign).toHaveBeenCalledWith("/inventory/main#entry-a");
  edit.mockRejectedValueOnce(new store.MayHaveArrived());
  await press("a", "Edit");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("may have been sent"));
  edit.mockRejectedValueOnce(new TypeError("undefined is not a function"));
  await press("a", "Edit");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("That didn't work."));
});

test("a kind that can't be loaded offers no edit", async () => {
  vi.mocked(kinds.kindOf).mockRejectedValue(new TypeError("Failed to fetch"));
  await show(entryOf("a"));
  expect(within(card("a")).queryByRole("button", { name: "Edit" })).toBeNull();
});

test("entries are saved as a file, and loaded again", async () => {
  const files: Blob[] = [];
  vi.mocked(URL.createObjectURL).mockImplementation((file) => {
    files.push(file as Blob);
    return "blob:file";
  });
  await show(checkOf("a"), checkOf("b"));
  await press("a", "Save as a file");
  await userEvent.click(screen.getByRole("button", { name: "Save all as a file" }));
  await waitFor(() => expect(screen.getByText(/^Saved as a file\./)).toBeVisible());
  await waitFor(() => expect(files).toHaveLength(2));
  await press("b", "Discard");
  await confirm("Discard");
  await waitFor(() => expect(screen.getByText("Discarded.")).toBeVisible());
  const file = new File([await (files[1] as Blob).text()], "not-sent.json");
  await userEvent.upload(screen.getByLabelText("File of unsent work"), file, {
    applyAccept: false,
  });
  await waitFor(() =>
    expect(screen.getByText("1 entry loaded. 1 entry was here already.")).toBeVisible(),
  );
  await userEvent.upload(screen.getByLabelText("File of unsent work"), new File(["x"], "x.json"), {
    applyAccept: false,
  });
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("This isn't a file"));
});

test("the button opens the choice of a file", async () => {
  const opened = vi.spyOn(HTMLInputElement.prototype, "click").mockReturnValue();
  await show();
  await userEvent.click(screen.getByRole("button", { name: "Load a file" }));
  expect(opened).toHaveBeenCalled();
});

test("a browser that stores nothing says so", async () => {
  vi.spyOn(store, "all").mockRejectedValue(new store.NotKept("This browser keeps nothing."));
  await show();
  expect(screen.getByRole("alert")).toHaveTextContent("This browser keeps nothing.");
});

test("an iPhone is told to add the app to the Home Screen", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (iPhone; CPU iPhone OS)");
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  await show(entryOf("a"));
  expect(screen.getByText("Open Quartermaster to send.")).toBeVisible();
  expect(screen.getByText("Add to Home Screen:")).toBeVisible();
});

test("an iPad calls itself a Mac, and an installed app needs no advice", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (Macintosh)");
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  Object.defineProperty(navigator, "maxTouchPoints", { value: 5, configurable: true });
  await show(entryOf("a"));
  expect(screen.queryByText("Add to Home Screen:")).toBeNull();
});

test("a device that is nearly full says so", async () => {
  Object.defineProperty(navigator, "storage", {
    value: { estimate: async () => ({ quota: 2_000_000, usage: 1_000_000 }) },
    configurable: true,
  });
  await show(entryOf("a"));
  await waitFor(() => expect(screen.getByText(/^This device is nearly full/)).toBeVisible());
});

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { paused } from "../editing";
import { KINDS, type KindOfEntry } from "../kinds";
import { sendDue } from "../sender";
import * as store from "../store";
import { entryOf, refusal, type Server } from "../testing";
import { card, confirm, failure, press, show, start } from "./testing";

const EDITABLE: KindOfEntry = { ...KINDS.check, edit: async () => "/" };

let server: Server;
let kind: KindOfEntry | null;

beforeEach(async () => {
  kind = null;
  server = await start(() => kind);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("each entry says what it is, when it was made and why it waits", async () => {
  server.before = () => refusal(401);
  await show(entryOf("a", { photos: ["h1", "h2"] }));
  expect(card("a")).toHaveTextContent(/GFM Main · Kitchen · made \d\d:\d\d · 2 photos/);
  await waitFor(() => expect(card("a")).toHaveTextContent("Sign in as k.lee to send"));
  expect(screen.getByText("Kept on this phone. It counts once it is sent.")).toBeVisible();
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

/** What a card offers; its best button is marked. */
const offered = (name: string) =>
  within(card(name))
    .getAllByRole("button")
    .map(({ textContent, classList }) => (classList.contains("quiet") ? "" : "*") + textContent);

test("a card has one best button by its state, and all of them always in the same order", async () => {
  kind = EDITABLE;
  const old = failure(422, "This was made on 1 Oct.", { code: "made_long_ago" });
  await show(
    entryOf("a"),
    { ...entryOf("b"), state: "conflict", failure: failure(409, "Look at them") },
    { ...entryOf("c"), state: "refused", failure: failure(422, "Too many") },
    { ...entryOf("d"), state: "refused", failure: old },
    { ...entryOf("e"), state: "refused", failure: failure(403, "No", { code: "role_required" }) },
  );
  await waitFor(() => within(card("d")).getByRole("button", { name: "Edit" }));
  expect(offered("a")).toEqual(["*Send now", "Edit", "Save as a file", "Discard"]);
  expect(offered("b")).toEqual(["Send again", "*Choose", "Save as a file", "Discard"]);
  expect(offered("c")).toEqual(["Send again", "*Edit", "Save as a file", "Discard"]);
  expect(offered("d")).toEqual(["*Send all the same", "Edit", "Save as a file", "Discard"]);
  expect(offered("e")).toEqual(["*Send again", "Edit", "Save as a file", "Discard"]);
});

test("what was opened for an edit can be edited on, or sent as it is without the changes", async () => {
  const leave = vi.fn(async () => {});
  kind = { ...EDITABLE, leave };
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

test("a saved entry that was never tried from here isn't reported to have arrived", async () => {
  await show({ ...entryOf("a"), isUnanswered: true });
  await press("a", "Discard");
  expect(await screen.findByRole("dialog")).toHaveTextContent("If its file was sent elsewhere");
  await confirm("Keep");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("an entry isn't sent while its person decides whether to discard it", async () => {
  await show(entryOf("a"));
  await press("a", "Discard");
  await screen.findByRole("dialog");
  server.before = () => undefined;
  await sendDue();
  expect(server.sent()).toEqual([]);
  await confirm("Keep");
  await waitFor(async () => expect(await store.get("a")).toMatchObject({ pause: null }));
});

test("what another tab has sent during the question isn't reported as discarded", async () => {
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

test("a conflict is settled as its kind offers, and discarded after its question", async () => {
  const entry = { ...entryOf("a"), state: "conflict" as const, failure: failure(409, "2 left") };
  const label = "Book 2 and a difference of 3";
  kind = {
    ...EDITABLE,
    conflictOf: () => "Taken 5 at 9:40, but the books say 2.",
    settle: () => ({ label, entry: entryOf("b") }),
    discarding: { title: "Discard?", text: "Say why." },
  };
  await show(entry);
  await waitFor(() => expect(card("a")).toHaveTextContent("the books say 2."));
  expect(offered("a")).toEqual([`*${label}`, "Send again", "Edit", "Save as a file", "Discard"]);
  await press("a", "Discard");
  expect(await screen.findByRole("dialog", { name: "Discard?" })).toHaveTextContent("Say why.");
  await confirm("Cancel");
  server.before = () => undefined;
  await press("a", label);
  await waitFor(() => expect([...server.made.keys()]).toEqual(["b"]));
  expect(await store.all()).toEqual([]);
});

test("an edit opens the page of its kind, or says why it can't", async () => {
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  const edit = vi.fn(async () => "/inventory/main#entry-a");
  kind = { ...EDITABLE, edit };
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

test("a kind that this release doesn't know offers no edit", async () => {
  await show(entryOf("a"));
  expect(within(card("a")).queryByRole("button", { name: "Edit" })).toBeNull();
});

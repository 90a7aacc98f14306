import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as store from "../store";
import { checkOf, entryOf, refusal, type Server } from "../testing";
import { card, confirm, failure, press, show, start } from "./testing";

let server: Server;

beforeEach(async () => {
  server = await start();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("an empty outbox says so, and can load a file", async () => {
  await show();
  expect(screen.getByText("Nothing waits here. All that you made is sent.")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Send all now" })).toBeNull();
  expect(screen.getByRole("button", { name: "Load a file" })).toBeVisible();
});

test("without a connection the page says so once, and no card again", async () => {
  await show(entryOf("a"), entryOf("b"));
  await waitFor(() => expect(screen.getAllByText("No connection")).toHaveLength(1));
  expect(card("a")).not.toHaveTextContent("Waits");
});

test("what the server answered to a check stays below it, also on the next visit", async () => {
  vi.setSystemTime("2026-11-23T12:00:00Z");
  const stop = "Stop: do not drive LK19 VTE. Brakes: fail (D-0142).";
  const question = "Is 480,210 right? It was 48,210 on 3 Nov.";
  await show(checkOf("a", { title: "Check of LK19 VTE" }));
  server.before = () => undefined;
  server.after = () => ({ body: { id: 1, messages: [stop], warnings: [question] } });
  await userEvent.click(screen.getByRole("button", { name: "Send all now" }));
  const item = (await screen.findByText(stop)).closest("li");
  expect(item).toHaveTextContent(/^Check of LK19 VTEStop: .*Is 480,210 right\?.*Sent 12:00\.$/);
  expect(item?.closest("[aria-live=polite]")).not.toBeNull();
  cleanup();
  await show();
  expect(await screen.findByText(stop)).toBeVisible();
  await waitFor(async () => expect((await store.sentEntry("a"))?.isSeen).toBe(true));
});

test("what was sent is reported in the server's words: it may have booked less than was meant", async () => {
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

test("one entry can be sent now, and what became of it is reported", async () => {
  await show(entryOf("a"));
  await press("a", "Send now");
  await waitFor(() => expect(screen.getByText("Not sent: No connection")).toBeVisible());
  server.before = () => undefined;
  await press("a", "Send now");
  await waitFor(() => expect(screen.getByText("Sent: Withdraw 5 × a")).toBeVisible());
  expect(screen.getByText("Nothing waits here. All that you made is sent.")).toBeVisible();
  expect(screen.getByText(/Sent \d\d:\d\d(, made \d\d:\d\d)?\.$/)).toBeVisible();
});

test("a refusal of what was sent now is reported", async () => {
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

test("entries are saved as a file, and loaded again", async () => {
  const files: Blob[] = [];
  vi.mocked(URL.createObjectURL).mockImplementation((file) => {
    files.push(file as Blob);
    return "blob:file";
  });
  await show(checkOf("a"), checkOf("b"));
  await press("a", "Save as a file");
  await waitFor(() => expect(files).toHaveLength(1));
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

test("an iPhone gets the hint to add the app to the Home Screen", async () => {
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

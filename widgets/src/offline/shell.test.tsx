import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announce } from "../outbox/announcements";
import { openDatabase } from "../outbox/database";
import { writeHint } from "../outbox/hint";
import { giveLocks } from "../outbox/testing";
import { Shell } from "./Shell";
import { giveReference, moveOf, ours, PERSON, REFERENCE, serve, startDevice } from "./testing";

const SESSION = { ...PERSON, expired: false, csrf: "token", now: new Date().toISOString() };
const SCRIPTS = { "stock-count": "/none.js", "check-form": "/none.js" };

/** A MessageChannel, which the tests' browser lacks. */
class Channel {
  port1: { onmessage: (() => void) | null } = { onmessage: null };
  port2 = { postMessage: () => this.port1.onmessage?.() };
}

Object.defineProperty(globalThis, "MessageChannel", { value: Channel });

const reload = vi.fn();
/** The service worker, which answers a message once it has taken it. */
const postMessage = vi.fn((_: unknown, [port]: MessagePort[]) => port?.postMessage(true));
const stop = vi.fn();

/** Opens an address without a connection. */
function open(path: string): void {
  history.replaceState(null, "", path);
  document.body.innerHTML = `<div id="top"></div><main id="main"><div id="place"></div></main>
    <div class="live" id="live" role="status"></div>`;
  const container = document.getElementById("place") as HTMLElement;
  render(<Shell props={{ scripts: SCRIPTS }} />, { container });
}

const cut = () => serve(() => null);

beforeEach(async () => {
  giveLocks();
  vi.spyOn(location, "reload").mockImplementation(reload);
  const serviceWorker = { controller: { postMessage } };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: serviceWorker });
  reload.mockClear();
  postMessage.mockClear();
  stop.mockClear();
  vi.stubGlobal("stop", stop);
  await startDevice(PERSON);
  cut();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("the stock list opens, and says as of when, to whom, and that there is no connection", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  open("/inventory/main");
  expect(await screen.findByText("Hand warmer")).toBeVisible();
  const header = screen.getByRole("banner");
  expect(header).toHaveTextContent("k.lee");
  await waitFor(() => expect(header).toHaveTextContent(/No connection as of \d\d:\d\d/));
  expect(document.title).toBe("Main stock · Quartermaster");
  expect(document.body.dataset).toMatchObject({ user: "3", division: "gfm" });
});

test("a page that needs a connection says so, and what opens without", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  await giveReference("check-form:gpm", {});
  open("/dashboard");
  await screen.findByRole("heading", { name: "This page needs a connection" });
  const links = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(links[0]).toMatch(/^Vehicle Checks as of \d\d:\d\d$/);
  expect(links[1]).toMatch(/^GFM stock, Main as of \d\d:\d\d$/);
  expect(screen.getByRole("link", { name: "GFM stock, Main" })).toHaveAttribute(
    "href",
    "/inventory/main",
  );
  expect(
    (await axe.run(document.body, { rules: { region: { enabled: false } } })).violations,
  ).toEqual([]);
});

test("who may only look opens no stock check and no check form, and sees why", async () => {
  const count = {};
  const viewOnly = "You can look at it, but not change it.";
  await giveReference("stock:gfm/main", { ...REFERENCE, count, viewOnly });
  await giveReference("check-form:gpm", { props: {}, vehicles: [], viewOnly });
  open("/inventory/main/count");
  await screen.findByRole("heading", { name: "Stock check, Main" });
  expect(screen.getByText(viewOnly)).toBeVisible();
  expect(screen.getByRole("link", { name: "Back" })).toHaveAttribute("href", "/inventory/main");
  cleanup();
  open("/fleetChecks");
  await screen.findByRole("heading", { name: "Vehicle Checks" });
  expect(screen.getByText(viewOnly)).toBeVisible();
  expect(screen.queryByRole("link", { name: "Back" })).toBeNull();
});

test("another site's list, which was never opened, needs a connection", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  open("/inventory/guildford");
  await screen.findByRole("heading", { name: "This page needs a connection" });
});

test("what isn't sent yet is counted in the header, and again when that changes", async () => {
  await (await openDatabase()).put("entries", { ...moveOf(5, {}), id: "a" });
  open("/dashboard");
  const header = await screen.findByRole("banner");
  await waitFor(() => expect(header).toHaveTextContent("1 not sent yet"));
  await (await openDatabase()).put("entries", { ...moveOf(5, {}), id: "b" });
  announce({ type: "changed" });
  await waitFor(() => expect(header).toHaveTextContent("2 not sent yet"));
});

test("the outbox opens without a connection, from the header's link even with nothing to send", async () => {
  open("/outbox");
  await screen.findByRole("heading", { name: "Not sent yet" });
  expect(screen.getByRole("link", { name: "Not sent yet" })).toHaveAttribute("href", "/outbox");
});

test("with nobody signed in there is nothing to open", async () => {
  await startDevice();
  open("/inventory/main");
  await screen.findByText(/^Nobody is signed in on this device/);
  expect(screen.queryByRole("listitem")).toBeNull();
});

test("with nobody signed in it says what is kept here, and for whom", async () => {
  await startDevice();
  writeHint([{ user: 3, username: "k.lee", count: 2, since: 0 }]);
  open("/dashboard");
  await screen.findByText(
    "k.lee has 2 entries here not sent. Kept safe until k.lee signs in here.",
  );
  expect(screen.queryByRole("link", { name: "Not sent yet" })).toBeNull();
  writeHint([]);
});

test("a browser without a database says what it can", async () => {
  const database = await openDatabase();
  vi.spyOn(database, "getAll").mockRejectedValue(new DOMException("", "UnknownError"));
  open("/inventory/main");
  await screen.findByText(/^Nobody is signed in on this device/);
});

test("a screen whose script doesn't come can be tried again", async () => {
  await giveReference("stock:gfm/main", { ...REFERENCE, count: { siteLabel: "Main" } });
  open("/inventory/main/count");
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No connection.")).toBeVisible();
});

test("without stock checks, theirs needs a connection; the check form has its own script", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  open("/inventory/main/count");
  await screen.findByRole("heading", { name: "This page needs a connection" });
  await giveReference("check-form:gpm", { props: {}, vehicles: [] });
  open("/fleetChecks");
  await screen.findByRole("heading", { name: "Vehicle Checks" });
  expect(screen.getByRole("link", { name: "Back" })).toHaveAttribute("href", "/");
  expect(document.title).toBe("Vehicle Checks · Quartermaster");
});

test("once the line is back, the server's page is opened by itself, but not in circles", async () => {
  serve(() => ours(JSON.stringify(SESSION)));
  open("/dashboard");
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(postMessage.mock.calls[0]?.[0]).toEqual({ type: "await", url: location.href });
  open("/dashboard");
  await screen.findByText("The connection is back.");
  expect(reload).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole("button", { name: "Open the current page" }));
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});

test("the server's page is opened only after the worker knows that it is awaited", async () => {
  const ports: MessagePort[] = [];
  postMessage.mockImplementationOnce((_, [port]) => void ports.push(port as MessagePort));
  serve(() => ours(JSON.stringify(SESSION)));
  open("/dashboard");
  await waitFor(() => expect(ports).toHaveLength(1));
  expect(reload).not.toHaveBeenCalled();
  ports[0]?.postMessage(true);
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test("what is being typed isn't lost when the line is back", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  open("/inventory/main");
  await userEvent.type(await screen.findByRole("searchbox"), "rope");
  serve(() => ours(JSON.stringify(SESSION)));
  dispatchEvent(new Event("online"));
  await screen.findByText("The connection is back.");
  expect(reload).not.toHaveBeenCalled();
});

test("a page that somebody has begun to use isn't taken from under their finger", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  open("/inventory/main");
  fireEvent.pointerDown(await screen.findByRole("searchbox"));
  serve(() => ours(JSON.stringify(SESSION)));
  dispatchEvent(new Event("online"));
  await screen.findByText("The connection is back.");
  expect(reload).not.toHaveBeenCalled();
});

test("a touch while the server's page is awaited stops it", async () => {
  serve(() => ours(JSON.stringify(SESSION)));
  open("/dashboard");
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  fireEvent.pointerDown(document.body);
  expect(stop).toHaveBeenCalled();
});

test("a touch before the worker answers keeps the page, and later touches stop nothing", async () => {
  const ports: MessagePort[] = [];
  postMessage.mockImplementationOnce((_, [port]) => void ports.push(port as MessagePort));
  serve(() => ours(JSON.stringify(SESSION)));
  open("/dashboard");
  await waitFor(() => expect(ports).toHaveLength(1));
  fireEvent.pointerDown(document.body);
  ports[0]?.postMessage(true);
  fireEvent.keyDown(document.body);
  expect(reload).not.toHaveBeenCalled();
  expect(stop).toHaveBeenCalledOnce();
});

test("a slow line is called so, and leaves the choice", async () => {
  await giveReference("stock:gfm/main", REFERENCE);
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 3_000;
    return now;
  });
  serve(() => ours(JSON.stringify(SESSION)));
  open("/inventory/main");
  await screen.findByText("Slow connection");
  expect(reload).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Open the current page" }));
  expect(reload).toHaveBeenCalledOnce();
});

test("whose session has ended is led to the sign-in", async () => {
  serve(() => ours("{}", { status: 401 }));
  open("/dashboard");
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test("without a place to remember it, the server's page is offered instead", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  serve(() => ours(JSON.stringify(SESSION)));
  open("/dashboard");
  await screen.findByText("The connection is back.");
  expect(reload).not.toHaveBeenCalled();
});

import { beforeEach, expect, test, vi } from "vitest";

/** Loads the script on a page with this content. */
async function boot(html: string): Promise<void> {
  document.body.innerHTML = html;
  vi.resetModules();
  await import("./boot");
}

beforeEach(() => {
  vi.restoreAllMocks();
  history.replaceState(null, "", "/");
});

test("the summary of problems has the focus", async () => {
  await boot(`<div data-problems tabindex="-1"></div>`);
  expect(document.querySelector("[data-problems]")).toHaveFocus();
});

test("a button prints the page", async () => {
  await boot(`<button data-print hidden>Print</button>`);
  const print = vi.fn();
  vi.stubGlobal("print", print);
  const button = document.querySelector("button") as HTMLButtonElement;
  expect(button).toBeVisible();
  button.click();
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test("the details element that the address names is open", async () => {
  history.replaceState(null, "", "/#check-3");
  await boot(`<details id="check-2"></details><details id="check-3"></details>`);
  const open = [...document.querySelectorAll("details")].map((details) => details.open);
  expect(open).toEqual([false, true]);
});

test("a page that only confirms something redirects after a while", async () => {
  vi.useFakeTimers();
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  await boot(`<p data-go-to="/login" data-after="2000"></p>`);
  expect(assign).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(assign).toHaveBeenCalledExactlyOnceWith("/login");
  vi.useRealTimers();
});

test("forms wait for their fields, and can show passwords", async () => {
  await boot(`
    <form data-fill-both>
      <input id="password" type="password" required>
      <button type="button" data-show="password" hidden>Show password</button>
      <button class="primary">Sign in</button>
    </form>`);
  const [show, signIn] = document.querySelectorAll("button");
  expect(show).toBeVisible();
  expect(signIn).toBeDisabled();
});

test("a page that replaces this one is improved too", async () => {
  await boot("");
  document.body.innerHTML = `<div data-problems tabindex="-1"></div>
    <button type="button" data-show="password" hidden>Show password</button><input id="password">`;
  document.dispatchEvent(new Event("page-replaced"));
  expect(document.querySelector("[data-problems]")).toHaveFocus();
  expect(document.querySelector("button")).toBeVisible();
});

test("widgets are mounted where a page has them", async () => {
  await boot(`<div data-widget data-src="data:text/javascript,"></div>`);
  await vi.waitFor(() => expect(document.querySelector("[role=alert]")).toBeVisible());
});

test("the dashboard's links and forms are enhanced", async () => {
  const forms = await import("./forms/dashboard");
  const ping = vi.spyOn(forms, "pingFirst").mockReturnValue();
  const extend = vi.spyOn(forms, "extendInPlace").mockReturnValue();
  document.body.innerHTML = `<a data-ping="/api/ping"></a><form data-extend></form>`;
  await import("./dashboard");
  expect(ping).toHaveBeenCalledOnce();
  expect(extend).toHaveBeenCalledOnce();
});

/** Notes what isn't sent yet, as the outbox does. */
function note(...unsent: object[]): void {
  localStorage.setItem("outbox", JSON.stringify(unsent));
}

const SCRIPT = "export const watchUnsent = () => document.body.dataset.watched = 'yes'";
const OUTBOX_LINK = `<a id="unsent" href="/outbox" data-src="data:text/javascript,${SCRIPT}" hidden></a>`;

test.each([
  ["something isn't sent yet", () => note({ user: 3, username: "k.lee", count: 2, since: 0 })],
  ["a reply is unseen", () => localStorage.setItem("outbox-replies", "1")],
])("where %s, the script that shows it is loaded", async (_, leave) => {
  document.body.dataset.user = "3";
  leave();
  await boot(OUTBOX_LINK);
  await vi.waitFor(() => expect(document.body.dataset.watched).toBe("yes"));
  localStorage.clear();
  delete document.body.dataset.watched;
});

test("where nothing waits, nothing is loaded until something does", async () => {
  document.body.dataset.user = "3";
  await boot(OUTBOX_LINK);
  expect(document.body.dataset.watched).toBeUndefined();
  note({ user: 3, username: "k.lee", count: 1, since: 0 });
  dispatchEvent(new Event("storage"));
  await vi.waitFor(() => expect(document.body.dataset.watched).toBe("yes"));
  localStorage.clear();
});

test("what shows results below the search box is loaded once somebody goes there", async () => {
  const script = "export const watchFind = (form) => { form.dataset.watched = 'yes' }";
  await boot(`<form class="find" data-find="data:text/javascript,${script}"><input></form>`);
  const form = document.querySelector("form") as HTMLFormElement;
  await new Promise((resolve) => setTimeout(resolve));
  expect(form.dataset.watched).toBeUndefined();
  document.querySelector("input")?.focus();
  await vi.waitFor(() => expect(form.dataset.watched).toBe("yes"));
});

/** Returns the address of a script that puts a name into `loaded`. */
const scriptOf = (name: string) => `data:text/javascript,globalThis.loaded.push("${name}")`;

test("what prepares for work without a connection comes once the page can be used", async () => {
  const loaded: string[] = [];
  vi.stubGlobal("loaded", loaded);
  document.body.dataset.later = scriptOf("later");
  await boot("");
  expect(loaded).toEqual([]);
  dispatchEvent(new Event("load"));
  await vi.waitFor(() => expect(loaded).toEqual(["later"]));
  delete document.body.dataset.later;
  vi.unstubAllGlobals();
});

test("the sign-in page forgets who was signed in, where somebody was", async () => {
  const loaded: string[] = [];
  vi.stubGlobal("loaded", loaded);
  await boot(`<main data-forget='${scriptOf("nobody")}'></main>`);
  localStorage.setItem("offline-person", "1");
  await boot(`<main data-forget='${scriptOf("forget")}'></main>`);
  await vi.waitFor(() => expect(loaded).toEqual(["forget"]));
  localStorage.clear();
  vi.unstubAllGlobals();
});

test("the keys are loaded once the page can be used, where there is a line and not touch alone", async () => {
  const listen = vi.spyOn(window, "addEventListener");
  const loads = () => listen.mock.calls.filter(([type]) => type === "load").length;
  const canHover = vi.fn(() => ({ matches: true }));
  vi.stubGlobal("matchMedia", canHover);
  document.body.dataset.keys = "./shortcuts";
  await boot("");
  expect(loads()).toBe(1);
  canHover.mockReturnValue({ matches: false });
  await boot("");
  canHover.mockReturnValue({ matches: true });
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  await boot("");
  expect(loads()).toBe(1);
  delete document.body.dataset.keys;
  vi.unstubAllGlobals();
});

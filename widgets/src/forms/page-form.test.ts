import { getByLabelText, getByRole, queryByRole } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { recordNavigations } from "../shared/testing";
import { PAGE_REPLACED, USABLE_AGAIN, watchPageForms } from "./page-form";

const OURS = { "Content-Security-Policy": "default-src 'none'" };
const FORM = `
  <form method="post" data-failure="Failed to schedule delivery">
    <input type="hidden" name="key" value="k-1">
    <label>Item <input name="item"></label>
    <label>Action <select name="action"><option>deliver</option></select></label>
    <button>Schedule</button><button name="division" value="gpm">GPM</button>
    <button type="button">Show password</button>
  </form>`;
const page = document.body;
const form = () => document.querySelector("form") as HTMLFormElement;
const button = () => getByRole(page, "button", { name: "Schedule" });
const alertText = () => queryByRole(page, "alert")?.textContent;
const send = () => userEvent.click(button());

let replies: (() => Promise<Response>)[];
let sent: { url: string; body: string; headers: Record<string, string> }[];

/** Replies to the next request. */
function reply(body: string | null, status = 200, headers: Record<string, string> = OURS): void {
  replies.push(async () => new Response(body, { status, headers }));
}

function loseConnection(): void {
  replies.push(() => Promise.reject(new TypeError("Failed to fetch")));
}

watchPageForms();

beforeEach(async () => {
  vi.restoreAllMocks();
  history.replaceState(null, "", "/gpm/deliveries/new?item=Box");
  page.innerHTML = `<main><div id="alerts"></div>${FORM}</main>`;
  replies = [];
  sent = [];
  vi.stubGlobal("fetch", (url: string, init: { body: string; headers: Record<string, string> }) => {
    sent.push({ url, body: String(init.body), headers: init.headers });
    return replies.shift()?.();
  });
  await userEvent.type(getByLabelText(page, "Item"), "Box");
});

test("without a connection everything stays as typed, and the same is sent again", async () => {
  loseConnection();
  await send();
  await vi.waitFor(() =>
    expect(alertText()).toBe(
      "Failed to schedule delivery. No connection. Nothing is lost. Try again; the change is made only once.",
    ),
  );
  expect(getByLabelText(page, "Item")).toHaveValue("Box");
  expect(button()).toBeEnabled();
  expect(button()).toHaveFocus();
  const navigations = recordNavigations();
  reply(null, 204, { ...OURS, "X-Redirect": "/gpm/deliveries" });
  await send();
  await vi.waitFor(() => expect(navigations).toEqual(["/gpm/deliveries"]));
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.body).toBe("key=k-1&item=Box&action=deliver");
});

test("a form without a key only asks to try again", async () => {
  document.querySelector("[name=key]")?.remove();
  loseConnection();
  await send();
  await vi.waitFor(() =>
    expect(alertText()).toBe("Failed to schedule delivery. No connection. Try again."),
  );
});

test("a proxy's reply counts as no connection", async () => {
  reply("<h1>Bad gateway</h1>", 502, {});
  await send();
  await vi.waitFor(() => expect(alertText()).toContain("No connection."));
});

test("an error page is shown as a message above what was typed", async () => {
  reply(`<main data-error><p role="alert"> Failed. Try again. </p></main>`, 500);
  await send();
  await vi.waitFor(() => expect(alertText()).toBe("Failed. Try again."));
  expect(getByLabelText(page, "Item")).toHaveValue("Box");
});

test("a form shows failures in its own place where it has one", async () => {
  form().insertAdjacentHTML("afterbegin", "<div data-alerts></div>");
  loseConnection();
  await send();
  await vi.waitFor(() => expect(form()).toContainElement(getByRole(page, "alert")));
  reply(`<main data-error><p role="alert">Failed</p></main>`, 500);
  await send();
  await vi.waitFor(() => expect(alertText()).toBe("Failed"));
});

test("the page that replies replaces this one", async () => {
  const replaced = vi.fn();
  document.addEventListener(PAGE_REPLACED, replaced, { once: true });
  page.setAttribute("data-division", "gpm");
  reply(
    `<title>Error: Schedule</title><body data-next="1"><main>${FORM}<p>Item is required</p></main>`,
    422,
  );
  await send();
  await vi.waitFor(() => expect(replaced).toHaveBeenCalledOnce());
  expect(document.title).toBe("Error: Schedule");
  expect(page).toHaveTextContent("Item is required");
  expect(page).not.toHaveAttribute("data-division");
  expect(page).toHaveAttribute("data-next", "1");
  expect(button()).toBeEnabled();
});

test("a form is sent once, and all its buttons wait for the reply", async () => {
  const usable = vi.fn();
  form().addEventListener(USABLE_AGAIN, usable);
  let fail = () => {};
  replies.push(() => new Promise((_, reject) => (fail = () => reject(new TypeError("Failed")))));
  await send();
  expect(button()).toBeDisabled();
  expect(getByRole(page, "button", { name: "GPM" })).toBeDisabled();
  expect(getByRole(page, "button", { name: "Show password" })).toBeEnabled();
  form().requestSubmit();
  expect(sent).toHaveLength(1);
  fail();
  await vi.waitFor(() => expect(usable).toHaveBeenCalledOnce());
  expect(button()).toBeEnabled();
});

test("a page that the browser's cache brings back can be sent again", async () => {
  recordNavigations();
  reply(null, 204, { ...OURS, "X-Redirect": "/gpm/deliveries" });
  await send();
  expect(button()).toBeDisabled();
  window.dispatchEvent(new Event("pageshow"));
  expect(button()).toBeEnabled();
});

test("the button that was pressed is sent", async () => {
  recordNavigations();
  reply(null, 204, { ...OURS, "X-Redirect": "/dashboard" });
  await userEvent.click(getByRole(page, "button", { name: "GPM" }));
  expect(sent[0]?.body).toBe("key=k-1&item=Box&action=deliver&division=gpm");
  expect(sent[0]?.url).toContain("/gpm/deliveries/new?item=Box");
  expect(sent[0]?.headers["X-Page-Form"]).toBe("true");
});

test.each([
  ["that another script sends", () => form().addEventListener("submit", (e) => e.preventDefault())],
  ["without a message for failures", () => form().removeAttribute("data-failure")],
  ["of another page", () => form().setAttribute("action", "/logout")],
  ["that only reads", () => form().setAttribute("method", "get")],
])("a form %s is left alone", async (_, change) => {
  const stop = (event: Event) => event.preventDefault();
  change();
  addEventListener("submit", stop, { once: true });
  await send();
  removeEventListener("submit", stop);
  expect(sent).toEqual([]);
});

test("what a session's end kept from being sent is stored before the sign-in", async () => {
  const navigations = recordNavigations();
  reply(null, 204, { ...OURS, "X-Redirect": "/login?next=/gpm/deliveries/new" });
  await send();
  await vi.waitFor(() => expect(navigations).toEqual(["/login?next=/gpm/deliveries/new"]));
  expect(sessionStorage.getItem("unsent-form")).toContain("Box");
  sessionStorage.clear();
});

import { getByLabelText, getByRole, getByText } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadDialog, showUnsent } from "../offline/move-dialog/live";
import { GPM, giveReference, keepDialog, moveOf, REFERENCE } from "../offline/testing";
import { entriesOf, keep, sendNow } from "../outbox";
import type { Entry } from "../outbox/entry";
import * as store from "../outbox/store";
import { emptyDatabase, entryOf, giveLocks, Server } from "../outbox/testing";
import { HTMX } from "../shared/htmx-events";
import { KEPT } from "../shared/messages";
import { STOCK_CHANGED } from "../shared/operations";
import { dialog, get, openForm, send, xhr } from "./testing";

const htmx = vi.hoisted(() => ({ ajax: vi.fn(), trigger: vi.fn(), onLoad: vi.fn() }));
vi.mock("htmx.org", () => ({ default: htmx }));

const REFUSAL = "No connection. Nothing was withdrawn.";
const ACTION = "/inventory/main/items/5/action";
const PAGE = `
  <header><span class="who">k.lee</span></header>
  <main id="main"><h1 tabindex="-1">Inventory</h1><div id="alerts"></div>
    <nav id="sites"><a href="/inventory/main" aria-current="page">Main</a><a href="/inventory/northern?mode=dec">Northern</a></nav>
    <div id="list"><table><tbody id="rows">
      <tr id="i5"><th><a href="/inventory/main/items/5">Hand warmer</a></th><td class="amount">79</td><td class="price">£2.10</td>
        <td><a href="${ACTION}?mode=dec">−</a><a href="${ACTION}?mode=inc">+</a>
          <a href="${ACTION}?mode=transfer&destination=northern">Transfer</a>
          <a href="/inventory/main/items/99/action?mode=dec">Gone</a></td></tr>
      <tr id="i6"><th><a href="/inventory/main/items/6">Rope</a></th><td class="amount">12</td></tr>
    </tbody></table></div>
  </main>
  <div id="live"></div>
  <dialog id="dialog" aria-labelledby="dialog-title"></dialog>`;
const DIALOG = `
  <header><h1 id="dialog-title">Hand warmer</h1></header>
  <form method="post" data-failure="Update failed">
    <div data-alerts></div>
    <input type="hidden" name="csrf_token" value="t"><input type="hidden" name="key" value="key-1">
    <input type="hidden" name="back" value="/inventory/main">
    <fieldset id="action" data-amount="79"><label><input type="radio" name="action" value="withdrawal" checked> Withdrawal</label></fieldset>
    <label>Quantity <input name="quantity" value="5"></label>
    <label><input type="radio" name="destination" value="guildford"> Guildford</label>
    <label><input type="radio" name="recent_team" value="Kitchen" checked> Kitchen</label>
    <input name="team" value=""><input type="date" name="date" value="2026-11-22">
    <footer><a href="/back" data-close>Cancel</a><button>Withdraw</button></footer>
  </form>`;

let server: Server;

document.body.innerHTML = PAGE;
await import("./index");

beforeEach(async () => {
  giveLocks();
  server = new Server();
  server.before = () => "no reply";
  keepDialog();
  await emptyDatabase();
  const first = dialog();
  document.body.innerHTML = PAGE;
  // The script observes the dialog that existed when it was loaded.
  get("#dialog").replaceWith(first);
  document.body.dataset.user = "3";
  const messages = {
    dec: REFUSAL,
    inc: "Nothing was delivered.",
    transfer: "Nothing was transferred.",
  };
  Object.assign(first.dataset, { moves: "/src/offline/move-dialog/live.ts", ...messages });
  history.replaceState(null, "", "/inventory/main");
});
afterEach(() => {
  if (dialog().open) dialog().close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const link = (query: string): HTMLElement => get(`a[href="${ACTION}?${query}"]`);
const live = () => get("#live");

/** Presses a link whose dialog can't be loaded. */
function press(opener: HTMLElement, failure: string = HTMX.sendError): void {
  const path = opener.getAttribute("href") ?? "";
  opener.focus();
  const requestConfig = { elt: opener, verb: "get", path };
  send(HTMX.beforeRequest, opener, { target: dialog(), requestConfig });
  send(failure, opener, { target: dialog(), requestConfig });
}

/** Presses a link whose dialog is shown all the same. */
async function openBy(opener: HTMLElement, failure?: string): Promise<void> {
  press(opener, failure);
  await vi.waitFor(() => expect(dialog().open).toBe(true));
}

/** Opens the server's dialog, and sends it without getting a reply. */
function sendForm(failure: string = HTMX.sendError, html = DIALOG): HTMLFormElement {
  const form = openForm(link("mode=dec"), html);
  const formData = new FormData(form);
  const requestConfig = { elt: form, verb: "post", path: `${ACTION}?mode=dec`, formData };
  // What is typed after it was sent isn't what was sent.
  get<HTMLInputElement>("[name=quantity]").value = "6";
  const reply = failure === HTMX.beforeSwap ? { xhr: xhr(200, {}) } : {};
  send(failure, form, { target: dialog(), requestConfig, ...reply });
  return form;
}

async function keptEntry(): Promise<Entry> {
  await vi.waitFor(() => expect(live()).toHaveTextContent(KEPT));
  const [entry, ...others] = await entriesOf(3);
  if (!entry || others.length > 0) throw new Error("One entry was expected");
  return entry;
}

describe("a dialog that can't be loaded", () => {
  // Before the others: what was loaded once stays on the page.
  test("says that nothing happened until the page has loaded it without an item", async () => {
    const cutLine = () => Promise.reject(new TypeError("Failed to fetch"));
    await giveReference("stock:gfm/main", REFERENCE);
    vi.stubGlobal("fetch", cutLine);
    press(link("mode=dec"));
    await vi.waitFor(() => expect(get("#alerts")).toHaveTextContent(REFUSAL));
    expect(dialog().open).toBe(false);
    keepDialog();
    await loadDialog();
    vi.stubGlobal("fetch", cutLine);
    await openBy(link("mode=dec"));
  });

  test.each([HTMX.sendError, HTMX.timeout])("opens from what was read (%s)", async (failure) => {
    await giveReference("stock:gfm/main", REFERENCE);
    await openBy(link("mode=dec"), failure);
    expect(dialog()).toHaveAccessibleName("Hand warmer");
    expect(getByLabelText(dialog(), "Withdrawal")).toBeChecked();
    expect(getByText(dialog(), "79 in stock · £2.10")).toBeVisible();
    expect(get("#alerts")).toBeEmptyDOMElement();
  });

  test("is that of the link, and takes off what is not sent yet", async () => {
    await giveReference("stock:gfm/main", REFERENCE);
    await store.put(moveOf(5, { quantity: "9" }), []);
    await openBy(link("mode=transfer&destination=northern"));
    expect(getByLabelText(dialog(), "Transfer")).toBeChecked();
    expect(getByLabelText(dialog(), "Northern")).toBeChecked();
    expect(getByText(dialog(), /^70 in stock \(79 in the books, 9 taken/)).toBeVisible();
    dialog().close();
    await openBy(link("mode=inc"));
    expect(getByLabelText(dialog(), "Delivery")).toBeChecked();
  });

  test("gives the focus back to its link when it is closed", async () => {
    await giveReference("stock:gfm/main", REFERENCE);
    await openBy(link("mode=dec"));
    await userEvent.click(getByRole(dialog(), "link", { name: "Cancel" }));
    expect(link("mode=dec")).toHaveFocus();
    expect(dialog()).toBeEmptyDOMElement();
  });

  test("opens from the item's row where its store wasn't read yet", async () => {
    get("#i5 .amount").innerHTML = `79 <span class="unit">m</span>`;
    await openBy(link("mode=transfer&destination=northern"));
    expect(dialog()).toHaveAccessibleName("Hand warmer");
    expect(getByText(dialog(), "79 m in stock · £2.10")).toBeVisible();
    expect(getByLabelText(dialog(), "Northern")).toBeChecked();
    await userEvent.type(getByLabelText(dialog(), "Quantity"), "{Control>}a{/Control}5{Enter}");
    expect(await keptEntry()).toMatchObject({
      title: "Transfer 5 × Hand warmer",
      detail: "GFM Main · to Northern",
      request: { url: ACTION },
    });
    await vi.waitFor(() => expect(get("#i5 .unsent-change")).toBeVisible());
    await openBy(link("mode=dec"));
    expect(getByText(dialog(), /^74 m in stock \(79 in the books, 5 taken/)).toBeVisible();
  });

  test.each([
    ["dec", REFUSAL],
    ["inc", "Nothing was delivered."],
    ["transfer", "Nothing was transferred."],
  ])(
    "says that nothing happened where the item is neither read nor listed (%s)",
    async (mode, text) => {
      await giveReference("stock:gfm/main", REFERENCE);
      const removed = get(`a[href^="/inventory/main/items/99/"]`);
      removed.setAttribute("href", `/inventory/main/items/99/action?mode=${mode}`);
      press(removed);
      await vi.waitFor(() => expect(get("#alerts")).toHaveTextContent(text));
      expect(dialog().open).toBe(false);
    },
  );

  test("of GPM withdraws instead of a transfer, which it doesn't have", async () => {
    await giveReference("stock:gpm/main", GPM);
    const transfer = link("mode=transfer&destination=northern");
    transfer.setAttribute("href", `/gpm${ACTION}?mode=transfer`);
    await openBy(transfer);
    expect(getByLabelText(dialog(), "Withdrawal")).toBeChecked();
  });
});

describe("a dialog whose sending gets no reply", () => {
  test.each([HTMX.sendError, HTMX.timeout, HTMX.beforeSwap])(
    "is kept as it was sent (%s)",
    async (failure) => {
      sendForm(failure);
      const entry = await keptEntry();
      expect(dialog().open).toBe(false);
      expect(get("#alerts")).toBeEmptyDOMElement();
      expect(entry).toMatchObject({
        id: "key-1",
        kind: "move",
        user: 3,
        username: "k.lee",
        subject: "stock:gfm/main",
        title: "Withdraw 5 × Hand warmer",
        detail: "GFM Main · Kitchen",
        page: "/inventory/main",
        isUnanswered: true,
      });
      expect(entry.request).toEqual({
        method: "POST",
        url: `${ACTION}?mode=dec`,
        form: [
          ["back", "/inventory/main"],
          ["action", "withdrawal"],
          ["quantity", "5"],
          ["recent_team", "Kitchen"],
          ["team", ""],
          ["date", "2026-11-22"],
          ["key", "key-1"],
        ],
      });
      expect(getByRole(live(), "link", { name: "1 not sent yet" })).toHaveAttribute(
        "href",
        "/outbox",
      );
    },
  );

  test("is shown in its row, and no longer once it was sent, which reloads the list", async () => {
    const reloads = vi.fn();
    document.body.addEventListener(STOCK_CHANGED, reloads);
    sendForm();
    await keptEntry();
    await vi.waitFor(() =>
      expect(get("#i5 .amount")).toHaveTextContent("74 79 in the books, 5 taken not sent yet"),
    );
    expect(get("#i6 .amount")).toHaveTextContent(/^12$/);
    server.before = () => undefined;
    server.after = () => ({ body: { message: "Hand warmer: withdrew 5, 74 left." } });
    await sendNow();
    await vi.waitFor(() => expect(live()).toHaveTextContent("Hand warmer: withdrew 5, 74 left."));
    expect(reloads).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(get("#i5 .amount")).toHaveTextContent(/^79$/));
    document.body.removeEventListener(STOCK_CHANGED, reloads);
  });

  test("is shown again in rows that were loaded meanwhile", async () => {
    sendForm();
    await keptEntry();
    await vi.waitFor(() => expect(get("#i5 .unsent-change")).toBeVisible());
    get("#i5 .amount").textContent = "79";
    send(HTMX.afterSettle, get("#list"));
    await vi.waitFor(() =>
      expect(get("#i5 .unsent-change")).toHaveTextContent("79 in the books, 5 taken not sent yet"),
    );
  });

  test("stays open where nothing can be kept, and says why", async () => {
    vi.spyOn(store, "put").mockRejectedValue(new store.NotKept("This device is full."));
    sendForm();
    await vi.waitFor(() =>
      expect(get("#dialog [role=alert]")).toHaveTextContent(
        "Update failed. No connection. Nothing is lost. Try again; the change is made only once. This device is full.",
      ),
    );
    expect(dialog().open).toBe(true);
  });

  test("is only that of a move: other dialogs say that there is no connection", async () => {
    const form = openForm(link("mode=dec"));
    send(HTMX.sendError, form, { target: dialog() });
    await vi.waitFor(() =>
      expect(get("#dialog [role=alert]")).toHaveTextContent("Update failed. No connection."),
    );
    expect(await entriesOf(3)).toEqual([]);
  });

  test("fails as before on pages without such dialogs, or whose script can't be loaded", async () => {
    for (const address of ["", "/static/built/gone.js"]) {
      dialog().dataset.moves = address;
      sendForm();
      await vi.waitFor(() =>
        expect(get("#dialog [role=alert]")).toHaveTextContent("Update failed. No connection."),
      );
    }
    expect(await entriesOf(3)).toEqual([]);
  });

  test("without its key it is no form of ours", async () => {
    sendForm(HTMX.sendError, DIALOG.replace('name="key"', 'name="other"'));
    await vi.waitFor(() =>
      expect(get("#dialog [role=alert]")).toHaveTextContent("Update failed. No connection."),
    );
    expect(dialog().open).toBe(true);
  });
});

test("a list opened while something waits says so in its rows, whatever else was sent", async () => {
  await store.put(moveOf(6, { action: "delivery", quantity: "3" }), []);
  await showUnsent();
  await vi.waitFor(() =>
    expect(get("#i6 .amount")).toHaveTextContent("15 12 in the books, 3 added not sent yet"),
  );
  await keep(entryOf("check", { kind: "check", subject: "checks" }));
  server.before = ({ path }) => (path.includes("/items/") ? "no reply" : undefined);
  await sendNow("check");
  expect(await entriesOf(3)).toHaveLength(1);
  expect(live()).toBeEmptyDOMElement();
});

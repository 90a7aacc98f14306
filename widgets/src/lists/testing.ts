/** A list page, and the events of htmx on it, for tests. */
import { HTMX } from "../shared/htmx-events";

export const PAGE = `
  <main id="main">
    <h1 tabindex="-1">Inventory</h1>
    <div id="alerts"></div>
    <form id="filters" data-failure="Failed to load history">
      <input id="q" name="q" value="">
      <select id="in-sort" name="sort"><option value="">Name</option><option value="-amount">Amount</option></select>
    </form>
    <a id="reset" data-tabs="status" hidden>Reset</a>
    <div id="list">
      <table><tbody id="rows">
        <tr id="item-1"><td><a href="/items/1">One</a></td></tr>
        <tr id="item-2" class="changed"><td><a href="/items/2">Two</a></td></tr>
      </tbody></table>
    </div>
  </main>
  <div id="live"></div>
  <dialog id="dialog"></dialog>`;
const FORM = `
  <form method="post" data-failure="Update failed">
    <div data-alerts></div>
    <input name="amount" autofocus>
    <footer><a href="/back" data-close>Cancel</a><button>Save</button></footer>
  </form>`;
export const OURS = { "Content-Security-Policy": "default-src 'self'" };

export const get = <E extends HTMLElement>(selector: string): E =>
  document.querySelector(selector) as E;
export const dialog = (): HTMLDialogElement => get("#dialog");

/** A reply of the server; without `headers`, it is a proxy's. */
export function xhr(status = 200, headers: Record<string, string> = OURS): XMLHttpRequest {
  return { status, getResponseHeader: (name: string) => headers[name] ?? null } as XMLHttpRequest;
}

/** Dispatches an event of htmx about a request of `elt`; returns its details. */
export function send(name: string, elt: Element, part: Record<string, unknown> = {}) {
  const verb = elt.matches("form[method=post]") ? "post" : "get";
  const requestConfig = { elt, verb, path: "/path" };
  const detail = { elt, target: get("#list"), xhr: xhr(), requestConfig, ...part };
  const event = new CustomEvent(name, { detail, cancelable: true });
  document.dispatchEvent(event);
  return { ...detail, shouldSwap: true, ...event.detail, isPrevented: event.defaultPrevented };
}

export const CLOSE = '<a href="/back" data-close>Close</a>';

/** Opens the dialog from a link, as htmx does when its form has arrived. */
export function openForm(link: HTMLElement, html = FORM): HTMLFormElement {
  link.focus();
  send(HTMX.beforeRequest, link, { target: dialog() });
  dialog().innerHTML = html;
  send(HTMX.afterSwap, link, { target: dialog() });
  return get("#dialog form");
}

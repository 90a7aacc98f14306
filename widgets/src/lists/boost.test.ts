import { beforeEach, describe, expect, test, vi } from "vitest";
import { HTMX } from "../shared/htmx-events";

const htmx = vi.hoisted(() => ({ ajax: vi.fn(), trigger: vi.fn(), onLoad: vi.fn() }));
vi.mock("htmx.org", () => ({ default: htmx }));

const PAGE = `
  <main id="main">
    <div id="list" data-boost-links data-hx-target="#dialog">
      <table><tbody id="rows">
        <tr id="item-1">
          <th><a id="page" href="/items/1" data-hx-boost="false">One</a></th>
          <td><a id="withdraw" href="/items/1/action"><b>−</b></a></td>
        </tr>
      </tbody></table>
      <a id="next" href="?page=2">Next</a>
    </div>
    <a id="outside" href="/elsewhere">Elsewhere</a>
  </main>
  <dialog id="dialog"></dialog>`;

const get = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

/** Clicks an element; returns whether the browser would follow it itself. */
function click(target: Element, init: MouseEventInit = {}): boolean {
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...init });
  // The test's browser can't navigate.
  document.addEventListener("click", (last) => last.preventDefault(), { once: true });
  const before = htmx.ajax.mock.calls.length;
  target.dispatchEvent(event);
  return htmx.ajax.mock.calls.length === before;
}

function send(target: HTMLElement, shouldSwap: boolean): void {
  const xhr = { status: 200, getResponseHeader: () => "default-src 'self'" };
  const requestConfig = { elt: target, verb: "get", path: "/path" };
  const detail = { elt: target, target, xhr, requestConfig, shouldSwap };
  document.dispatchEvent(new CustomEvent(HTMX.beforeSwap, { detail }));
}

document.body.innerHTML = PAGE;
await import("./index");

beforeEach(() => {
  document.body.innerHTML = PAGE;
  htmx.ajax.mockReset();
});

describe("links of a list", () => {
  test("a link in a row is followed in the page, also by a click on what is in it", () => {
    expect(click(document.querySelector("#withdraw b") as Element)).toBe(false);
    expect(htmx.ajax).toHaveBeenCalledWith("get", "/items/1/action", { source: get("withdraw") });
  });

  test("a link to a page of its own, or outside the list, is the browser's", () => {
    expect(click(get("page"))).toBe(true);
    expect(click(get("outside"))).toBe(true);
  });

  test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])(
    "a click that opens another tab is the browser's: %o",
    (keys) => {
      expect(click(get("withdraw"), keys)).toBe(true);
    },
  );

  test("a link that another script follows isn't followed twice", () => {
    get("next").addEventListener("click", (event) => event.preventDefault());
    expect(click(get("next"))).toBe(true);
  });
});

describe("rows that a reply replaces", () => {
  test("they are removed before, unless the reply is not swapped in", () => {
    send(get("list"), false);
    expect(get("rows").children).toHaveLength(1);
    send(get("list"), true);
    expect(get("rows").children).toHaveLength(0);
  });

  test("they stay while the focus is in them, so that it can be given back", () => {
    get("withdraw").focus();
    send(get("list"), true);
    expect(get("rows").children).toHaveLength(1);
  });
});

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

const PAGE = `
  <main id="main">
    <div class="head"><a class="btn primary" id="add" href="#new">Add</a></div>
    <input id="q"><p contenteditable tabindex="0" id="note"></p>
    <table><tbody>
      <tr><td><a href="#x">Other</a></td><th><a id="one" href="#1">One</a></th></tr>
      <tr><td>No link</td></tr>
      <tr><td><details><summary id="two">Two</summary></details></td></tr>
    </tbody></table>
  </main>`;
const KEYS = `<div id="keys"><a href="/vehicles" data-go="v">Vehicles</a></div>`;

const assign = vi.fn();
const get = (id: string) => document.getElementById(id) as HTMLElement;
const focused = () => document.activeElement?.id;
const settle = () => vi.waitFor(() => new Promise((done) => setTimeout(done)));

/** Presses a key; returns whether something else may answer it. */
function press(key: string, init: KeyboardEventInit = {}): boolean {
  const target = document.activeElement ?? document.body;
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  return target.dispatchEvent(event);
}

function reply(html: string): void {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => new Response(html)),
  );
}

beforeAll(async () => {
  vi.spyOn(location, "assign").mockImplementation(assign);
  // The test's browser has no layout.
  Element.prototype.getClientRects = () => [{}] as unknown as DOMRectList;
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  await import("./shortcuts");
});

beforeEach(() => {
  document.body.innerHTML = PAGE;
  assign.mockReset();
});

afterEach(() => vi.unstubAllGlobals());

test("rows are walked by j and k, also those that open below themselves, and left by Esc", () => {
  for (const [key, id] of ["j one", "j two", "j two", "k one", "k one"].map((p) => p.split(" "))) {
    press(key as string);
    expect(focused()).toBe(id);
  }
  press("Escape");
  expect(document.activeElement).toBe(document.body);
});

test("the search has the focus after /, the box of the header first", () => {
  expect(press("/")).toBe(false);
  expect(focused()).toBe("q");
  get("q").blur();
  get("main").insertAdjacentHTML("beforebegin", `<input id="find">`);
  press("/");
  expect(focused()).toBe("find");
});

test("n presses what the page adds, and nothing on a page without", () => {
  const add = vi.fn((event: Event) => event.preventDefault());
  get("add").addEventListener("click", add);
  expect(press("n")).toBe(false);
  expect(add).toHaveBeenCalledOnce();
  get("add").remove();
  expect(press("n")).toBe(true);
});

test("nothing is a key in a field, in a dialog, with others, or while composing", () => {
  for (const init of [
    { ctrlKey: true },
    { altKey: true },
    { metaKey: true },
    { isComposing: true },
  ])
    expect(press("j", init)).toBe(true);
  for (const id of ["q", "note"]) {
    get(id).focus();
    expect(press("j")).toBe(true);
    expect(focused()).toBe(id);
    get(id).blur();
  }
  document.body.insertAdjacentHTML("beforeend", "<dialog open></dialog>");
  expect(press("j")).toBe(true);
});

test("g and a letter lead to a screen, which no other key of the page sees", async () => {
  reply(KEYS);
  const seen = vi.fn();
  document.body.addEventListener("keydown", seen);
  press("g");
  press("v");
  await vi.waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith("/vehicles"));
  press("g");
  press("q");
  await settle();
  expect(assign).toHaveBeenCalledOnce();
  expect(seen).not.toHaveBeenCalled();
  expect(press("v")).toBe(true);
  document.body.removeEventListener("keydown", seen);
});

test("? opens the list of keys", async () => {
  reply(KEYS);
  press("?");
  const dialog = await vi.waitFor(() => {
    const found = document.querySelector("dialog");
    expect(found).toHaveAttribute("open");
    return found;
  });
  expect(dialog).toHaveTextContent("Vehicles");
  dialog?.dispatchEvent(new Event("close"));
  expect(document.querySelector("dialog")).toBeNull();
});

import { screen, waitFor } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchFind } from "./find";

const LINK = (title: string) => `<li><a class="name" href="#${title}">${title}</a></li>`;
const list = (...titles: string[]) => `<h2>Items</h2><ul>${titles.map(LINK).join("")}</ul>`;

/** Replies to requests by their texts, each when it is called. */
const replies = new Map<string, (html: string, status?: number) => void>();
const requests: string[] = [];
let isCut = false;

beforeEach(() => {
  // happy-dom has no popovers.
  const open = new WeakSet<Element>();
  const matches = Element.prototype.matches;
  vi.spyOn(Element.prototype, "matches").mockImplementation(function (this: Element, selector) {
    return selector === ":popover-open" ? open.has(this) : matches.call(this, selector);
  });
  HTMLElement.prototype.showPopover = function () {
    open.add(this);
  };
  HTMLElement.prototype.hidePopover = function () {
    open.delete(this);
  };
  vi.stubGlobal("fetch", (address: string) => {
    const text = new URL(address, location.href).searchParams.get("q") ?? "";
    requests.push(text);
    if (isCut) return Promise.reject(new TypeError("cut"));
    return new Promise((resolve) => {
      replies.set(text, (html, status = 200) =>
        resolve(new Response(html, { status, headers: { "Content-Security-Policy": "x" } })),
      );
    });
  });
  requests.length = 0;
  isCut = false;
  document.body.innerHTML = `<main><button>Elsewhere</button></main>
    <form class="find" role="search" action="/search"><input type="search" name="q" aria-label="Search everything">
    <button>Find</button></form>`;
  watchFind(document.querySelector("form") as HTMLFormElement);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const box = () => screen.getByRole("searchbox");
const isOpen = () => document.querySelector(".found")?.matches(":popover-open");
const status = () => screen.getByRole("status").textContent;

/** Types a text and waits for its request. */
async function type(text: string): Promise<void> {
  await userEvent.type(box(), text);
  await waitFor(() => expect(requests).toContain((box() as HTMLInputElement).value.trim()));
}

async function reply(text: string, html: string, code?: number): Promise<void> {
  replies.get(text)?.(html, code);
  await waitFor(() => expect(isOpen()).toBe(true));
}

test("results show after the last key, and their number is announced", async () => {
  await type("cloche");
  expect(requests).toEqual(["cloche"]);
  await reply("cloche", list("Cloche", "Glass cloche"));
  expect(status()).toBe("2 results. Use the arrow keys.");
  expect(
    (await axe.run(document.body, { rules: { region: { enabled: false } } })).violations,
  ).toEqual([]);
});

test("one letter is not searched for, and closes what was found", async () => {
  await type("cl");
  await reply("cl", list("Cloche"));
  await userEvent.type(box(), "{Backspace}");
  await waitFor(() => expect(isOpen()).toBe(false));
  expect(requests).toEqual(["cl"]);
});

test("the arrows move between the box and its results, and Esc comes back to what was typed", async () => {
  await type("cl");
  await reply("cl", list("Cloche", "Clock"));
  for (const name of ["Cloche", "Clock", "Clock"]) {
    await userEvent.keyboard("{ArrowDown}");
    expect(screen.getByRole("link", { name })).toHaveFocus();
  }
  await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}");
  expect(box()).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{Escape}");
  expect(box()).toHaveFocus();
  expect(box()).toHaveValue("cl");
  expect(isOpen()).toBe(false);
});

test("an older reply never replaces a newer one", async () => {
  await type("clo");
  await type("ck");
  await reply("clock", list("Clock"));
  replies.get("clo")?.(list("Cloche"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.getByRole("link")).toHaveTextContent("Clock");
});

test("a cut line and an error keep what was typed and say what to do", async () => {
  isCut = true;
  await type("cloche");
  await waitFor(() => expect(isOpen()).toBe(true));
  expect(status()).toBe("The search got no reply. Press Enter to try again.");
  isCut = false;
  await type("s");
  await reply("cloches", "<p>Busy</p>", 503);
  expect(status()).toBe("The search got no reply. Press Enter to try again.");
  expect(box()).toHaveValue("cloches");
});

test("nothing found is announced in words", async () => {
  await type("cloche");
  await reply("cloche", `<p class="note">Nothing in GFM for “cloche”.</p>`);
  expect(status()).toBe("Nothing in GFM for “cloche”.");
});

test("a click or the focus elsewhere closes the results", async () => {
  await type("cl");
  await reply("cl", list("Cloche"));
  await userEvent.click(screen.getByRole("button", { name: "Elsewhere" }));
  expect(isOpen()).toBe(false);
});

test("the styles that replies name are loaded once", async () => {
  for (const text of ["cl", "clo"]) {
    await type(text.slice(text.length - (text === "cl" ? 2 : 1)));
    replies.get(text)?.(`<link rel="stylesheet" href="data:text/css,">${list("Cloche")}`);
    await waitFor(() => expect(document.head.querySelectorAll("link")).toHaveLength(1));
    document.head.querySelector("link")?.dispatchEvent(new Event("load"));
    await waitFor(() => expect(isOpen()).toBe(true));
  }
  document.head.replaceChildren();
});

test("what is found stays closed for who has left the box while its styles were loaded", async () => {
  await type("cloche");
  replies.get("cloche")?.(`<link href="/late.css">${list("Cloche")}`);
  const link = await waitFor(() => {
    const found = document.head.querySelector('[href="/late.css"]');
    expect(found).not.toBeNull();
    return found as Element;
  });
  await userEvent.click(screen.getByRole("button", { name: "Elsewhere" }));
  link.dispatchEvent(new Event("load"));
  await new Promise((resolve) => setTimeout(resolve));
  expect(isOpen()).toBe(false);
});

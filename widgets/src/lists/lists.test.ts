import { getByRole, getByText } from "@testing-library/dom";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HTMX } from "../shared/htmx-events";
import { OPERATION_DONE } from "../shared/operations";
import * as session from "../shared/session";
import { CLOSE, dialog, get, OURS, openForm, PAGE, send, xhr } from "./testing";

const htmx = vi.hoisted(() => ({ ajax: vi.fn(), trigger: vi.fn(), onLoad: vi.fn() }));
vi.mock("htmx.org", () => ({ default: htmx }));

document.body.innerHTML = PAGE;
await import("./index");

beforeEach(() => {
  vi.useFakeTimers();
  const open = dialog();
  document.body.innerHTML = PAGE;
  // The script observes the dialog that existed when it was loaded.
  get("#dialog").replaceWith(open);
  history.replaceState(null, "", "/inventory/main");
});

afterEach(() => {
  if (dialog().open) dialog().close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  htmx.ajax.mockReset();
  htmx.trigger.mockReset();
});

describe("dialog", () => {
  test("it opens on the form that was loaded, with the focus in its first field", () => {
    openForm(get("a[href='/items/1']"));
    expect(dialog().open).toBe(true);
    expect(get("[autofocus]")).toHaveFocus();
  });

  test("the summary of problems takes the focus before the first field", () => {
    openForm(get("a"), `${CLOSE}<form><p data-problems tabindex="-1"></p><input autofocus></form>`);
    expect(get("[data-problems]")).toHaveFocus();
  });

  test("Cancel closes and empties it, and the link has the focus again", () => {
    openForm(get("a[href='/items/1']"));
    getByText(dialog(), "Cancel").click();
    expect(dialog().open).toBe(false);
    expect(dialog()).toBeEmptyDOMElement();
    expect(get("a[href='/items/1']")).toHaveFocus();
  });

  test("a reply that only informs stays open until it is closed", () => {
    openForm(get("a[href='/items/1']"));
    dialog().innerHTML = `<p role="alert">Delivered already</p>${CLOSE}`;
    send(HTMX.afterSwap, dialog(), { target: dialog() });
    expect(dialog().open).toBe(true);
    get("#dialog [data-close]").click();
    expect(dialog().open).toBe(false);
  });

  test("the page behind it loads again if what it shows is out of date", () => {
    const reload = vi.fn();
    vi.stubGlobal("location", { reload });
    openForm(get("a[href='/items/1']"));
    getByText(dialog(), "Cancel").click();
    expect(reload).not.toHaveBeenCalled();
    openForm(get("a[href='/items/1']"), `<div data-stale>Closed already${CLOSE}</div>`);
    get("#dialog [data-close]").click();
    expect(reload).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  test("an empty reply closes it; the next row has the focus when the link is gone", () => {
    openForm(get("a[href='/items/1']"));
    get("#item-1").remove();
    dialog().innerHTML = "";
    send(HTMX.afterSwap, dialog(), { target: dialog() });
    expect(dialog().open).toBe(false);
    expect(get("a[href='/items/2']")).toHaveFocus();
  });

  test("the heading has the focus when no row is left", () => {
    openForm(get("a[href='/items/2']"));
    get("#rows").remove();
    dialog().close();
    expect(get("h1")).toHaveFocus();
  });
});

describe("requests under way", () => {
  test("the list is busy", () => {
    send(HTMX.beforeRequest, get("#filters"));
    expect(get("#list")).toHaveAttribute("aria-busy", "true");
    send(HTMX.afterRequest, get("#filters"));
    expect(get("#list")).toHaveAttribute("aria-busy", "false");
  });

  test("the form's button is disabled, and has the focus again after a failure", () => {
    const form = openForm(get("a"));
    send(HTMX.beforeRequest, form, { target: dialog() });
    const button = getByRole(form, "button", { name: "Save" });
    expect(button).toBeDisabled();
    (document.activeElement as HTMLElement).blur();
    send(HTMX.afterRequest, form, { target: dialog() });
    expect(button).toBeEnabled();
    expect(button).toHaveFocus();
  });

  test("a form without a button is left alone", () => {
    const form = openForm(get("a"), `<form method="post"><input></form>`);
    expect(() => send(HTMX.beforeRequest, form, { target: dialog() })).not.toThrow();
  });

  test("messages of an earlier request are removed, results only by a change", () => {
    get("#alerts").textContent = "Failed";
    get("#live").textContent = "Done";
    send(HTMX.beforeRequest, get("#q"));
    expect(get("#alerts")).toHaveTextContent("Failed");
    send(HTMX.beforeRequest, get("#filters"));
    expect(get("#alerts")).toBeEmptyDOMElement();
    expect(get("#live")).toHaveTextContent("Done");
    send(HTMX.beforeRequest, openForm(get("a")), { target: dialog() });
    expect(get("#live")).toBeEmptyDOMElement();
  });

  test("a message stays while its Undo is sent, so that the reply's event reaches the list", () => {
    get("#live").innerHTML = '<form method="post"><button>Undo</button></form>';
    const form = get("#live form");
    send(HTMX.beforeRequest, form, { target: get("#live") });
    expect(get("#live")).toContainElement(form);
  });
});

describe("failures", () => {
  test("a search that found no connection is sent again once there is one", () => {
    htmx.trigger.mockClear();
    send(HTMX.sendError, get("#filters"));
    expect(htmx.trigger).not.toHaveBeenCalled();
    dispatchEvent(new Event("online"));
    dispatchEvent(new Event("online"));
    expect(htmx.trigger).toHaveBeenCalledExactlyOnceWith(get("#filters"), "submit");
  });

  test.each([HTMX.sendError, HTMX.timeout])("%s of a list is shown above the content", (name) => {
    send(name, get("#filters"));
    expect(get("#alerts [role=alert]")).toHaveTextContent(
      "Failed to load history. No connection. Try again.",
    );
  });

  test("a failed change is shown in the dialog, and can be retried safely", () => {
    send(HTMX.sendError, openForm(get("a")), { target: dialog() });
    expect(get("[data-alerts] [role=alert]")).toHaveTextContent(
      "Update failed. No connection. Nothing is lost. Try again; the change is made only once.",
    );
  });

  test("without a text of its own, loading the inventory failed", () => {
    send(HTMX.sendError, get("#list"));
    expect(get("#alerts")).toHaveTextContent("Failed to load inventory.");
  });

  test("a proxy's reply is not swapped in", () => {
    const { shouldSwap } = send(HTMX.beforeSwap, get("#filters"), { xhr: xhr(502, {}) });
    expect(shouldSwap).toBe(false);
    expect(get("#alerts")).toHaveTextContent("Failed to load history.");
  });

  test("an error for the top of the page goes to the open dialog", () => {
    const refusal = { xhr: xhr(409, { ...OURS, "HX-Retarget": "#alerts" }) };
    expect(send(HTMX.beforeSwap, get("#filters"), refusal).target).toBe(get("#list"));
    const form = openForm(get("a"));
    expect(send(HTMX.beforeSwap, form, refusal).target).toBe(get("[data-alerts]"));
    expect(send(HTMX.beforeSwap, form).target).toBe(get("#list"));
  });
});

describe("an expired session", () => {
  const EXPIRED = { xhr: xhr(401) };

  test("it is renewed, and the request repeated once", async () => {
    vi.spyOn(session, "renewSession").mockResolvedValue("renewed");
    const signIn = vi.spyOn(session, "signInAgain").mockReturnValue();
    htmx.ajax.mockImplementation(
      async () => void send(HTMX.beforeOnLoad, get("#filters"), EXPIRED),
    );
    expect(send(HTMX.beforeOnLoad, get("#filters"), EXPIRED).isPrevented).toBe(true);
    await vi.waitFor(() => expect(signIn).toHaveBeenCalledOnce());
    const source = { source: get("#filters"), target: get("#list") };
    expect(htmx.ajax).toHaveBeenCalledExactlyOnceWith("get", "/path", source);
  });

  test("it leads to the sign-in when it can't be renewed", async () => {
    vi.spyOn(session, "renewSession").mockResolvedValue("refused");
    const signIn = vi.spyOn(session, "signInAgain").mockReturnValue();
    send(HTMX.beforeOnLoad, get("#filters"), EXPIRED);
    await vi.waitFor(() => expect(signIn).toHaveBeenCalledOnce());
    expect(htmx.ajax).not.toHaveBeenCalled();
  });

  test("what was typed in a dialog is kept for its own page, which follows the sign-in", async () => {
    vi.spyOn(session, "renewSession").mockResolvedValue("refused");
    const signIn = vi.spyOn(session, "signInAgain").mockReturnValue();
    const form = openForm(get("a"), `<form method="post"><input name="team"></form>`);
    get<HTMLInputElement>("[name=team]").value = "Kitchen";
    const requestConfig = { elt: form, verb: "post", path: "/withdraw" };
    send(HTMX.beforeOnLoad, form, { ...EXPIRED, target: dialog(), requestConfig });
    await vi.waitFor(() => expect(signIn).toHaveBeenCalledExactlyOnceWith("/withdraw"));
    expect(sessionStorage.getItem("unsent-form")).toContain("Kitchen");
  });

  test("without a connection, it can be tried again", async () => {
    vi.spyOn(session, "renewSession").mockResolvedValue("unreachable");
    send(HTMX.beforeOnLoad, get("#filters"), EXPIRED);
    await vi.waitFor(() => expect(get("#alerts")).toHaveTextContent("No connection. Try again."));
  });

  test("other replies are left to htmx", () => {
    expect(send(HTMX.beforeOnLoad, get("#filters")).isPrevented).toBe(false);
  });
});

describe("filters", () => {
  test.each([
    ["", true],
    ["?q=&page=2&after=x&status=all", true],
    ["?q=red", false],
    ["?sort=-amount", true],
  ])("with the address %s, Reset is hidden: %s", (query, isHidden) => {
    history.replaceState(null, "", `/inventory/main${query}`);
    send(HTMX.afterSwap, get("#filters"));
    expect(get("#reset").hidden).toBe(isHidden);
    const sort = new URLSearchParams(query).get("sort") ?? "";
    expect(get<HTMLSelectElement>("[name=sort]").value).toBe(sort);
  });

  test("a select keeps its choice when its options are replaced", () => {
    history.replaceState(null, "", "/inventory/main?sort=-amount");
    document.dispatchEvent(
      new CustomEvent(HTMX.oobAfterSwap, { detail: { target: get("[name=sort]") } }),
    );
    expect(get<HTMLSelectElement>("[name=sort]").value).toBe("-amount");
  });

  const load = () => htmx.onLoad.mock.calls[0]?.[0](document);

  test("a wrong day stays marked until the list accepts it", () => {
    const wrong = '<input type="text" name="from" value="2026-13-40" aria-invalid="true">';
    get("#filters").insertAdjacentHTML("beforeend", wrong);
    const day = get<HTMLInputElement>("#filters [name=from]");
    send(HTMX.afterSwap, get("#filters"), { xhr: xhr(422) });
    expect(day.getAttribute("aria-invalid")).toBe("true");
    expect(day.value).toBe("2026-13-40");
    day.value = "2026-01-31";
    send(HTMX.afterSwap, get("#filters"));
    expect(day.hasAttribute("aria-invalid")).toBe(false);
    expect([day.type, day.value]).toEqual(["date", "2026-01-31"]);
  });

  test("untouched filters are not sent", () => {
    load();
    expect(htmx.trigger).not.toHaveBeenCalled();
  });

  test.each([
    ["a text", () => (get<HTMLInputElement>("#q").value = "red")],
    ["a choice", () => (get<HTMLSelectElement>("[name=sort]").selectedIndex = 1)],
  ])("%s that was entered before the script loaded is sent", (_, fillIn) => {
    fillIn();
    load();
    expect(htmx.trigger).toHaveBeenCalledExactlyOnceWith(get("#filters"), "submit");
  });
});

describe("results", () => {
  const oobSwap = (target: Element) =>
    document.dispatchEvent(new CustomEvent(HTMX.oobAfterSwap, { detail: { target } }));

  test("a message is cleared after 8 seconds, one with an action after 20, none with the focus", () => {
    get("#live").innerHTML = "<p>Done</p>";
    send(HTMX.afterSwap, get("#list"), { target: get("#live") });
    vi.advanceTimersByTime(8_000);
    expect(get("#live")).toBeEmptyDOMElement();
    get("#live").innerHTML = "<p>Done</p><form><button>Undo</button></form>";
    oobSwap(get("#live"));
    vi.advanceTimersByTime(19_000);
    expect(get("#live")).not.toBeEmptyDOMElement();
    get("#live button").focus();
    vi.advanceTimersByTime(1_000);
    expect(get("#live")).not.toBeEmptyDOMElement();
    get("#q").focus();
    vi.advanceTimersByTime(20_000);
    expect(get("#live")).toBeEmptyDOMElement();
  });

  test.each([
    ["key gives the focus to the item", 0, "#rows a"],
    ["tap leaves the list where it is", 1, "body"],
  ])("a message is closed by its button: a %s", (_, detail, focused) => {
    get("#live").innerHTML = "<p>Done</p><button data-dismiss>Close</button>";
    get("#live button").focus();
    get("#live button").dispatchEvent(new MouseEvent("click", { detail, bubbles: true }));
    expect(get("#live")).toBeEmptyDOMElement();
    expect(get(focused)).toHaveFocus();
  });

  test("a changed row loses its mark after 4 seconds", () => {
    oobSwap(get("#item-2"));
    vi.advanceTimersByTime(4_000);
    expect(get("#item-2")).not.toHaveClass("changed");
  });

  test("the result of a widget's operation is loaded into the live region", () => {
    const done = new CustomEvent(OPERATION_DONE, { detail: { url: "/operations/7" } });
    document.dispatchEvent(done);
    const options = { target: get("#live"), swap: "innerHTML" };
    expect(htmx.ajax).toHaveBeenCalledExactlyOnceWith("get", "/operations/7", options);
    get("#live").remove();
    document.dispatchEvent(done);
    expect(htmx.ajax).toHaveBeenCalledOnce();
  });

  test.each(["live", "list"])("a replaced %s gives the focus to the changed item", (id) => {
    openForm(get("a[href='/items/1']"));
    dialog().close();
    (document.activeElement as HTMLElement).blur();
    send(HTMX.afterSettle, get("#filters"), { target: get(`#${id}`) });
    expect(get("a[href='/items/1']")).toHaveFocus();
    get("#q").focus();
    send(HTMX.afterSettle, get("#filters"), { target: get(`#${id}`) });
    expect(get("#q")).toHaveFocus();
  });

  test("an addition that was swapped in is previewed", () => {
    get("#list").innerHTML =
      '<form data-addition><input name="name" value="Box"><input name="amount" value="3"><input name="unit_price" value="2"><b data-total></b></form>';
    send(HTMX.afterSettle, get("#filters"), { target: get("#list input") });
    expect(get("[data-total]")).toHaveTextContent("3 × £2.00 = £6.00");
  });
});

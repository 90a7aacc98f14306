import { getByRole } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { mountWidgets, unmountWidgets } from "./mount";

const settled = () => new Promise((resolve) => setTimeout(resolve));

test("a widget is mounted once with its props, and unmounted with its dialog", async () => {
  document.body.innerHTML = `<div data-widget="x" data-src="/x.js" data-props='{"site":"main"}'></div>`;
  const unmount = vi.fn();
  const mount = vi.fn(() => unmount);
  const load = vi.fn(async () => ({ mount }));
  mountWidgets(document, load);
  mountWidgets(document, load);
  await settled();
  expect(load).toHaveBeenCalledExactlyOnceWith("/x.js");
  expect(mount).toHaveBeenCalledExactlyOnceWith(document.querySelector("[data-widget]"), {
    site: "main",
  });
  unmountWidgets(document.body);
  expect(unmount).toHaveBeenCalledOnce();
});

test("a widget whose dialog closed while it loaded is not mounted", async () => {
  document.body.innerHTML = `<div data-widget="x" data-src="/x.js"></div>`;
  const mount = vi.fn();
  mountWidgets(document, async () => ({ mount }));
  unmountWidgets(document.body);
  await settled();
  expect(mount).not.toHaveBeenCalled();
});

test("a script that fails to load can be retried", async () => {
  document.body.innerHTML = `<div data-widget="x" data-src="/x.js"></div>`;
  const mount = vi.fn(() => () => undefined);
  const load = vi.fn().mockRejectedValueOnce(new TypeError()).mockResolvedValue({ mount });
  mountWidgets(document, load);
  await settled();
  expect(getByRole(document.body, "alert")).toHaveTextContent("No connection.");
  await userEvent.click(getByRole(document.body, "button", { name: "Try again" }));
  await settled();
  expect(mount).toHaveBeenCalledOnce();
});

test("a widget that a swap removed is unmounted before the next is mounted", async () => {
  document.body.innerHTML = `<div data-widget="x" data-src="/x.js"></div>`;
  const unmount = vi.fn();
  const load = async () => ({ mount: () => unmount });
  mountWidgets(document, load);
  await settled();
  document.body.innerHTML = `<div data-widget="y" data-src="/y.js"></div>`;
  mountWidgets(document, load);
  expect(unmount).toHaveBeenCalledOnce();
});

test("a list that is readable without its script stays when the script fails to load", async () => {
  document.body.innerHTML = `<div data-widget="x" data-src="/x.js"><table></table></div>`;
  const load = vi.fn().mockRejectedValue(new TypeError());
  mountWidgets(document, load);
  await settled();
  expect(document.querySelector("table")).not.toBeNull();
  await userEvent.click(getByRole(document.body, "button", { name: "Try again" }));
  await settled();
  expect(getByRole(document.body, "alert")).toHaveTextContent("No connection.");
});

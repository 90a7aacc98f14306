import { getByLabelText, getByRole } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { USABLE_AGAIN } from "./page-form";
import { addShowButton, requireAllFields } from "./sign-in";

let form: HTMLFormElement;
const button = () => getByRole(form, "button", { name: "Sign in" });
const password = () => getByLabelText(form, "Password");

beforeEach(() => {
  document.body.innerHTML = `<form>
    <label for="username">Username</label><input id="username" required>
    <label for="password">Password</label><input id="password" type="password" required>
    <button type="button" data-show="password" hidden>Show password</button>
    <button class="primary">Sign in</button></form>`;
  form = document.querySelector("form") as HTMLFormElement;
  requireAllFields(form);
});

test("the button waits until both fields are filled", async () => {
  expect(button()).toBeDisabled();
  await userEvent.type(getByLabelText(form, "Username"), "keeper");
  expect(button()).toBeDisabled();
  await userEvent.type(password(), "x");
  expect(button()).toBeEnabled();
  await userEvent.clear(password());
  expect(button()).toBeDisabled();
});

test("the button stays disabled while the form is being sent", async () => {
  await userEvent.type(getByLabelText(form, "Username"), "keeper");
  form.dataset.sending = "true";
  await userEvent.type(password(), "x");
  expect(button()).toBeDisabled();
  delete form.dataset.sending;
  form.dispatchEvent(new Event(USABLE_AGAIN));
  expect(button()).toBeEnabled();
});

test("what the next page needs is fetched while the form is sent", () => {
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    requested.push(address);
    throw new TypeError("Failed to fetch");
  });
  form.dataset.ahead = "/static/built/work.css /static/built/lists.js";
  expect(requested).toEqual([]);
  form.dispatchEvent(new Event("submit"));
  form.dispatchEvent(new Event("submit"));
  expect(requested).toEqual(["/static/built/work.css", "/static/built/lists.js"]);
  vi.unstubAllGlobals();
});

test("the password can be shown and hidden again", async () => {
  addShowButton(document.querySelector("[data-show]") as HTMLButtonElement);
  await userEvent.click(getByRole(form, "button", { name: "Show password" }));
  expect(password()).toHaveAttribute("type", "text");
  expect(getByRole(form, "button", { name: "Hide password" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await userEvent.click(getByRole(form, "button", { name: "Hide password" }));
  expect(password()).toHaveAttribute("type", "password");
});

import { getByLabelText, getByRole, queryByRole } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { restoreUnsent, storeUnsent } from "./unsent";

const page = document.body;
const PATH = "/gpm/deliveries/new?item=Box";

/** Shows the page of a form to a person. */
function open(path: string, user: string | null): void {
  history.replaceState(null, "", path);
  if (user === null) delete page.dataset.user;
  else page.dataset.user = user;
  page.innerHTML = `<main><form method="post" data-failure="Failed"><div data-alerts></div>
    <input type="hidden" name="key" value="new"><label>Item <input name="item"></label>
    <label>Password <input name="password" type="password"></label>
    <label><input type="radio" name="team" value="Shop" checked> Shop</label>
    <label><input type="radio" name="team" value="Bar"> Bar</label>
    <label>First <input name="line"></label><label>Second <input name="line"></label></form></main>`;
}
const field = (name: string) => getByLabelText<HTMLInputElement>(page, name);
const form = () => document.querySelector("form") as HTMLFormElement;

beforeEach(async () => {
  sessionStorage.clear();
  open(PATH, "7");
  await userEvent.type(field("Item"), "Tape");
  await userEvent.type(field("Password"), "secret");
  await userEvent.type(field("Second"), "2");
  await userEvent.click(field("Bar"));
  storeUnsent(form(), PATH);
});

test("a form that was not sent is filled in again after the sign-in, once, and says so", () => {
  open("/login", null);
  restoreUnsent();
  open("/choose", "7");
  restoreUnsent();
  open(PATH, "7");
  restoreUnsent();
  expect(getByRole(page, "alert")).toHaveTextContent("You were signed out before this was sent");
  expect(field("Item")).toHaveValue("Tape");
  expect(field("Second")).toHaveValue("2");
  expect(field("First")).toHaveValue("");
  expect(field("Bar")).toBeChecked();
  open(PATH, "7");
  restoreUnsent();
  expect(queryByRole(page, "alert")).toBeNull();
  expect(field("Item")).toHaveValue("");
});

test("passwords and hidden fields are not stored, and somebody else gets nothing", () => {
  expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/secret|new"/);
  open(PATH, "8");
  restoreUnsent();
  expect(field("Item")).toHaveValue("");
  open(PATH, "7");
  restoreUnsent();
  expect(field("Item")).toHaveValue("");
});

import { getByLabelText, queryByRole, queryByText } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { watchFieldErrors } from "./field-errors";

const page = document.body;
const PAGE = `
  <div role="alert" data-problems><ul>
    <li><a href="#item">Item is required</a></li><li><a href="#action">Choose an action</a></li>
  </ul></div>
  <div class="field wrong"><label for="item">Item</label><p id="item-note">As on the label</p>
    <p class="error" id="item-error">Item is required</p>
    <input id="item" aria-invalid="true" aria-describedby="item-note item-error"></div>
  <fieldset id="action" aria-describedby="action-error">
    <label><input type="radio" name="action"> Deliver</label>
    <p class="error" id="action-error">Choose an action</p></fieldset>
  <div data-widget><div class="field wrong"><label for="plate">Plate</label>
    <p class="error" id="plate-error">Plate is required</p><input id="plate"></div></div>`;

beforeAll(watchFieldErrors);
beforeEach(() => {
  document.title = "Error: Schedule";
  page.innerHTML = PAGE;
});

test("a field that is changed is no longer wrong, and keeps its note", async () => {
  const item = getByLabelText(page, "Item");
  await userEvent.type(item, "B");
  expect(item).not.toHaveAttribute("aria-invalid");
  expect(item).toHaveAttribute("aria-describedby", "item-note");
  expect(item.closest(".field")).not.toHaveClass("wrong");
  expect(queryByText(page, "Item is required")).toBeNull();
  expect(queryByText(page, "Choose an action", { selector: "a" })).toBeInTheDocument();
  expect(document.title).toBe("Error: Schedule");
});

test("the summary goes with its last problem", async () => {
  await userEvent.type(getByLabelText(page, "Item"), "B");
  await userEvent.click(getByLabelText(page, "Deliver"));
  expect(document.getElementById("action")).not.toHaveAttribute("aria-describedby");
  expect(queryByRole(page, "alert")).toBeNull();
  expect(document.title).toBe("Schedule");
});

test("widgets keep their errors themselves", async () => {
  await userEvent.type(getByLabelText(page, "Plate"), "B");
  expect(queryByText(page, "Plate is required")).toBeInTheDocument();
});

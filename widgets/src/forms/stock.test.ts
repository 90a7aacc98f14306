import { fireEvent, getByLabelText, getByRole, getByText } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, test } from "vitest";
import { previewAll, watchStockForms } from "./stock";

const page = document.body;
beforeAll(watchStockForms);

function show(html: string): void {
  page.innerHTML = html;
  previewAll(document);
}

/** The limits of an amount, as the server writes them on its input. */
function amountFrom(min: number, label = "Amount"): string {
  return `data-min="${min}" data-low="${label} must be at least ${min}" data-max="999999999" data-high="${label} must be at most 999,999,999"`;
}
const PRICED =
  'data-pence="999999999" data-low="Price must be 0 or more" data-high="Price must be at most £9,999,999.99"';

const ADDITION = `<form><div data-addition>
  <label>Item name <input name="name"></label><label>Amount <input name="amount" ${amountFrom(0)}></label>
  <label>Unit price <input name="unit_price" ${PRICED}></label><label>Category <input name="category"></label>
  <b data-new="amount"></b><span>→ <b data-new="category" data-old="Tin"></b></span><b data-new="price" data-old="£1.26" data-old-pence="126"></b>
  <span data-total></span><span data-badge data-ready="Ready to add" data-missing="Enter name and amount"></span></div><button data-ready>Save</button></form>`;

const ACTION = `<form><fieldset data-amount="79">
  <label><input type="radio" name="action" value="delivery"> Delivery</label>
  <label><input type="radio" name="action" value="withdrawal" checked> Withdrawal</label>
  <label><input type="radio" name="action" value="transfer"> Transfer</label></fieldset>
  <div data-only="transfer"><label>Destination site <select name="destination"></select></label></div>
  <label>Quantity <input name="quantity" value="1" ${amountFrom(1, "Quantity")} data-select></label>
  <span data-after></span><label>Team <input name="team"></label><button class="primary">Save</button></form>`;

test("an addition is previewed and can be saved once it has a name and an amount", async () => {
  show(ADDITION.replace('data-old-pence="126"', ""));
  expect(getByText(page, "Enter name and amount")).toBeVisible();
  expect(getByRole(page, "button", { name: "Save" })).toBeDisabled();
  await userEvent.type(getByLabelText(page, "Item name"), "Ladder");
  await userEvent.type(getByLabelText(page, "Amount"), "12");
  await userEvent.type(getByLabelText(page, "Unit price"), "2.1");
  expect(getByText(page, "12 × £2.10 = £25.20")).toBeVisible();
  expect(getByText(page, "Ready to add")).toHaveClass("ok");
  expect(getByRole(page, "button", { name: "Save" })).toBeEnabled();
});

test("an addition whose name exists says what it changes, and offers to deliver instead", async () => {
  show(
    ADDITION.replace("data-addition", 'data-addition data-submit="Save"')
      .replace("<b data-new", '<p id="namesake"></p><b data-new')
      .replace(
        "data-badge",
        'data-badge data-changes="Changes {0} to {1}" data-stays="Amount stays {0}"',
      )
      .replace(
        "</form>",
        '<button data-deliver="Deliver {0} instead: {1}" hidden></button></form>',
      ),
  );
  const deliver = page.querySelector("[data-deliver]");
  await userEvent.type(getByLabelText(page, "Item name"), "Ladder");
  await userEvent.type(getByLabelText(page, "Amount"), "5");
  expect(getByText(page, "Ready to add")).toHaveClass("ok");
  expect(deliver).not.toBeVisible();
  const namesake = page.querySelector("#namesake") as HTMLElement;
  namesake.innerHTML = '<span data-existing="1096" data-submit="Update"></span>';
  previewAll(document);
  expect(getByText(page, "Changes 1,096 to 5")).toHaveClass("warn");
  expect(getByText(page, "Changes 1,096 to 5")).not.toHaveClass("ok");
  expect(getByRole(page, "button", { name: "Update" })).toBeEnabled();
  expect(getByRole(page, "button", { name: "Deliver 5 instead: 1,101" })).toBeVisible();
  await userEvent.clear(getByLabelText(page, "Amount"));
  expect(getByText(page, "Enter name and amount")).not.toHaveClass("warn");
  expect(getByRole(page, "button", { name: "Update" })).toBeDisabled();
  expect(deliver).not.toBeVisible();
  await userEvent.type(getByLabelText(page, "Amount"), "1096");
  expect(getByText(page, "Amount stays 1,096")).toHaveClass("warn");
  namesake.replaceChildren();
  previewAll(document);
  expect(getByText(page, "Ready to add")).toHaveClass("ok");
  expect(getByRole(page, "button", { name: "Save" })).toBeEnabled();
});

const ORDER = `<form><div data-addition data-name="item" data-price="unit_cost">
  <div class="field"><label>Item <input name="item" data-limit="20" data-high="Item must be at most 20 characters"></label></div>
  <label>Amount <input name="amount" value="1" ${amountFrom(1)}></label>
  <label>Unit cost <input name="unit_cost" value="0.00" ${PRICED}></label>
  <label>Ordered date <input name="ordered_on" type="date" value="2026-11-20" min="2000-01-01" max="2027-11-23"></label>
  <label>Expected date <input name="expected_on" type="date" max="2027-11-23" data-high="Date can't be after 23 Nov 2027."
    data-not-before="ordered_on" data-before="Expected date can't be before the ordered date."></label>
  <span data-total></span><span data-badge data-ready="Ready" data-missing="Enter item and amount"></span></div>
  <button data-ready="item amount">Schedule</button></form>`;

test("an order's fields are previewed, with its own badge text", async () => {
  show(ORDER);
  expect(getByText(page, "Enter item and amount")).toBeVisible();
  expect(getByRole(page, "button", { name: "Schedule" })).toBeDisabled();
  await userEvent.type(getByLabelText(page, "Item"), "Ladder");
  await userEvent.clear(getByLabelText(page, "Unit cost"));
  await userEvent.type(getByLabelText(page, "Unit cost"), "2.5");
  expect(getByText(page, "1 × £2.50 = £2.50")).toBeVisible();
  expect(getByText(page, "Ready")).toHaveClass("ok");
  expect(getByRole(page, "button", { name: "Schedule" })).toBeEnabled();
});

test("beyond a limit of the server nothing is ready, what was typed stays and the limit is named", async () => {
  show(ORDER);
  const badge = page.querySelector("[data-badge]");
  await userEvent.type(getByLabelText(page, "Item"), "Ladder");
  const wrong: [string, string, string, string][] = [
    ["Amount", "1", "-3", "Amount must be at least 1"],
    ["Amount", "1", "0", "Amount must be at least 1"],
    ["Amount", "1", "1e99", '"1e99" is not a whole number'],
    ["Amount", "1", "9".repeat(20), "Amount must be at most 999,999,999"],
    ["Amount", "1", "9".repeat(400), "Amount must be at most 999,999,999"],
    ["Unit cost", "0.00", "-1.50", "Price must be 0 or more"],
    ["Unit cost", "0.00", "10000000", "Price must be at most £9,999,999.99"],
    ["Item", "Ladder", "A ladder of three parts", "Item must be at most 20 characters"],
    ["Expected date", "", "2026-11-19", "Expected date can't be before the ordered date."],
    ["Expected date", "", "2027-11-24", "Date can't be after 23 Nov 2027."],
  ];
  for (const [label, right, typed, problem] of wrong) {
    const input = getByLabelText(page, label);
    fireEvent.input(input, { target: { value: typed } });
    fireEvent.focusOut(input);
    expect(input).toHaveValue(typed);
    expect(page.querySelector("[data-total]")).toHaveTextContent(problem);
    expect(badge).toBeEmptyDOMElement();
    fireEvent.input(input, { target: { value: right } });
    expect(badge).toHaveTextContent("Ready");
  }
});

test("beside an error of the server nothing is ready", () => {
  show(
    ORDER.replace('class="field"', 'class="field wrong"').replace(
      'name="item"',
      'name="item" value="Tea"',
    ),
  );
  expect(page.querySelector("[data-badge]")).toBeEmptyDOMElement();
});

test("a wrong price is named, and nothing is ready beside it", async () => {
  show(ADDITION);
  await userEvent.type(getByLabelText(page, "Item name"), "Ladder");
  await userEvent.type(getByLabelText(page, "Amount"), "12");
  await userEvent.type(getByLabelText(page, "Unit price"), "cheap");
  expect(getByText(page, '"cheap" is not a price in pounds')).toBeVisible();
  const badge = page.querySelector("[data-badge]");
  expect(badge).toBeEmptyDOMElement();
  expect(badge).not.toHaveClass("ok");
  await userEvent.clear(getByLabelText(page, "Unit price"));
  expect(getByText(page, "Ready to add")).toHaveClass("ok");
});

test("an asset's fields are previewed, and its form can always be sent", async () => {
  show(`<form><div data-addition data-name="item" data-quantity="quantity" data-price="purchase_price">
    <label>Item <input name="item"></label><label>Quantity <input name="quantity" value="1"></label>
    <label>Purchase price <input name="purchase_price" value="0.00"></label><span data-total></span></div>
    <button>Save</button></form>`);
  await userEvent.type(getByLabelText(page, "Quantity"), "2");
  await userEvent.clear(getByLabelText(page, "Purchase price"));
  await userEvent.type(getByLabelText(page, "Purchase price"), "9.5");
  expect(getByText(page, "12 × £9.50 = £114.00")).toBeVisible();
  expect(getByRole(page, "button", { name: "Save" })).toBeEnabled();
});

test.each(["0", "", "x", "1.5"])("an amount of '%s' is not ready", async (amount) => {
  show(ADDITION);
  await userEvent.type(getByLabelText(page, "Item name"), "Ladder");
  if (amount) await userEvent.type(getByLabelText(page, "Amount"), amount);
  expect(getByRole(page, "button", { name: "Save" })).toBeDisabled();
});

test("an update previews each value, and empty fields keep theirs", async () => {
  show(ADDITION);
  const visible = () => [...page.querySelectorAll("[data-new]")].map((b) => b.textContent);
  expect(visible()).toEqual(["…", "Tin", "£1.26"]);
  expect(getByText(page, "Tin")).not.toBeVisible();
  await userEvent.type(getByLabelText(page, "Amount"), "9");
  expect(getByText(page, "9 × £1.26 = £11.34")).toBeVisible();
  await userEvent.type(getByLabelText(page, "Category"), "Box");
  await userEvent.type(getByLabelText(page, "Unit price"), "2");
  expect(visible()).toEqual(["9", "Box", "£2.00"]);
  expect(getByText(page, "Box")).toBeVisible();
});

test("the button names the action, and the remaining stock is shown", async () => {
  show(ACTION);
  expect(getByRole(page, "button", { name: "Withdraw" })).toBeEnabled();
  expect(getByText(page, "79 → 78")).toBeVisible();
  await userEvent.click(getByLabelText(page, "Delivery"));
  expect(getByRole(page, "button", { name: "Deliver" })).toBeEnabled();
  expect(getByText(page, "79 → 80")).toBeVisible();
});

test("only a transfer has a destination field", async () => {
  show(ACTION);
  expect(getByLabelText(page, "Destination site")).not.toBeVisible();
  await userEvent.click(getByLabelText(page, "Transfer"));
  expect(getByLabelText(page, "Destination site")).toBeVisible();
  expect(getByRole(page, "button", { name: "Transfer" })).toBeEnabled();
  expect(getByText(page, "79 → 78")).toBeVisible();
});

test("more than is in stock is reported before it is sent", async () => {
  show(ACTION);
  await userEvent.type(getByLabelText(page, "Quantity"), "80");
  expect(getByText(page, "Only 79 in stock")).toHaveClass("bad");
});

test("a quantity below 1 stays as typed, with what is wrong with it; an empty one becomes 1", async () => {
  show(ACTION);
  const quantity = getByLabelText(page, "Quantity");
  await userEvent.clear(quantity);
  await userEvent.type(quantity, "-4");
  await userEvent.tab();
  expect(quantity).toHaveValue("-4");
  expect(getByText(page, "Quantity must be at least 1")).toHaveClass("bad");
  await userEvent.clear(quantity);
  quantity.focus();
  await userEvent.tab();
  expect(quantity).toHaveValue("1");
  expect(getByText(page, "79 → 78")).not.toHaveClass("bad");
});

test("an empty number that may stay empty does", async () => {
  show(`<form><label>Months <input name="every_months" ${amountFrom(1, "Months")}></label></form>`);
  const months = getByLabelText(page, "Months");
  months.focus();
  await userEvent.tab();
  expect(months).toHaveValue("");
});

const TEAMS = `<form><label><input type="radio" name="recent_team" value="Kitchen" checked> Kitchen</label>
  <label><input type="radio" name="recent_team" value="Shop"> Shop</label>
  <label>Another team <input name="team"></label></form>`;

test("entering another team takes back the recent one, and choosing one takes back the entered", async () => {
  show(TEAMS);
  const [kitchen, shop] = [getByLabelText(page, "Kitchen"), getByLabelText(page, "Shop")];
  const other = getByLabelText(page, "Another team");
  await userEvent.type(other, "Bar");
  expect(kitchen).not.toBeChecked();
  await userEvent.click(shop);
  expect(shop).toBeChecked();
  expect(other).toHaveValue("");
});

test("the teams of deliveries and withdrawals are hidden for a transfer", async () => {
  show(
    ACTION.replace(
      "<label>Quantity",
      '<p data-only="delivery withdrawal">Recent</p><label>Quantity',
    ),
  );
  expect(getByText(page, "Recent")).toBeVisible();
  await userEvent.click(getByLabelText(page, "Transfer"));
  expect(getByText(page, "Recent")).not.toBeVisible();
  await userEvent.click(getByLabelText(page, "Delivery"));
  expect(getByText(page, "Recent")).toBeVisible();
});

test("a value that isn't among the offers gets a hint, until it is one in any case", async () => {
  show(`<form><div class="field"><label>Destination <input list="places"></label>
    <datalist id="places"><option value="Head Office"></option></datalist>
    <p role="status" data-unlisted="New location: check the spelling."></p></div></form>`);
  const destination = getByLabelText(page, "Destination");
  await userEvent.type(destination, "Head Ofice");
  expect(getByRole(page, "status")).toHaveTextContent("New location: check the spelling.");
  await userEvent.clear(destination);
  await userEvent.type(destination, "head  office");
  expect(getByRole(page, "status")).toBeEmptyDOMElement();
});

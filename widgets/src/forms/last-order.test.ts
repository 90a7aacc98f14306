import { expect, test } from "vitest";
import { proposeLastOrder } from "./last-order";

const ORDER = `<div data-proposes><input name="item"><input name="unit_cost" value="0.00">
  <input name="supplier"><select name="office"><option value="main">Main</option></select>
  <div id="in-stock"></div></div>`;

function show(): (last: string) => string[] {
  document.body.innerHTML = ORDER;
  const part = document.querySelector("[data-proposes]") as HTMLElement;
  return (last) => {
    (part.querySelector("#in-stock") as HTMLElement).innerHTML = last;
    proposeLastOrder(part);
    return ["supplier", "unit_cost", "office"].map((name) => field(name).value);
  };
}

function field(name: string): HTMLInputElement {
  return document.querySelector(`[name=${name}]`) as HTMLInputElement;
}

function last(supplier: string, cost: string): string {
  return `<p data-last-order data-supplier="${supplier}" data-unit_cost="${cost}" data-office="main"></p>`;
}

test("the last order of an item is proposed, and taken back with another item", () => {
  const propose = show();
  expect(propose(last("Albion", "2.20"))).toEqual(["Albion", "2.20", "main"]);
  expect(propose(last("Keystone", "17.90"))).toEqual(["Keystone", "17.90", "main"]);
  expect(propose("")).toEqual(["", "0.00", "main"]);
});

test("what somebody has typed stays", () => {
  const propose = show();
  field("supplier").value = "Anyone";
  expect(propose(last("Albion", "2.20"))).toEqual(["Anyone", "2.20", "main"]);
  field("unit_cost").value = "2.50";
  expect(propose(last("Keystone", "17.90"))).toEqual(["Anyone", "2.50", "main"]);
});

import { beforeEach, expect, test } from "vitest";
import { fillNewIds } from "./new-ids";

const values = () => [...document.querySelectorAll("input")].map((field) => field.value);

beforeEach(() => {
  document.body.innerHTML = `<input name="item"><input data-new-id><input data-new-id value="AT-7">`;
});

test("a new record gets an id before it is sent, unless a tag was typed", () => {
  fillNewIds(document);
  const [item, made, own] = values();
  expect(item).toBe("");
  expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(own).toBe("AT-7");
});

test("a generated id is kept when the form is rendered again", () => {
  fillNewIds(document);
  const before = values();
  fillNewIds(document);
  expect(values()).toEqual(before);
});

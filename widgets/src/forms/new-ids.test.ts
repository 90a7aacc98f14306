import { beforeEach, expect, test } from "vitest";
import { fillNewIds } from "./new-ids";

const values = () => [...document.querySelectorAll("input")].map((field) => field.value);

beforeEach(() => {
  document.body.innerHTML = `<input name="item"><input data-new-id><input data-new-id value="AT-7">`;
});

test("a new thing has an id before it is sent, and one's own tag stays", () => {
  fillNewIds(document);
  const [item, made, own] = values();
  expect(item).toBe("");
  expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(own).toBe("AT-7");
});

test("an id that was made stays when the form comes back", () => {
  fillNewIds(document);
  const before = values();
  fillNewIds(document);
  expect(values()).toEqual(before);
});

import { beforeEach, expect, test } from "vitest";
import { organisation, storeOrganisation } from "./org";

beforeEach(() => localStorage.clear());

test("the organisation is '' by default, stored under the key org", () => {
  expect(organisation()).toBe("");
  storeOrganisation();
  expect(localStorage.getItem("org")).toBe("");
});

test("an organisation that is set is not replaced", () => {
  localStorage.setItem("org", "acme");
  storeOrganisation();
  expect(organisation()).toBe("acme");
});

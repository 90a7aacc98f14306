import { beforeEach, expect, test } from "vitest";
import { organisation, storeOrganisation } from "./org";

beforeEach(() => localStorage.clear());

test("the organisation is '' by default and stands under the key org", () => {
  expect(organisation()).toBe("");
  storeOrganisation();
  expect(localStorage.getItem("org")).toBe("");
});

test("an organisation that is set stays", () => {
  localStorage.setItem("org", "acme");
  storeOrganisation();
  expect(organisation()).toBe("acme");
});

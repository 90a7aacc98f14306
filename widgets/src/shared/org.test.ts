import { beforeEach, expect, test } from "vitest";
import { keepOrganisation, organisation } from "./org";

beforeEach(() => localStorage.clear());

test("the organisation is '' by default and stands under the key org", () => {
  expect(organisation()).toBe("");
  keepOrganisation();
  expect(localStorage.getItem("org")).toBe("");
});

test("an organisation that is set stays", () => {
  localStorage.setItem("org", "acme");
  keepOrganisation();
  expect(organisation()).toBe("acme");
});

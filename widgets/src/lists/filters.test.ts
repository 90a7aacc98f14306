/** The search of a list that has come back with its filters. */
import { expect, test, vi } from "vitest";
import { watchFilters } from "./filters";

vi.mock("htmx.org", () => ({ default: {} }));

test("the next search replaces the one that the list came back with", async () => {
  document.body.innerHTML = '<input id="q" value="red">';
  watchFilters();
  const search = document.querySelector("input") as HTMLInputElement;
  search.focus();
  await vi.waitFor(() => expect(search.selectionStart).toBe(0));
  expect(search.selectionEnd).toBe(3);
});

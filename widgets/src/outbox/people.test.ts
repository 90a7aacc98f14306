/** Whose entries are made here. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDatabase } from "./database";
import { usernameOf } from "./people";
import { emptyDatabase } from "./testing";

beforeEach(async () => {
  await emptyDatabase();
  document.body.innerHTML = '<span class="who">n.kaur</span>';
});
afterEach(() => void vi.restoreAllMocks());

const LEE = { user: 3, username: "k.lee", divisions: [], chosen: "", clockOffset: 0 };

test("an entry has the name of its person on this device, else the one on the page", async () => {
  await (await openDatabase()).put("device", LEE, "person");
  expect(await usernameOf(3)).toBe("k.lee");
  expect(await usernameOf(4)).toBe("n.kaur");
});

test("a browser without a database has the name on the page", async () => {
  const database = await openDatabase();
  vi.spyOn(database, "getAll").mockRejectedValue(new DOMException("", "UnknownError"));
  expect(await usernameOf(3)).toBe("n.kaur");
});

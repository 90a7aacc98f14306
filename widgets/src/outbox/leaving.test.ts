// @vitest-environment node
import { beforeEach, expect, test } from "vitest";
import * as drafts from "../shared/drafts";
import { CHECK, COUNT, COUNT_LIST } from "../shared/drafts";
import { check } from "./check";
import { count } from "./count";
import type { Entry } from "./entry";
import * as store from "./store";
import { emptyDatabase, entryOf } from "./testing";

const COUNTED = entryOf("a", {
  kind: "count",
  content: { site: "main", items: [], parts: [["line:1", { counted: "5" }]] },
});
const CHECKED = entryOf("b", { kind: "check", content: { answers: {}, earlier: [] } });
const ownerOf = ({ user, division }: Entry, kind: string, site: string) => ({
  user,
  division,
  site,
  kind,
});

beforeEach(emptyDatabase);

test.each([
  ["count", count, COUNTED, ownerOf(COUNTED, COUNT, "main")],
  ["check", check, CHECKED, ownerOf(CHECKED, CHECK, "")],
])("the end of an edit of a %s discards its draft, and no other", async (_, kind, entry, owner) => {
  await store.put(entry, []);
  await kind.edit(entry);
  await kind.leave?.({ ...entry, id: "other" });
  expect(await drafts.load(owner)).not.toBeNull();
  await kind.leave?.(entry);
  expect(await drafts.load(owner)).toBeNull();
  expect(await drafts.load({ ...owner, kind: COUNT_LIST })).toBeNull();
});

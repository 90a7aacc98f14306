import { findByText, getByRole } from "@testing-library/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as drafts from "../shared/drafts";
import { COUNT } from "../shared/drafts";
import { offerSaved } from "./resume";

const OWNER = { user: 7, division: "gfm", site: "main", kind: COUNT };
const SAVED = /^A stock check started at/;
let place: HTMLElement;

beforeEach(() => {
  document.body.innerHTML = `<div data-user="7" data-division="gfm" data-site="main"
    data-resume="/inventory/main/count" hidden></div>`;
  place = document.querySelector("div") as HTMLElement;
});

afterEach(() => vi.restoreAllMocks());

test("a browser without drafts is searched for none, and gets no database for them", async () => {
  await offerSaved(place);
  expect(place).not.toBeVisible();
  expect(await indexedDB.databases()).toEqual([]);
});

test("a saved stock check is offered", async () => {
  await drafts.put(OWNER, "begun", true);
  await offerSaved(place);
  expect(await findByText(place, SAVED)).toBeVisible();
  expect(getByRole(place, "link", { name: "Resume" })).toBeVisible();
});

test("it is offered too where a browser doesn't tell which databases it has", async () => {
  await drafts.put(OWNER, "begun", true);
  vi.spyOn(indexedDB, "databases").mockRejectedValue(new Error("Not supported"));
  await offerSaved(place);
  expect(await findByText(place, SAVED)).toBeVisible();
});

import { findByRole, getByRole, getByText, waitFor } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import * as drafts from "./drafts";
import { COUNT } from "./drafts";
import { offerSavedCount } from "./saved-count";

const OWNER = { user: 7, division: "gfm", site: "main", kind: COUNT };
let place: HTMLElement;

beforeEach(async () => {
  await drafts.discard(OWNER);
  document.body.innerHTML = `<main id="main"><h1 tabindex="-1">Inventory</h1></main>
    <div id="kept-count" data-user="7" data-division="gfm" data-site="main" data-resume="/inventory/main/count" hidden></div>`;
  place = document.querySelector("#kept-count") as HTMLElement;
});

test("nothing is offered without a saved count, or with another person's", async () => {
  await drafts.put({ ...OWNER, user: 8 }, "begun", true);
  await offerSavedCount(place);
  expect(place).not.toBeVisible();
});

test("a saved count can be resumed", async () => {
  await drafts.put(OWNER, "begun", true);
  await offerSavedCount(place);
  expect(
    getByText(place, /^A stock check started at \d\d:\d\d is saved in this browser\.$/),
  ).toBeVisible();
  expect(getByRole(place, "link", { name: "Resume" })).toHaveAttribute(
    "href",
    "/inventory/main/count",
  );
});

test("a saved count is discarded only after confirmation", async () => {
  await drafts.put(OWNER, "begun", true);
  await offerSavedCount(place);
  const discard = getByRole(place, "button", { name: "Discard" });
  await userEvent.click(discard);
  await userEvent.click(
    getByRole(await findByRole(document.body, "dialog"), "button", { name: "Cancel" }),
  );
  expect(await drafts.load(OWNER)).not.toBeNull();
  await userEvent.click(discard);
  await userEvent.click(
    getByRole(await findByRole(document.body, "dialog"), "button", { name: "Discard" }),
  );
  await waitFor(() => expect(place).not.toBeVisible());
  expect(await drafts.load(OWNER)).toBeNull();
});

/** Checks that could not be sent at once: kept, edited, and sent once. */
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { entriesOf, sendNow } from "../outbox";
import type { CheckContent } from "../outbox/check";
import type { Entry } from "../outbox/entry";
import { kindOf } from "../outbox/kinds";
import { sendDue } from "../outbox/sender";
import { photosOf } from "../outbox/store";
import { emptyDatabase } from "../outbox/testing";
import * as drafts from "../shared/drafts";
import type { Answer } from "../shared/testing";
import { CheckPage } from "./CheckPage";
import {
  button,
  control,
  type FakeServer,
  fill,
  findSuccess,
  open,
  PROPS,
  photoRows,
  pick,
  picture,
  problems,
  saved,
  startNext,
  startServer,
  stopServer,
  submit,
  type,
} from "./testing";

const KEPT = "Kept on this phone. It counts once it is sent.";

let server: FakeServer;

beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

const REUSED: Answer = {
  status: 422,
  body: { error: "Something else was sent under this key.", code: "key_reused" },
};
const bodies = () => server.posts().map(({ body }) => body);
const keys = () => new Set(server.posts().map(({ key }) => key));
const findKept = (): Promise<HTMLElement> => screen.findByText(KEPT);

/** Returns the check that is kept. */
async function keptCheck(): Promise<Entry> {
  const [kept] = await entriesOf(7);
  if (!kept) throw new Error("nothing is kept");
  return kept;
}

/** Opens the form again on the check that is kept. */
async function edit(): Promise<void> {
  const kept = await keptCheck();
  expect(await kindOf(kept)?.edit(kept)).toBe(kept.page);
  await open(server);
}

/** Fills in a check and submits it; its reply is lost. */
async function lose(): Promise<() => void> {
  server.answers.push("no connection");
  const close = await open(server);
  await fill();
  await submit();
  await findKept();
  return close;
}

test("without a reply the check is kept, and the form is ready for the next one", async () => {
  await lose();
  expect(screen.getByRole("link", { name: "1 not sent yet" })).toHaveAttribute("href", "/outbox");
  expect(screen.queryByText("Vehicle check submitted.")).toBeNull();
  const link = screen.getByRole("link", { name: "Checks list" });
  expect(link).toHaveAttribute("href", "/fleetChecksList");
  expect(await screen.findByText("LK19 VTE")).toBeVisible();
  const [kept] = await entriesOf(7);
  expect(kept).toMatchObject({
    kind: "check",
    subject: "check:lk19vte",
    title: "Check of LK19 VTE",
    detail: "Standard Vehicle Check",
    state: "waiting",
  });
  await sendNow(kept?.id);
  const [first, again] = bodies();
  expect(again).toEqual(first);
  expect([server.posts().length, keys().size]).toEqual([2, 1]);
  expect(await screen.findByText(/^Sent 12:00\.$/)).toBeVisible();
  await startNext();
  expect([control("Name").value, control("Number plate").value]).toEqual(["Jo Marsh", ""]);
});

test("a check without a connection is kept with its photos, which are sent first once there is one", async () => {
  server.isCut = true;
  await open(server);
  await fill();
  await pick(picture("rear.jpg"), picture("strap.jpg"));
  await submit();
  await findKept();
  expect(photoRows()).toEqual([]);
  const [kept] = await entriesOf(7);
  expect(kept?.title).toBe("Check of LK19 VTE, 2 photos");
  server.isCut = false;
  server.sends.length = 0;
  await sendNow(kept?.id);
  expect(await entriesOf(7)).toEqual([]);
  expect(server.sends).toEqual(["hash of small rear.jpg", "hash of small strap.jpg"]);
  expect(bodies()).toMatchObject([{ photos: [{ name: "rear.jpg" }, { name: "strap.jpg" }] }]);
});

test("a kept check can be edited, with its photos, and is sent once", async () => {
  server.isCut = true;
  const close = await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await submit();
  await findKept();
  close();
  server.isCut = false;
  await edit();
  expect(control("Mileage")).toHaveValue("48,300");
  await waitFor(() => expect(photoRows()).toEqual(["rear.jpgSent · 1 KB"]));
  await sendDue();
  expect(bodies()).toEqual([]);
  await type("Notes", "And a dent");
  await submit();
  await findSuccess();
  expect(bodies()).toMatchObject([{ notes: "And a dent", photos: [{ name: "rear.jpg" }] }]);
  expect(await entriesOf(7)).toEqual([]);
});

test("an edit that is discarded leaves the check as it was submitted", async () => {
  const close = await lose();
  close();
  await edit();
  await type("Notes", "And a dent");
  await userEvent.click(button("Discard"));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent("The check as you submitted it stays");
  await userEvent.click(within(dialog).getByRole("button", { name: "Discard" }));
  await waitFor(() => expect(control("Mileage")).toHaveValue(""));
  await waitFor(async () => expect((await entriesOf(7))[0]?.state).toBe("waiting"));
  await sendDue();
  const [first, again] = bodies();
  expect(again).toEqual(first);
});

test("a kept check isn't opened over another one that is filled in", async () => {
  const close = await lose();
  await startNext();
  await type("Mileage", "7");
  await saved();
  close();
  const kept = await keptCheck();
  await expect(kindOf(kept)?.edit(kept)).rejects.toThrow("Another check is in the form.");
});

test("changes after a lost reply are sent under the same key, and accepted if the first never arrived", async () => {
  const close = await lose();
  close();
  await edit();
  await type("Notes", "And a dent");
  await submit();
  await findSuccess();
  expect(bodies()[1]).toMatchObject({ notes: "And a dent" });
  expect(keys().size).toBe(1);
  expect(screen.queryByText(/first version was submitted/)).toBeNull();
});

test("if the first did arrive, the form says which later changes are not in it", async () => {
  const close = await lose();
  close();
  await edit();
  await type("Notes", "And a dent");
  await type("Repair/Expense (£)", "5");
  server.answers.push(REUSED, {
    status: 201,
    body: { id: 1, warnings: ["Lower than the last reading, 48,210."] },
  });
  await submit();
  await findSuccess();
  expect(screen.getByText("Lower than the last reading, 48,210.")).toBeVisible();
  expect(
    screen.getByText(
      'Your first version was submitted. These later changes are not in it: Notes "And a dent", Repair/Expense (£) "5.00".',
    ),
  ).toBeVisible();
  const [first, changed, again] = bodies();
  expect(again).toEqual(first);
  expect(changed).not.toEqual(first);
  expect(keys().size).toBe(1);
  expect(await entriesOf(7)).toEqual([]);
});

test("changes aren't forgotten when the line is lost while the first version is looked for", async () => {
  const close = await lose();
  close();
  await edit();
  await type("Notes", "And a dent");
  server.answers.push(REUSED, "no connection");
  await submit();
  await findKept();
  expect((await entriesOf(7))[0]?.request.json).toMatchObject({ notes: "And a dent" });
});

test("a draft of an earlier release with requests without a reply is an edit of a kept check", async () => {
  const close = await lose();
  close();
  const kept = await keptCheck();
  const body = kept.request.json;
  await emptyDatabase();
  const owner = { user: 7, division: "fleet", site: "", kind: "check" };
  const { answers } = kept.content as CheckContent;
  await drafts.putMany(owner, [
    ["form", { ...answers, key: kept.id }],
    ["unanswered", [{ key: kept.id, body }]],
  ]);
  await open(server);
  await type("Notes", "And a dent");
  await saved();
  await sendDue();
  expect(bodies()).toHaveLength(1);
  server.answers.push(REUSED);
  await submit();
  await findSuccess();
  expect(screen.getByText(/first version was submitted/)).toHaveTextContent('"And a dent"');
  expect([bodies()[2], keys().size]).toEqual([body, 1]);
  expect(await entriesOf(7)).toEqual([]);
});

test("a check that another tab sent with other content is reported as already sent", async () => {
  const close = await open(server);
  await fill();
  await saved();
  close();
  await open(server);
  server.answers.push(REUSED);
  await submit();
  await waitFor(() =>
    expect(problems()).toEqual([
      "This check was already sent. See the checks list. To start another check, choose Reset.",
    ]),
  );
});

test("two tabs with the same draft send it under one key, and neither removes the other's next draft", async () => {
  const close = await open(server);
  await fill();
  await saved();
  close();
  const first = render(<CheckPage props={PROPS} tools={server.tools} />);
  await screen.findByText(/^Draft started at/);
  const second = within(first.container);
  const other = render(<CheckPage props={PROPS} tools={server.tools} />);
  await waitFor(() => expect(screen.getAllByText(/^Draft started at/)).toHaveLength(2));
  await userEvent.click(second.getByRole("button", { name: "Submit Check" }));
  await second.findByText("Vehicle check submitted.");
  await userEvent.click(second.getByRole("button", { name: "New check" }));
  await userEvent.type(second.getByLabelText(/^Mileage/), "7");
  await saved();
  await userEvent.click(within(other.container).getByRole("button", { name: "Submit Check" }));
  await within(other.container).findByText("Vehicle check submitted.");
  expect([server.posts().length, keys().size]).toEqual([2, 1]);
  other.unmount();
  first.unmount();
  await open(server);
  expect(control("Mileage")).toHaveValue("7");
});

test("a refused check can be corrected and sent under the same key", async () => {
  const close = await lose();
  close();
  await edit();
  await type("Notes", "And a dent");
  server.answers.push({ status: 422, body: { error: "No", fields: { odometer: "No" } } });
  await submit();
  await waitFor(() => expect(problems()).toEqual(["No"]));
  await type("Mileage", "48400");
  await submit();
  await findSuccess();
  expect(bodies()[2]).toMatchObject({ odometer: 48400 });
  expect(keys().size).toBe(1);
});

test("a check whose edit is refused stays as it was submitted, until its new version is sent", async () => {
  server.isCut = true;
  const close = await open(server);
  await fill();
  await pick(picture("rear.jpg"));
  await submit();
  await findKept();
  close();
  const { madeAt, order, request } = await keptCheck();
  server.isCut = false;
  vi.setSystemTime("2026-11-22T12:00:00Z");
  await edit();
  await waitFor(() => expect(photoRows()).toHaveLength(1));
  await userEvent.click(button("Remove rear.jpg"));
  await type("Notes", "And a dent");
  server.answers.push({ status: 422, body: { error: "No", fields: { odometer: "No" } } });
  await submit();
  await waitFor(() => expect(problems()).toEqual(["No"]));
  expect(await keptCheck()).toMatchObject({ madeAt, order, request });
  expect((await photosOf((await keptCheck()).id)).map(({ name }) => name)).toEqual(["rear.jpg"]);
  await sendDue();
  expect(bodies()).toHaveLength(1);
  await userEvent.click(button("Reset"));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent("The check as you submitted it stays");
  await userEvent.click(within(dialog).getByRole("button", { name: "Reset" }));
  await waitFor(async () => expect((await keptCheck()).state).toBe("waiting"));
  await sendDue();
  expect(bodies()[1]).toEqual(request.json);
});

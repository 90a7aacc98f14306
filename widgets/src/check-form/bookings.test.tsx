/** A check that hands a booked vehicle over, or brings it back. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CheckFormReference } from "../offline/references";
import { entriesOf } from "../outbox";
import { kindOf } from "../outbox/kinds";
import { isEntryOf } from "../outbox/saved-entry";
import { sendDue } from "../outbox/sender";
import { put } from "../outbox/store";
import { entryOf } from "../outbox/testing";
import type { Booking, Briefing } from "./briefings";
import type { Props } from "./props";
import {
  answer,
  button,
  control,
  type FakeServer,
  fill,
  findSuccess,
  group,
  open,
  PROPS,
  saved,
  startNext,
  startServer,
  stopServer,
  submit,
  type,
  VEHICLES,
  WITH_BRAKES,
} from "./testing";

const MORNING: Booking = {
  number: "B-0031",
  step: "out",
  for: "k.lee",
  from: "2026-11-21T09:00:00+00:00",
  to: "2026-11-21T17:00:00+00:00",
};
const briefingWith = (...bookings: Booking[]): Briefing => ({
  miles: null,
  day: null,
  notices: [],
  offRoad: "",
  offRoadSince: null,
  defects: [],
  bookings,
});
const OUT = { number: "B-0031", step: "out" } as const;
const KEPT = "Kept on this phone. It counts once it is sent.";

let server: FakeServer;
beforeEach(async () => {
  server = await startServer();
  server.briefings = { lk19vte: briefingWith(MORNING) };
});
afterEach(stopServer);

const questions = () =>
  screen.queryAllByRole("radiogroup").map((each) => within(each).getByText(/^Is this/).textContent);
const sentBookings = () =>
  server.posts().map(({ body }) => (body as { booking?: unknown }).booking);
const isChosen = (name: string) =>
  within(group(/B-0031/)).getByRole<HTMLInputElement>("radio", { name }).checked;
const reference = (...bookings: Booking[]): NonNullable<Props["reference"]> => ({
  fetchedAt: 0,
  value: {
    viewOnly: "",
    props: PROPS,
    vehicles: VEHICLES as CheckFormReference["vehicles"],
    briefings: { lk19vte: briefingWith(...bookings) },
  },
});

test("a booking of the vehicle is offered, and its handover sent once it is chosen", async () => {
  await open(server);
  expect(questions()).toEqual([]);
  await fill();
  expect(questions()).toEqual(["Is this the handover of B-0031, k.lee 9:00 to 17:00?"]);
  expect(isChosen("Only a check")).toBe(true);
  expect(group(/B-0031/)).not.toBeRequired();
  await answer(/B-0031/, "Handover");
  server.answers.push({
    status: 201,
    body: { warnings: [], messages: ["LK19 VTE is handed over to k.lee until 17:00 (B-0031)."] },
  });
  await submit();
  await screen.findByText("LK19 VTE is handed over to k.lee until 17:00 (B-0031).");
  expect(sentBookings()).toEqual([OUT]);
});

test("without an answer, or with another vehicle, it is only a check", async () => {
  await open(server);
  await fill();
  await submit();
  await findSuccess();
  await startNext();
  await fill();
  await answer(/B-0031/, "Handover");
  await type("Number plate", "YD21 HMO");
  expect(questions()).toEqual([]);
  await submit();
  await findSuccess();
  expect(sentBookings()).toEqual([undefined, undefined]);
});

test("what is out is brought back; what is over or of tomorrow isn't offered", async () => {
  const [day, next] = ["2026-11-20", "2026-11-22"];
  const late = { ...MORNING, step: "back", from: `${day}T09:00:00Z`, to: `${day}T12:00:00Z` };
  server.briefings = {
    lk19vte: briefingWith(
      late as Booking,
      { ...MORNING, number: "B-0032", to: "2026-11-21T11:00:00Z" },
      { ...MORNING, number: "B-0033", from: `${next}T09:00:00Z`, to: `${next}T10:00:00Z` },
    ),
  };
  await open(server);
  await fill();
  expect(questions()).toEqual(["Is this the return of B-0031, k.lee 20 Nov 9:00 to 20 Nov 12:00?"]);
  await answer(/B-0031/, "Return");
  await submit();
  await findSuccess();
  expect(sentBookings()).toEqual([{ number: "B-0031", step: "back" }]);
});

test("the booking of the address stays with whatever vehicle is chosen", async () => {
  await open(server, { booking: OUT, vehicle: "LK19 VTE" });
  expect(screen.getByText("Handover of B-0031")).toBeVisible();
  expect(questions()).toEqual([]);
  await fill();
  await type("Number plate", "YD21 HMO");
  await submit();
  await findSuccess();
  await startNext();
  expect(screen.queryByText("Handover of B-0031")).toBeNull();
  await fill();
  await submit();
  await findSuccess();
  expect(sentBookings()).toEqual([OUT, undefined]);
});

test("the booking of the address can be dropped, and comes back with a reset", async () => {
  await open(server, { booking: OUT, vehicle: "LK19 VTE" });
  await userEvent.click(button("Only a check"));
  expect(screen.queryByText("Handover of B-0031")).toBeNull();
  expect(isChosen("Only a check")).toBe(true);
  await userEvent.click(button("Reset"));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Reset" }));
  expect(await screen.findByText("Handover of B-0031")).toBeVisible();
});

test("the draft keeps what is chosen", async () => {
  const close = await open(server);
  await fill();
  await answer(/B-0031/, "Handover");
  await saved();
  close();
  await open(server);
  await waitFor(() => expect(isChosen("Handover")).toBe(true));
});

test("a draft of another vehicle keeps its own booking until it is discarded", async () => {
  const close = await open(server);
  await fill();
  await answer(/B-0031/, "Handover");
  await saved();
  close();
  const booking = { number: "B-0040", step: "out" } as const;
  await open(server, { booking, vehicle: "YD21 HMO" });
  expect(isChosen("Handover")).toBe(true);
  expect(screen.queryByText("Handover of B-0040")).toBeNull();
  await userEvent.click(button("Discard and start YD21 HMO"));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Discard" }));
  expect(await screen.findByText("Handover of B-0040")).toBeVisible();
  expect(control("Number plate")).toHaveValue("YD21 HMO");
});

test("handover and return are kept without a connection, and sent in their order", async () => {
  await open(server, { reference: reference(MORNING) });
  server.isCut = true;
  await fill();
  await answer(/B-0031/, "Handover");
  await submit();
  await screen.findByText(KEPT);
  await startNext();
  await fill();
  await waitFor(() =>
    expect(questions()).toEqual(["Is this the return of B-0031, k.lee 9:00 to 17:00?"]),
  );
  await answer(/B-0031/, "Return");
  await submit();
  await screen.findByText(KEPT);
  const entries = await entriesOf(7);
  expect(entries.map(({ schema, detail }) => [schema, detail])).toEqual([
    [2, "Standard Vehicle Check · Handover of B-0031"],
    [2, "Standard Vehicle Check · Return of B-0031"],
  ]);
  expect(entries.every((each) => isEntryOf(7, each))).toBe(true);
  await startNext();
  await type("Number plate", "LK19 VTE");
  await waitFor(() => expect(questions()).toEqual([]));
  server.isCut = false;
  await sendDue();
  expect(sentBookings()).toEqual([OUT, { number: "B-0031", step: "back" }]);
});

test("a van of the class that was handed over instead is the one that comes back", async () => {
  server.isCut = true;
  // Checks aren't all that waits.
  await put(entryOf("m", { user: 7 }), []);
  await open(server, { reference: reference(MORNING), booking: OUT });
  await fill();
  await type("Number plate", "YD21 HMO");
  await submit();
  await screen.findByText(KEPT);
  await startNext();
  await type("Number plate", "YD21 HMO");
  await waitFor(() => expect(questions()[0]).toContain("the return of B-0031"));
  await type("Number plate", "LK19 VTE");
  expect(questions()).toEqual([]);
});

test("a vehicle that mustn't be driven isn't handed over while its check waits", async () => {
  server.isCut = true;
  await open(server, { reference: reference(MORNING), templates: WITH_BRAKES });
  await fill();
  await answer(/B-0031/, "Handover");
  await userEvent.selectOptions(control("Brakes"), "Fail");
  await submit();
  await screen.findByText(KEPT);
  await startNext();
  await type("Number plate", "LK19 VTE");
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("not sent yet"));
  expect(screen.getByText(/^Is this the handover of B-0031/)).toBeVisible();
});

test("an edit shows the handover again", async () => {
  const close = await open(server, { booking: OUT });
  server.isCut = true;
  await fill();
  await submit();
  await screen.findByText(KEPT);
  close();
  server.isCut = false;
  const [kept] = await entriesOf(7);
  if (!kept) throw new Error("nothing is kept");
  await kindOf(kept)?.edit(kept);
  // What the page was opened for isn't what is edited.
  await open(server, { booking: { number: "B-0040", step: "out" } });
  expect(screen.getByText("Handover of B-0031")).toBeVisible();
  await userEvent.click(button("Only a check"));
  await submit();
  await findSuccess();
  expect(sentBookings().at(-1)).toBeUndefined();
});

test("a check that an earlier release kept is sent, as a check alone", async () => {
  await open(server);
  server.isCut = true;
  await fill();
  await submit();
  await screen.findByText(KEPT);
  const [kept] = await entriesOf(7);
  if (!kept) throw new Error("nothing is kept");
  const earlier = { ...kept, schema: 1 };
  expect(isEntryOf(7, earlier)).toBe(true);
  await put(earlier, []);
  server.isCut = false;
  await sendDue();
  expect(await entriesOf(7)).toEqual([]);
  expect(sentBookings().at(-1)).toBeUndefined();
});

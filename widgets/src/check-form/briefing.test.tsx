import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Briefing } from "./briefings";
import {
  answer,
  bar,
  button,
  control,
  describedBy,
  type FakeServer,
  fill,
  findSuccess,
  group,
  MIRROR,
  open,
  PROPS,
  pick,
  picture,
  problems,
  saved,
  startNext,
  startServer,
  stopServer,
  submit,
  type,
  VEHICLES,
  WITH_BRAKES,
} from "./testing";

const BRIEFING: Briefing = {
  miles: 48_190,
  day: "2026-11-20",
  notices: ["MOT runs out in 6 days."],
  offRoad: "",
  offRoadSince: null,
  defects: [MIRROR, { ...MIRROR, number: "D-0139", title: "rear wiper torn", standing: "" }],
  bookings: [],
};
const NOTHING_OPEN = { ...BRIEFING, defects: [] };
const OFF_ROAD: Briefing = {
  ...NOTHING_OPEN,
  offRoad: "Off the road since 11 Nov",
  offRoadSince: "2026-11-11",
};
let server: FakeServer;
beforeEach(async () => {
  server = await startServer();
  server.briefings = { lk19vte: BRIEFING };
});
afterEach(stopServer);

const openWith = (props = {}) => open(server, { templates: WITH_BRAKES, ...props });
const questions = () => [...document.querySelectorAll(".open-defect b")];
const stop = () => document.querySelector(".form > .stop")?.textContent;
const sentDefects = () => (server.posts()[0]?.body as { defects?: unknown } | undefined)?.defects;

test("a chosen vehicle shows its last mileage, what is due and its open defects", async () => {
  await openWith();
  expect(questions()).toEqual([]);
  await type("Number plate", "lk19vte");
  await waitFor(() => expect(questions()).toHaveLength(2));
  expect(document.querySelector(".briefing")?.textContent).toContain(
    "Last: 48,190 yesterday. MOT runs out in 6 days.",
  );
  expect(questions()[0]?.textContent).toBe("Known: D-0142 nearside mirror cracked");
  expect(document.querySelector(".open-defect .note")?.textContent).toBe(
    "Since 3 Nov, booked in for Mon 23 Nov. Still there? *",
  );
  await type("Number plate", "YD21 HMO");
  expect(questions()).toEqual([]);
});

const WHY = "Why is it driven? Choose To the garage, To a test or Other.";
const sentReason = () =>
  (server.posts()[0]?.body as { driveReason?: unknown } | undefined)?.driveReason;

test("the next driver of a vehicle off the road sees Stop, and says why it is driven", async () => {
  server.briefings = { lk19vte: OFF_ROAD };
  await openWith({ vehicle: "LK19 VTE" });
  await waitFor(() =>
    expect(stop()).toBe(
      "Stop: do not drive LK19 VTEOff the road since 11 Nov. Send this check and leave the keys at the desk.",
    ),
  );
  await fill();
  await submit();
  expect(problems()).toEqual([WHY]);
  expect(group(/Why is it driven/)).toBeInvalid();
  await userEvent.click(button(WHY));
  expect(screen.getByRole("radio", { name: "To the garage" })).toHaveFocus();
  await answer(/Why is it driven/, "To a test");
  expect(problems()).toEqual([]);
  await submit();
  await findSuccess();
  expect(sentReason()).toBe("test");
  await startNext();
  await type("Number plate", "LK19 VTE");
  expect(document.querySelectorAll(".briefing :checked")).toHaveLength(0);
});

test("why a vehicle is driven is neither asked nor sent of another vehicle or an earlier day", async () => {
  server.briefings = { lk19vte: OFF_ROAD };
  await openWith({ vehicle: "LK19 VTE" });
  await fill();
  await answer(/Why is it driven/, "Other");
  await type("Number plate", "YD21 HMO");
  expect(stop()).toBeUndefined();
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).not.toHaveProperty("driveReason");
  await startNext();
  await fill();
  fireEvent.change(control("Date"), { target: { value: "2026-11-10" } });
  expect(stop()).toBeUndefined();
  expect(screen.queryByText("Why is it driven?")).toBeNull();
});

test("why a vehicle is driven is kept in the draft", async () => {
  server.briefings = { lk19vte: OFF_ROAD };
  const close = await openWith();
  await fill();
  await answer(/Why is it driven/, "To the garage");
  await saved();
  close();
  await openWith();
  await screen.findByText("Why is it driven?");
  expect(screen.getByRole("radio", { name: "To the garage" })).toBeChecked();
  await submit();
  await findSuccess();
  expect(sentReason()).toBe("garage");
});

test("the answers about open defects are sent with the words that were shown", async () => {
  await openWith();
  await fill();
  await answer(/D-0142/, "Worse");
  await answer(/D-0139/, "Gone");
  expect(bar().textContent).toContain("1 defect");
  await submit();
  await findSuccess();
  expect(sentDefects()).toEqual([
    { number: "D-0142", answer: "worse" },
    { number: "D-0139", answer: "gone" },
  ]);
  expect(server.posts()[0]?.body).toMatchObject({ outcomeText: "1 defect" });
  await startNext();
  // The next check starts without them.
  await type("Number plate", "LK19 VTE");
  expect(document.querySelectorAll(".open-defect :checked")).toHaveLength(0);
});

test("answers about one vehicle are not sent with the check of another", async () => {
  await openWith();
  await fill();
  await answer(/D-0142/, "Worse");
  await type("Number plate", "YD21 HMO");
  expect(bar()).toHaveTextContent("No defects.");
  expect(screen.getByText("Kept as a nil-defect report.")).toBeVisible();
  await submit();
  await findSuccess();
  expect(sentDefects()).toEqual([]);
});

const question = (number: string) => `Is ${number} still there? Choose Yes, Worse or Gone.`;

test("a check isn't sent before each open defect has an answer, with or without a connection", async () => {
  await openWith();
  await fill();
  server.isCut = true;
  await answer(/D-0139/, "Gone");
  await submit();
  expect(problems()).toEqual([question("D-0142")]);
  expect(screen.getByRole("alert")).toHaveFocus();
  expect(group(/D-0142/)).toBeInvalid();
  expect(group(/D-0142/)).toHaveAccessibleDescription(
    `${question("D-0142")} Since 3 Nov, booked in for Mon 23 Nov.`,
  );
  expect(group(/D-0139/)).toBeValid();
  await userEvent.click(button(question("D-0142")));
  expect(within(group(/D-0142/)).getByRole("radio", { name: "Yes" })).toHaveFocus();
  await userEvent.keyboard(" ");
  expect(problems()).toEqual([]);
  expect(group(/D-0142/)).toBeValid();
  server.isCut = false;
  await submit();
  await findSuccess();
  expect(sentDefects()).toEqual([
    { number: "D-0139", answer: "gone" },
    { number: "D-0142", answer: "yes" },
  ]);
});

test("questions about one vehicle don't stay with the check of another", async () => {
  await openWith();
  await fill();
  await type("Mileage", "x");
  await submit();
  expect(problems()).toHaveLength(3);
  await type("Number plate", "YD21 HMO");
  expect(problems()).toEqual(["Mileage (odometer) must be a valid non-negative number."]);
});

test("answers are kept in the draft", async () => {
  const close = await openWith();
  await fill();
  await answer(/D-0142/, "Yes");
  await saved();
  close();
  await openWith();
  await waitFor(() => expect(questions()).toHaveLength(2));
  const group = within(screen.getByRole("radiogroup", { name: /D-0142/ }));
  expect(group.getByRole<HTMLInputElement>("radio", { name: "Yes" }).checked).toBe(true);
});

test("a failing answer that stops the vehicle raises what to do before anything is sent", async () => {
  await openWith({ phone: "01483 000142" });
  await userEvent.selectOptions(control("Brakes"), "Fail");
  expect(stop()).toContain("Stop: do not drive this vehicle");
  await type("Number plate", "lk19vte");
  expect(stop()).toBe(
    "Stop: do not drive LK19 VTEBrakes: fail. Send this check, leave the keys at the desk and ring 01483 000142.",
  );
  expect(screen.getByRole("link", { name: "01483 000142" }).getAttribute("href")).toBe(
    "tel:01483000142",
  );
  await userEvent.selectOptions(control("Brakes"), "Good");
  expect(stop()).toBeUndefined();
  expect(server.posts()).toEqual([]);
});

test("without a phone number it says what to do without one", async () => {
  await openWith();
  await userEvent.selectOptions(control("Brakes"), "Fail");
  expect(stop()).toContain("Brakes: fail. Send this check and leave the keys at the desk.");
});

test("the server's sentences are shown after sending", async () => {
  server.briefings = {};
  server.answers.push({
    status: 201,
    body: { warnings: [], messages: ["Stop: do not drive LK19 VTE. Brakes: fail (D-0143)."] },
  });
  await openWith();
  await fill();
  await userEvent.selectOptions(control("Brakes"), "Fail");
  await submit();
  const sentence = await screen.findByText("Stop: do not drive LK19 VTE. Brakes: fail (D-0143).");
  expect(sentence.className).toBe("stop");
});

test("without a connection the form says itself that the vehicle mustn't be driven", async () => {
  server.briefings = {};
  await openWith();
  await fill();
  await userEvent.selectOptions(control("Brakes"), "Fail");
  server.isCut = true;
  await submit();
  await screen.findByText("Stop: do not drive LK19 VTE. Brakes: fail.");
});

test("a stop that isn't sent yet holds for the next check of the vehicle on the same phone", async () => {
  const reference = {
    fetchedAt: 0,
    value: { viewOnly: "", props: PROPS, vehicles: VEHICLES, briefings: {} },
  };
  await openWith({ reference });
  await fill();
  await userEvent.selectOptions(control("Brakes"), "Fail");
  server.isCut = true;
  await submit();
  await screen.findByText("Stop: do not drive LK19 VTE. Brakes: fail.");
  await startNext();
  await type("Number plate", "LK19 VTE");
  await waitFor(() => expect(stop()).toContain("Stopped by a check that is not sent yet."));
  expect(screen.getByRole("radiogroup", { name: /Why is it driven/ })).toBeVisible();
});

test("a field that fails asks for a photo until there is one", async () => {
  await openWith();
  expect(screen.queryByText("Brakes ask for one")).toBeNull();
  await userEvent.selectOptions(control("Brakes"), "Fail");
  expect(screen.getByText("Brakes ask for one")).toBeTruthy();
  await pick(picture("front.jpg"));
  await waitFor(() => expect(screen.queryByText("Brakes ask for one")).toBeNull());
  expect(button("Submit Check").hasAttribute("disabled")).toBe(false);
});

test("more miles than a vehicle can run are questioned, and can be sent", async () => {
  server.briefings = { lk19vte: NOTHING_OPEN };
  await openWith();
  await fill();
  await type("Mileage", "480,210");
  expect(describedBy("Mileage")).toEqual(["Is 480,210 right? It was 48,190 on 20 Nov."]);
  await type("Mileage", "49,100");
  expect(control("Mileage").getAttribute("aria-describedby")).toBeNull();
  await type("Mileage", "480,210");
  await submit();
  await findSuccess();
});

test("a check of an earlier day is compared with no later reading, and asks of no later defect", async () => {
  await openWith();
  await fill();
  await type("Mileage", "48,150");
  expect(describedBy("Mileage")).toEqual([
    "Lower than the last reading, 48,190. You can still send it.",
  ]);
  fireEvent.change(control("Date"), { target: { value: "2026-11-02" } });
  expect(control("Mileage").getAttribute("aria-describedby")).toBeNull();
  expect(questions()).toEqual([]);
  await submit();
  await findSuccess();
});

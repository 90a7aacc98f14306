import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Answer } from "../shared/testing";
import {
  button,
  control,
  describedBy,
  type FakeServer,
  field,
  fill,
  findSuccess,
  NOTES,
  open,
  problems,
  saved,
  startNext,
  startServer,
  stopServer,
  submit,
  TODAY,
  type,
  VEHICLES,
} from "./testing";

let server: FakeServer;

beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

test("a check is sent in the API's form, under a key, and the form is emptied", async () => {
  await open(server);
  await fill();
  await userEvent.selectOptions(control("Cleanliness"), "Clean");
  await type("Notes", "Mower strap worn");
  await type("Repair/Expense (£)", "12.345");
  await submit();
  await findSuccess();
  expect(server.posts()).toHaveLength(1);
  const [post] = server.posts();
  expect(post?.url).toBe("/api/fleet/checks");
  expect(post?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(post?.body).toEqual({
    reg: "LK19 VTE",
    date: "2026-11-21",
    odometer: 48300,
    items: {
      Name: "Jo Marsh",
      Date: "2026-11-21",
      LicensePlate: "LK19 VTE",
      Mileage: "48,300",
      Cleanliness: "Clean",
    },
    notes: "Mower strap worn",
    photos: [],
    defects: [],
    outcomeText: "No defects. Kept as a nil-defect report.",
    costGBP: 12.35,
    _formType: "vehicleCheckGPM",
  });
  const result = await screen.findByRole("status");
  expect(result).toHaveFocus();
  expect(result).toHaveTextContent("LK19 VTE: No defects. Kept as a nil-defect report.");
  expect(screen.getByRole("link", { name: "Checks list" })).toHaveAttribute(
    "href",
    "/fleetChecksList",
  );
  await startNext();
  expect(control("Form")).toHaveFocus();
  expect([control("Number plate").value, control("Mileage").value, control("Notes").value]).toEqual(
    ["", "", ""],
  );
  expect([control("Cleanliness").value, control("Repair/Expense (£)").value]).toEqual(["", "0"]);
});

test("changing the form keeps the values of fields that both forms have", async () => {
  await open(server);
  await fill();
  expect(screen.queryByLabelText("Equipment")).toBeNull();
  await userEvent.selectOptions(control("Form"), "Gardening — Van Check");
  expect([control("Name").value, control("Mileage").value]).toEqual(["Jo Marsh", "48,300"]);
  await type("Equipment", "Ladder");
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).toMatchObject({
    _formType: "gardeningVan",
    items: { Equipment: "Ladder" },
  });
});

test("values of another form's fields aren't sent", async () => {
  await open(server);
  await userEvent.selectOptions(control("Form"), "Gardening — Van Check");
  await type("Equipment", "Ladder");
  await userEvent.selectOptions(control("Form"), "Standard Vehicle Check");
  await fill();
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).not.toHaveProperty("items.Equipment");
});

test("text fields suggest earlier answers", async () => {
  await open(server);
  const list = document.getElementById(control("Damage").getAttribute("list") ?? "");
  expect([...(list?.children ?? [])].map((each) => each.getAttribute("value"))).toEqual([
    "Scratch, rear door",
  ]);
});

test("empty required fields are listed in one message, and each is marked", async () => {
  await open(server);
  await submit();
  expect(problems()).toEqual(["Please fill the required fields: Name, Number plate, Mileage"]);
  expect(["Name", "Number plate", "Mileage"].map(describedBy)).toEqual([
    ["Name is required."],
    ["Vehicle number plate is required."],
    ["Mileage is required."],
  ]);
  expect(screen.getByRole("alert")).toHaveFocus();
  await type("Name", "Jo");
  expect(control("Name")).toHaveFocus();
  expect(problems()).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: /^Please fill/ }));
  expect(control("Number plate")).toHaveFocus();
  await type("Number plate", "LK19 VTE");
  await type("Mileage", "1");
  expect(problems()).toEqual([]);
  expect(server.posts()).toEqual([]);
});

test.each<[string, string, string]>([
  ["Number plate", "ZZ99 ZZZ", "Choose a number plate from the list."],
  ["Mileage", "-1", "Mileage (odometer) must be a valid non-negative number."],
  ["Mileage", "many", "Mileage (odometer) must be a valid non-negative number."],
  ["Mileage", "1000000000", "Mileage (odometer) must be a valid non-negative number."],
  ["Repair/Expense (£)", "-0.01", "Repair/Expense (£) must be a non-negative number."],
  ["Repair/Expense (£)", "a lot", "Repair/Expense (£) must be a non-negative number."],
  ["Date", "2026-11-22", "Date can't be in the future."],
  ["Date", "1999-12-31", "Date can't be before 1 Jan 2000."],
])("%s of %s is refused at its field", async (name, text, message) => {
  await open(server);
  await fill();
  if (name === "Date") fireEvent.change(control(name), { target: { value: text } });
  else await type(name, text);
  await submit();
  expect(problems()).toEqual([message]);
  expect(describedBy(name)).toContain(message);
  expect(server.posts()).toEqual([]);
  await userEvent.click(button(message));
  expect(control(name)).toHaveFocus();
});

test.each([
  ["48210.7", 48210],
  ["0", 0],
  [" 1,234 ", 1234],
])("a mileage of %s is sent as whole miles", async (text, miles) => {
  await open(server);
  await fill();
  await type("Mileage", text);
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).toMatchObject({ odometer: miles });
});

test.each([
  ["", 0],
  ["0.005", 0.01],
  ["£1,250", 1250],
])("an expense of %j is sent with two decimals", async (text, pounds) => {
  await open(server);
  await fill();
  await type("Repair/Expense (£)", text);
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).toMatchObject({ costGBP: pounds });
});

test("a form without a mileage field says so", async () => {
  const fields = [field("Name"), field("Registration", "text", { role: "plate" }), NOTES];
  await open(server, { templates: [{ key: "own", label: "Our own", fields }] });
  await type("Registration", " ab12 cde");
  await submit();
  expect(problems()).toEqual(["This form has no mileage field defined. Please update the schema."]);
});

test("plate and mileage are found by their roles, and a form without notes gets them", async () => {
  const fields = [
    field("Number_Plate", "text", { role: "plate" }),
    field("Odometer reading", "text", { role: "mileage" }),
    field("Tyres", "number"),
  ];
  await open(server, { templates: [{ key: "own", label: "Our own", fields }] });
  await type("Number_Plate", " ab12 cde ");
  await type("Odometer reading", "12");
  await type("Tyres", "bald");
  await type("Notes", "All well");
  await submit();
  expect(problems()).toEqual(["Tyres must be a number."]);
  await type("Tyres", "3.5");
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).toMatchObject({
    reg: "AB12 CDE",
    odometer: 12,
    notes: "All well",
    date: TODAY,
    items: { Number_Plate: "AB12 CDE", "Odometer reading": "12", Tyres: "3.5" },
  });
});

test("a vehicle is found by typing, regardless of case and spaces, and chosen by keyboard or touch", async () => {
  await open(server);
  const plate = control("Number plate");
  expect(plate).toHaveAttribute("placeholder", "Select a vehicle");
  await userEvent.click(plate);
  expect(screen.getAllByRole("option", { name: /LK19|YD21/ })).toHaveLength(2);
  await userEvent.type(plate, "vivaro");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(plate).toHaveValue("YD21 HMO");
  expect(control("Mileage")).toHaveFocus();
  expect(describedBy("Number plate")).toEqual(["Vauxhall Vivaro"]);
  await type("Number plate", "lk1");
  await userEvent.click(screen.getByRole("option", { name: /LK19 VTE/ }));
  expect(plate).toHaveValue("LK19 VTE");
  expect(control("Mileage")).toHaveFocus();
  expect(server.posts()).toEqual([]);
});

test("the next check's mileage is compared with the reading just sent", async () => {
  let odometer = 48210;
  server = await startServer(() => ({ body: [{ ...VEHICLES[0], odometer }] }));
  await open(server);
  await fill();
  odometer = 50000;
  await userEvent.click(screen.getByRole("button", { name: "Submit Check" }));
  await screen.findByText("Vehicle check submitted.");
  await startNext();
  await type("Number plate", "LK19 VTE");
  await type("Mileage", "49000");
  await waitFor(() =>
    expect(describedBy("Mileage")).toEqual([
      "Lower than the last reading, 50,000. You can still send it.",
    ]),
  );
});

test("a mileage below the last reading gets a caution, and can be sent", async () => {
  server.answers.push({
    status: 201,
    body: { id: 1, warnings: ["Lower than the last reading, 48,210."] },
  });
  await open(server);
  await fill();
  expect(screen.queryByText(/Lower than/)).toBeNull();
  await type("Mileage", "48190");
  const caution = "Lower than the last reading, 48,210. You can still send it.";
  expect(describedBy("Mileage")).toEqual([caution]);
  await submit();
  await findSuccess();
  expect(screen.getByText("Lower than the last reading, 48,210.")).toHaveClass("notice", "warn");
});

test("vehicles that fail to load can be retried, and a plate can be typed meanwhile", async () => {
  const replies: Answer[] = [{ status: 500, body: { error: "Failed to load vehicles" } }];
  server = await startServer(() => replies.shift() ?? { body: VEHICLES });
  await open(server);
  expect(await screen.findByText("Failed to load vehicles")).toBeVisible();
  await type("Number plate", "ab12 cde");
  await userEvent.click(button("Try again"));
  await waitFor(() => expect(screen.queryByText("Failed to load vehicles")).toBeNull());
  await userEvent.click(control("Number plate"));
  expect(control("Number plate")).toHaveValue("ab12 cde");
});

test("while the vehicles load, the field says so", async () => {
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { fetch } = globalThis;
  Object.assign(globalThis, {
    fetch: async (...requests: Parameters<typeof fetch>) => late.then(() => fetch(...requests)),
  });
  const opening = open(server);
  expect(await screen.findByPlaceholderText("Loading plates…")).toBeVisible();
  arrive();
  await opening;
  expect(control("Number plate")).toHaveAttribute("placeholder", "Select a vehicle");
});

test("the page can be opened for a vehicle", async () => {
  await open(server, { vehicle: "LK19 VTE" });
  expect(control("Number plate")).toHaveValue("LK19 VTE");
});

test("Reset asks for confirmation of a filled-in form, and empties all but the form type", async () => {
  await open(server);
  await userEvent.click(button("Reset"));
  expect(screen.queryByRole("dialog")).toBeNull();
  await userEvent.selectOptions(control("Form"), "Gardening — Van Check");
  await fill();
  await userEvent.click(button("Reset"));
  await userEvent.click(button("Cancel"));
  expect(control("Name")).toHaveValue("Jo Marsh");
  await userEvent.click(button("Reset"));
  const [, sure] = screen.getAllByRole("button", { name: "Reset" }).reverse();
  await userEvent.click(screen.getByRole("dialog").querySelector(".fill") ?? (sure as HTMLElement));
  await waitFor(() => expect(control("Name")).toHaveValue(""));
  expect(control("Form")).toHaveValue("gardeningVan");
});

test("Enter in a field doesn't submit the form", async () => {
  await open(server);
  await fill();
  await userEvent.type(control("Name"), "{Enter}");
  await saved();
  expect(server.posts()).toEqual([]);
  expect(problems()).toEqual([]);
});

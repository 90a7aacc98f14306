/** What a check starts with: the person, form and vehicle of the last one. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { giveReference } from "../offline/testing";
import {
  control,
  type FakeServer,
  fill,
  findSuccess,
  open,
  saved,
  startNext,
  startServer,
  stopServer,
  submit,
  TODAY,
  type,
} from "./testing";

let server: FakeServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(stopServer);

test("the form type, the name and the department are kept for the next check", async () => {
  await open(server);
  await userEvent.selectOptions(control("Form"), "Gardening — Van Check");
  await fill();
  await type("Department", "Gardening");
  await submit();
  await findSuccess();
  await startNext();
  expect([control("Form").value, control("Name").value, control("Department").value]).toEqual([
    "gardeningVan",
    "Jo Marsh",
    "Gardening",
  ]);
  expect(control("Number plate")).toHaveValue("");
});

const LAST = {
  form: "gardeningVan",
  values: { Name: "Jo Marsh", Department: "Gardening" },
  vehicle: "YD21 HMO",
  vehicles: ["YD21 HMO"],
};

test("a check starts with the form, person and vehicle of the last one, and sends it as it is", async () => {
  await open(server, { start: LAST });
  expect(screen.queryByText(/Draft started at/)).toBeNull();
  expect([control("Form").value, control("Name").value, control("Department").value]).toEqual([
    "gardeningVan",
    "Jo Marsh",
    "Gardening",
  ]);
  expect(control("Number plate")).toHaveValue("YD21 HMO");
  await type("Mileage", "12");
  await submit();
  await findSuccess();
  expect(server.posts()[0]?.body).toMatchObject({
    reg: "YD21 HMO",
    _formType: "gardeningVan",
    items: { Name: "Jo Marsh", Department: "Gardening" },
  });
  await startNext();
  expect(control("Number plate")).toHaveValue("");
});

test("what a check starts with is no draft, and a draft or a vehicle in the address wins", async () => {
  const close = await open(server, { start: LAST });
  await saved();
  close();
  const closeAgain = await open(server, { start: LAST, vehicle: "LK19 VTE" });
  expect(screen.queryByText(/draft/i)).toBeNull();
  expect(control("Number plate")).toHaveValue("LK19 VTE");
  await type("Name", "Ann");
  await saved();
  closeAgain();
  await open(server, { start: LAST });
  expect([control("Name").value, control("Number plate").value]).toEqual(["Ann", "LK19 VTE"]);
});

test("the last vehicles are offered first, also instead of the one that is chosen", async () => {
  await open(server, { start: { ...LAST, vehicle: "", vehicles: ["YD21 HMO", "LK19 VTE"] } });
  const offers = () =>
    within(screen.getByRole("listbox", { name: "Vehicles" }))
      .queryAllByRole("option")
      .map(({ textContent }) => textContent);
  await userEvent.click(control("Number plate"));
  await waitFor(() =>
    expect(offers()).toEqual(["YD21 HMOVauxhall Vivaro", "LK19 VTEFord Transit"]),
  );
  await type("Number plate", "yd21hmo");
  await waitFor(() => expect(offers()).toEqual(["LK19 VTEFord Transit"]));
});

test("another of the last vehicles is one press away, and leads on to the mileage", async () => {
  await open(server, { start: { ...LAST, vehicles: ["YD21 HMO", "LK19 VTE", "ZZ99 ZZZ"] } });
  const offered = () =>
    within(screen.getByRole("group", { name: "Your last vehicles" }))
      .getAllByRole("button")
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(offered()).toEqual(["LK19 VTE"]));
  await userEvent.click(screen.getByRole("button", { name: "LK19 VTE" }));
  expect(control("Number plate")).toHaveValue("LK19 VTE");
  expect(control("Mileage")).toHaveFocus();
  expect(offered()).toEqual(["YD21 HMO"]);
});

test("a check is of the server's day where this device's clock is wrong", async () => {
  vi.setSystemTime("2026-11-20T12:00:00Z");
  await open(server);
  expect(control("Date")).toHaveValue(TODAY);
  expect(control("Date")).toHaveAttribute("max", TODAY);
  await fill();
  await submit();
  await findSuccess();
  expect(server.posts()).toMatchObject([{ body: { date: TODAY } }]);
  await startNext();
  expect(control("Date")).toHaveValue(TODAY);
});

test("without a connection the day goes by what the server's clock was ahead of this one", async () => {
  vi.setSystemTime("2026-11-20T12:00:00Z");
  const clockOffset = 24 * 60 * 60 * 1000;
  const person = { user: 7, username: "k.lee", divisions: [], chosen: "", clockOffset };
  await open(server, { person, now: "2026-11-01T09:00:00+00:00" });
  expect(control("Date")).toHaveValue(TODAY);
});

test("without a connection the plates are those that were read before", async () => {
  const vehicle = { reg: "LK19 VTE", make: "Ford", model: "Transit", odometer: 48_200 };
  server = await startServer(() => "no connection");
  await giveReference("check-form:fleet", { vehicles: [vehicle] }, { user: 7 });
  await open(server);
  await type("Number plate", "lk19");
  await userEvent.click(await screen.findByRole("option", { name: /LK19 VTE/ }));
  expect(control("Number plate")).toHaveValue("LK19 VTE");
});

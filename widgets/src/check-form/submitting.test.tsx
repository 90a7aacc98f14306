import { waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  button, control, describedBy, DONE, endWorld, fill, newWorld, open, problems, saysDone, settle, submit, type, type World,
} from "./testing";

let world: World;

beforeEach(async () => {
  world = await newWorld();
});
afterEach(endWorld);

test("the server's complaints land at their fields", async () => {
  const fields = { reg: "Vehicle number plate is required.", odometer: "Mileage (odometer) is required and must be a number.", costGBP: "Too much", "items.Damage": "Too long", other: "Odd" };
  world.answers.push({ status: 422, body: { error: "Not saved", fields } });
  await open(world);
  await fill();
  await submit();
  await waitFor(() => expect(problems()).toEqual(Object.values(fields)));
  expect(describedBy("Number plate")).toContain(fields.reg);
  expect(describedBy("Mileage")).toEqual([fields.odometer]);
  expect(describedBy("Repair/Expense (£)")).toEqual(["Too much"]);
  expect(describedBy("Damage")).toEqual(["Too long"]);
  expect(control("Name")).toHaveValue("Jo Marsh");
});

test("a refusal without words says that submitting failed", async () => {
  world.answers.push({ status: 404, body: {} });
  await open(world);
  await fill();
  await submit();
  await waitFor(() => expect(problems()).toEqual(["Submit failed"]));
});

test("after a lost reply the same check goes under the same key, a changed one under another", async () => {
  world.answers.push("no connection", "no connection", DONE);
  const close = await open(world);
  await fill();
  await submit();
  await waitFor(() => expect(problems()).toEqual(["No connection. Nothing is lost: try again, it counts only once."]));
  await settle();
  close();
  await open(world);
  await submit();
  await waitFor(() => expect(world.posts()).toHaveLength(2));
  await waitFor(() => expect(button("Submit Check")).toBeEnabled());
  await type("Notes", "And a dent");
  await submit();
  await saysDone();
  const [first, again, changed] = world.posts().map(({ key }) => key);
  expect(again).toBe(first);
  expect(changed).not.toBe(first);
});

test("the next check has a key of its own, even with the same content", async () => {
  await open(world);
  for (const count of [1, 2]) {
    await fill();
    await submit();
    await waitFor(() => expect(world.posts()).toHaveLength(count));
    await saysDone();
  }
  const [first, second] = world.posts().map(({ key }) => key);
  expect(second).not.toBe(first);
});

// @vitest-environment node
import { expect, test } from "vitest";
import { bodyOf, type Fields, problemsIn, problemsOf } from "./form";
import { newLine, previews, quantityProblem } from "./lines";

const TODAY = "2026-11-21";
const FIELDS: Fields = {
  action: "delivery",
  destination: "",
  autoCreate: true,
  date: TODAY,
  team: "",
};

test.each([
  [{ action: "transfer" }, 1, "Transfers require multiple sites."],
  [{ action: "transfer" }, 2, "Choose a destination site."],
  [{ date: "" }, 2, "Please pick a date."],
  [{ date: "2026-11-22" }, 2, "Date can't be in the future."],
] as const)("%o with %i sites: %s", (part, sites, message) => {
  const problems = problemsIn({ ...FIELDS, ...part }, [newLine("Globe")], sites, TODAY);
  expect(problems.map((problem) => problem.message)).toEqual([message]);
});

test("a problem names its line only where there are several", () => {
  const messages = (...names: string[]) =>
    problemsIn(
      FIELDS,
      names.map((name) => newLine(name, "0")),
      1,
      TODAY,
    ).map(({ message }) => message);
  expect(messages()).toEqual(["Add at least one item."]);
  expect(messages("Globe")).toEqual(["Quantity must be at least 1"]);
  expect(messages("Globe", "Kit")).toEqual([
    "Globe: Quantity must be at least 1",
    "Kit: Quantity must be at least 1",
  ]);
});

test.each([
  ["", "Quantity must be at least 1"],
  ["-2", "Quantity must be at least 1"],
  ["two", '"two" is not a whole number'],
  ["1000000000", "Quantity must be at most 999,999,999"],
  ["3", null],
])("the quantity '%s': %s", (qty, problem) => {
  expect(quantityProblem(newLine("Globe", qty))).toBe(problem);
});

test("only a transfer has a destination, and only a delivery creates items", () => {
  const fields = { ...FIELDS, destination: "guildford" as const };
  expect(bodyOf(fields, []).body).toMatchObject({ destination: null, autoCreate: true });
  expect(bodyOf({ ...fields, action: "transfer" }, []).body).toMatchObject({
    destination: "guildford",
    autoCreate: false,
  });
});

test("errors of the server lead to their controls", () => {
  const line = newLine("Globe");
  const errors = {
    "lines.0.qty": "a",
    "lines.0.name": "b",
    "lines.0": "c",
    "lines.7": "d",
    team: "e",
    action: "f",
  };
  expect(problemsOf(errors, [line], "Failed").map(({ target }) => target)).toEqual([
    `${line.id}-qty`,
    `${line.id}-name`,
    `${line.id}-name`,
    null,
    "bulk-team",
    null,
  ]);
  expect(problemsOf({}, [line], "Failed")).toEqual([{ message: "Failed", target: null }]);
});

test("lines have no preview before the stock is loaded, or with a name that is too long", () => {
  expect(previews([newLine("Globe")], "delivery", true, null)).toEqual([null]);
  const [preview] = previews([newLine("x".repeat(201))], "withdrawal", false, new Map());
  expect(preview?.error).toBe("Item name must be at most 200 characters");
});

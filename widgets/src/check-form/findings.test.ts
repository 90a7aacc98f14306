// @vitest-environment node
import { expect, test } from "vitest";
import type { Briefing } from "./briefings";
import { formOf } from "./fields";
import {
  describeFailure,
  describeOutcome,
  foundIn,
  NOTHING_NEW_TEXT,
  photoCaution,
  stopReasons,
} from "./findings";
import cases from "./findings.json";
import type { Field } from "./props";
import { field } from "./testing";

const ROLES: Record<string, Field["role"]> = {
  LicensePlate: "plate",
  Mileage: "mileage",
  Notes: "notes",
};
const FIELDS = cases.fields.map(({ name, type, ...part }) =>
  field(name, (type ?? "text") as Field["type"], {
    role: ROLES[name] ?? "",
    ...(part as Partial<Field>),
  }),
);
const FORM = formOf({ key: "own", label: "Own", fields: FIELDS });
type Texts = Record<string, string>;
const BRAKES = {
  number: "D-0142",
  title: "Brakes: soft",
  part: "Brakes",
  since: "2026-11-03",
  standing: "",
  isStop: true,
};
const BRIEFING: Briefing = {
  miles: 48_190,
  day: "2026-11-03",
  notices: [],
  offRoad: "",
  offRoadSince: null,
  defects: [BRAKES],
  bookings: [],
};

const answersOf = (values: Record<string, string>, defects = {}) => ({
  formType: "own",
  values: { LicensePlate: "LK19 VTE", ...values },
  cost: "0",
  day: "2026-11-21",
  defects: { plate: "lk19vte", answers: defects },
});

test.each(cases.cases)("$answers gives $text, as on the server", (each) => {
  const { open = {}, about = {} } = each as { open?: Texts; about?: Texts };
  const defects = Object.entries(open).map(([number, part]) => ({ ...BRAKES, number, part }));
  const answers = answersOf(each.answers as unknown as Texts, about);
  const found = foundIn(FORM, answers, { ...BRIEFING, defects });
  expect(found.failures.map((one) => [describeFailure(one), one.severity])).toEqual(each.failures);
  expect(describeOutcome(found)).toBe(each.text);
});

test("a form without failing answers and damage reports nothing", () => {
  const form = formOf({ key: "own", label: "Own", fields: [field("Mileage", "number")] });
  expect(describeOutcome(foundIn(form, answersOf({}), null))).toBe("");
});

test("an open defect without an answer leaves nothing new, and one that is gone nothing at all", () => {
  const textOf = (defects: object) =>
    describeOutcome(foundIn(FORM, answersOf({}, defects), BRIEFING));
  expect(textOf({})).toBe(NOTHING_NEW_TEXT);
  expect(textOf({ "D-0142": "gone" })).toBe("No defects. Kept as a nil-defect report.");
  expect(textOf({ "D-0142": "yes" })).toBe("1 defect");
});

test("a defect that is still there and its part's failing answer are one", () => {
  const found = foundIn(FORM, answersOf({ Brakes: "Fail" }, { "D-0142": "worse" }), BRIEFING);
  expect(describeOutcome(found)).toBe("1 defect");
  expect(stopReasons(found)).toEqual(["Brakes: fail"]);
});

test("a defect that stops its vehicle and is still there stops it again", () => {
  const found = foundIn(FORM, answersOf({}, { "D-0142": "yes" }), BRIEFING);
  expect(stopReasons(found)).toEqual(["D-0142 Brakes: soft"]);
});

test("what failed asks for a photo by its labels", () => {
  const cautionOf = (...labels: string[]) => {
    const fields = labels.map((label) =>
      field(label, "text", { fails: ["Fail"], severity: "repair", needsPhoto: true }),
    );
    const form = formOf({ key: "own", label: "Own", fields });
    const values = Object.fromEntries(labels.map((label) => [label, "Fail"]));
    return photoCaution(foundIn(form, answersOf(values), null));
  };
  expect(cautionOf("Brakes")).toBe("Brakes ask for one");
  expect(cautionOf("Damage")).toBe("Damage asks for one");
  expect(cautionOf("Cleanliness")).toBe("Cleanliness asks for one");
  expect(cautionOf("Damage", "Tyres")).toBe("Damage, Tyres ask for one");
  expect(cautionOf()).toBe("");
});

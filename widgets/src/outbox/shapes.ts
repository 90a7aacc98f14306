/** Tests of what a value is like, for what is read from a file. */
import { isRecord } from "../shared/requests";

export type Test = (value: unknown) => boolean;

export const isText: Test = (value) => typeof value === "string";
export const isNumber: Test = (value) => typeof value === "number";
export const isFlag: Test = (value) => typeof value === "boolean";
export const isNothing: Test = (value) => value === undefined;

export const textLike =
  (pattern: RegExp): Test =>
  (value) =>
    typeof value === "string" && pattern.test(value);

export const oneOf =
  (...allowed: readonly unknown[]): Test =>
  (value) =>
    allowed.includes(value);

export const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || value === null || test(value);

export const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);

export const recordOf =
  (test: Test): Test =>
  (value) =>
    isRecord(value) && Object.values(value).every(test);

/** Whether a record has these fields; it may have others. */
export const withFields =
  (tests: Record<string, Test>): Test =>
  (value) =>
    isRecord(value) && Object.entries(tests).every(([name, test]) => test(value[name]));

export const isPair: Test = (value) =>
  Array.isArray(value) && value.length === 2 && isText(value[0]);

/** Whether a value is a field of a form: its name and its text. */
export const isField: Test = (value) => isPair(value) && (value as unknown[]).every(isText);

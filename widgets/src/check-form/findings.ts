/** What a check finds by its answers: the browser's copy of app/fleet/rules/check_findings.py. */
import { nameKey } from "../shared/names";
import type { Answers } from "../shared/saved-check";
import type { Briefing } from "./briefings";
import { answersAbout, fieldValue } from "./check";
import type { Form } from "./fields";
import type { Field } from "./props";

export const NIL_TEXT = "No defects. Kept as a nil-defect report.";
export const NOTHING_NEW_TEXT = "No new defects. Kept as a nil-defect report.";

const MAX_TITLE_LENGTH = 160;
const CLAUSE_END = /[.,;:!\n]+|(?:^|\s)[-–—]+(?=\s|$)/;
const NEGATIONS = new Set("no none nil nothing not n a na".split(" "));
const DENIALS = new Set([
  ...NEGATIONS,
  ..."damage damages damaged any apparent at found further known new noted noticed".split(" "),
  ..."obvious other present report reported see seen to visible".split(" "),
]);
const ALL_WELL = new Set("all fine good is ok okay undamaged".split(" "));
const JOINS = new Set("and nor or".split(" "));
const DOUBTS = new Set("cannot never no none not nothing t without".split(" "));
const FAULTS = new Set([
  ..."attention bad blocked broken cracked damage damaged damages dangerous dead defective".split(
    " ",
  ),
  ..."empty expired fail failed failing fails fault faults faulty flat issue issues leak".split(
    " ",
  ),
  ..."leaking leaks loose low missing need needs problem problems seized soft stuck torn".split(
    " ",
  ),
  ..."unsafe weak wrong".split(" "),
]);

/** An answer that fails; its severity is null where nobody has assessed it. */
export interface Failure {
  field: Field;
  value: string;
  severity: Field["severity"] | null;
}

/** What a check finds: the answers that fail, and the open defects that are still there. */
export interface Found {
  failures: Failure[];
  still: Briefing["defects"];
  /** Whether the form can report a defect. */
  hasQuestions: boolean;
  /** The numbers of the open defects that have no answer. */
  unanswered: string[];
  /** Since when the vehicle is off the road, '' if it isn't. */
  offRoad: string;
}

const stripped = (text: string): string => text.replace(/^[ .!]+|[ .!]+$/g, "");
const answerKey = (text: string): string => nameKey(stripped(text));

/** Returns the words of each clause of a text; a clause of signs alone has none. */
const clausesOf = (text: string): string[][] =>
  text
    .split(CLAUSE_END)
    .map(nameKey)
    .filter(Boolean)
    .map((key) => key.match(/[\p{L}\p{N}_]+/gu) ?? []);

const denies = (words: string[]): boolean =>
  words.some((word) => NEGATIONS.has(word)) && words.every((word) => DENIALS.has(word));

/** Whether a clause names a fault, or denies something else than one. */
function hasDoubt(words: string[]): boolean {
  let isDenying = false;
  let isSettled = false;
  for (const word of words) {
    if (DOUBTS.has(word)) {
      if (isDenying && !isSettled) return true;
      isDenying = true;
      isSettled = false;
    } else if (FAULTS.has(word)) {
      if (!isDenying) return true;
      isSettled = true;
    } else if (isDenying && !DENIALS.has(word) && !JOINS.has(word)) {
      if (!isSettled) return true;
      isDenying = false;
    }
  }
  return isDenying && !isSettled;
}

const isAllWell = (text: string): boolean =>
  clausesOf(text).every(
    (words) => denies(words) || (words.length > 0 && words.every((word) => ALL_WELL.has(word))),
  );

/** Whether a text about safety names a fault, or denies that something is well. */
const doubtsSafety = (text: string): boolean =>
  clausesOf(text).some((words) => hasDoubt(words) && !denies(words));

/** Whether a text in a field about damage reports any. */
function reportsDamage({ damage }: Field, text: string): boolean {
  const answer = stripped(text).toLowerCase();
  if (damage === "reports") return !isAllWell(answer);
  if (damage !== "denies") return false;
  if (["no", "n", "false"].includes(answer)) return true;
  return !["yes", "y", "true"].includes(answer) && !isAllWell(answer);
}

/** Whether a text may stop a vehicle in words of its own, such as 'brakes not working'. */
const isUnclear = ({ type, severity }: Field, text: string): boolean =>
  severity === "stop" && type !== "choice" && doubtsSafety(text);

/** Returns the failure of an answer; null for one that doesn't fail. */
function failureOf(field: Field, text: string): Failure | null {
  const value = text.trim();
  const { fails = [], severity = null } = field;
  if (!value) return null;
  if (fails.some((each) => answerKey(each) === answerKey(value))) return { field, value, severity };
  const isDamage = fails.length === 0 && reportsDamage(field, value);
  return isDamage || isUnclear(field, value) ? { field, value, severity: null } : null;
}

/** Returns the vehicle's registration as it is chosen. */
export const plateIn = (form: Form, answers: Answers): string =>
  form.plate ? fieldValue(form, form.plate, answers).trim() : "";

/** Returns what a check finds. */
export function foundIn(form: Form, answers: Answers, briefing: Briefing | null): Found {
  const about = answersAbout(plateIn(form, answers), answers);
  const open = briefing?.defects ?? [];
  const failures = form.fields.flatMap(
    (field) => failureOf(field, fieldValue(form, field, answers)) ?? [],
  );
  const failing = new Set(failures.map((failure) => nameKey(partOf(failure))));
  return {
    failures,
    // One whose part fails is counted with that failure.
    still: open.filter(
      ({ number, part }) =>
        (about[number] === "yes" || about[number] === "worse") && !failing.has(nameKey(part)),
    ),
    hasQuestions:
      Object.keys(about).length > 0 ||
      form.fields.some(({ damage, fails }) => damage || fails?.length),
    unanswered: open.filter(({ number }) => !about[number]).map(({ number }) => number),
    offRoad: briefing?.offRoad ?? "",
  };
}

/** Returns the words for the outcome of a check, '' for a form that can't report a defect. */
export function describeOutcome({ failures, still, hasQuestions, unanswered }: Found): string {
  const count = failures.length + still.length;
  if (count > 0) return count === 1 ? "1 defect" : `${count} defects`;
  if (!hasQuestions) return "";
  return unanswered.length > 0 ? NOTHING_NEW_TEXT : NIL_TEXT;
}

/** Returns a failure as people read it, such as 'Brakes: fail'. */
export function describeFailure({ field, value }: Failure): string {
  const second = value.charAt(1);
  const isWord = value.length === 1 || second !== second.toUpperCase();
  const first = value.charAt(0);
  return `${field.label}: ${isWord ? first.toLowerCase() : first}${value.slice(1)}`;
}

/** Returns the part of a failure's defect; a text that nobody has assessed is one of its own. */
const partOf = (failure: Failure): string =>
  failure.severity ? failure.field.label : cut(describeFailure(failure));

/** Cuts a text as the server cuts the title of a defect. */
function cut(text: string): string {
  const characters = [...text];
  if (characters.length < MAX_TITLE_LENGTH) return text;
  return `${characters
    .slice(0, MAX_TITLE_LENGTH - 1)
    .join("")
    .trimEnd()}…`;
}

/** Returns why the vehicle mustn't be driven, as sentences' parts; empty if it may be. */
export function stopReasons({ failures, still, offRoad }: Found): string[] {
  return [
    ...(offRoad ? [offRoad] : []),
    ...failures.filter(({ severity }) => severity === "stop").map(describeFailure),
    ...still.filter(({ isStop }) => isStop).map(({ number, title }) => `${number} ${title}`),
  ];
}

/** Returns that photos of what failed are missing, such as 'Brakes ask for one'. */
export function photoCaution({ failures }: Found): string {
  const labels = failures.filter(({ field }) => field.needsPhoto).map(({ field }) => field.label);
  const [only = ""] = labels;
  const isPlural = labels.length > 1 || /[^s]s$/i.test(only);
  return only && `${labels.join(", ")} ${isPlural ? "ask" : "asks"} for one`;
}

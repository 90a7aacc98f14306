/** The form of the bulk update: its problems, and the request it becomes. */
import type { Schemas } from "../shared/openapi";
import type { Problem } from "../shared/Problems";
import { type Action, isBlank, type Line, quantityOf, quantityProblem } from "./lines";
import type { Site } from "./props";

export interface Fields {
  action: Action;
  /** '' for none. */
  destination: Site | "";
  autoCreate: boolean;
  date: string;
  team: string;
}

export type Body = Required<Schemas["BulkBody"]>;

export const nameId = (line: string): string => `${line}-name`;
export const quantityId = (line: string): string => `${line}-qty`;

/** Returns the problems that must be corrected before the update is sent. */
export function problemsIn(fields: Fields, lines: Line[], sites: number, today: string): Problem[] {
  const problems: Problem[] = [];
  if (fields.action === "transfer" && sites < 2)
    problems.push({ message: "Transfers require multiple sites.", target: null });
  else if (fields.action === "transfer" && !fields.destination) {
    problems.push({ message: "Choose a destination site.", target: "bulk-destination" });
  }
  const named = lines.filter((line) => !isBlank(line));
  if (named.length === 0)
    problems.push({ message: "Add at least one item.", target: nameId(lines[0]?.id ?? "") });
  for (const line of named) {
    const message = quantityProblem(line);
    if (message)
      problems.push({
        message: named.length > 1 ? `${line.name.trim()}: ${message}` : message,
        target: quantityId(line.id),
      });
  }
  if (!fields.date) problems.push({ message: "Please pick a date.", target: "bulk-date" });
  else if (fields.date > today)
    problems.push({ message: "Date can't be in the future.", target: "bulk-date" });
  return problems;
}

/** Builds the request; `sent` has the form's line of each of its lines. A new team is confirmed first. */
export function bodyOf(
  fields: Fields,
  lines: Line[],
  newTeam = false,
): { body: Body; sent: Line[] } {
  const sent = lines.filter((line) => !isBlank(line));
  const { action, destination, autoCreate, date, team } = fields;
  const body: Body = {
    action,
    date,
    team: team.trim(),
    newTeam,
    autoCreate: action === "delivery" && autoCreate,
    destination: (action === "transfer" && destination) || null,
    lines: sent.map((line) => ({ name: line.name.trim(), qty: quantityOf(line) ?? 0 })),
  };
  return { body, sent };
}

/** Places the server's errors at the controls that they are about. */
export function problemsOf(
  fields: Record<string, string>,
  sent: Line[],
  otherwise: string,
): Problem[] {
  const problems = Object.entries(fields).map(([field, message]): Problem => {
    const [, index, part] = /^lines\.(\d+)(?:\.(\w+))?$/.exec(field) ?? [];
    const line = index === undefined ? undefined : sent[Number(index)];
    if (line) return { message, target: part === "qty" ? quantityId(line.id) : nameId(line.id) };
    return {
      message,
      target: ["date", "team", "destination"].includes(field) ? `bulk-${field}` : null,
    };
  });
  return problems.length > 0 ? problems : [{ message: otherwise, target: null }];
}

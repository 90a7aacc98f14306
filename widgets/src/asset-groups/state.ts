/** The state of the group view; replies to anything but the latest request are ignored. */
import { NOTHING } from "./choice";
import type { Choice, Group, Groups, Props } from "./props";

/** The subgroups of a group that is or was open, and the request for them. */
export interface Subgroups {
  isOpen: boolean;
  found: Groups | null;
  /** Whether `found` belongs to the current choice. */
  isCurrent: boolean;
  request: number | null;
  failure: string;
}

/** A request for another choice, or for more of the same groups. */
export type GroupRequest = { choice: Choice; more: boolean };

export interface State {
  /** The choice that the groups on screen belong to. */
  choice: Choice;
  found: Groups;
  subgroups: ReadonlyMap<string, Subgroups>;
  request: { id: number; target: GroupRequest } | null;
  failure: { message: string; target: GroupRequest } | null;
}

export type Action =
  | { type: "request"; id: number; target: GroupRequest }
  | { type: "reply"; id: number; found: Groups }
  | { type: "fail"; id: number; message: string }
  | { type: "then"; then: Choice["then"] }
  | { type: "open"; name: string }
  | { type: "close"; name: string }
  | { type: "close all" }
  | { type: "request subgroups"; name: string; id: number }
  | { type: "reply subgroups"; name: string; id: number; found: Groups; more: boolean }
  | { type: "fail subgroups"; name: string; id: number; message: string };

const OPEN: Subgroups = { isOpen: true, found: null, isCurrent: false, request: null, failure: "" };

export function initialState({ choice, found, opened }: Props): State {
  const subgroups = opened.map(
    ([name, groups]) => [name, { ...OPEN, found: groups, isCurrent: true }] as const,
  );
  return { choice, found, subgroups: new Map(subgroups), request: null, failure: null };
}

/** Returns the names of the open groups, in the order in which they were opened. */
export function openNames({ subgroups }: State): string[] {
  return [...subgroups].filter(([, { isOpen }]) => isOpen).map(([name]) => name);
}

/** Returns the open groups whose subgroups must be loaded next, up to a number of requests at once. */
export function namesToLoad(state: State, maxRequests: number): string[] {
  const running = [...state.subgroups.values()].filter(({ request }) => request !== null).length;
  const waiting = openNames(state).filter((name) => {
    const subgroups = state.subgroups.get(name);
    return subgroups && !subgroups.isCurrent && subgroups.request === null && !subgroups.failure;
  });
  return waiting.slice(0, Math.max(0, maxRequests - running));
}

/** Appends a further page; a group that is on both pages, because the order changed meanwhile, appears once. */
function extended(first: Groups, part: Groups): Groups {
  const names = new Set(first.groups.map(({ name }) => name));
  return {
    ...part,
    groups: [...first.groups, ...part.groups.filter(({ name }) => !names.has(name))],
  };
}

/** Keeps groups open that still exist at the same first level; their subgroups are loaded again. */
function stillOpen(state: State, next: Choice, groups: Group[]): State["subgroups"] {
  if (state.choice.by !== next.by || next.then === NOTHING) return new Map();
  const names = new Set(groups.map(({ name }) => name));
  const isSame = state.choice.then === next.then;
  const stillOpen = openNames(state).filter((name) => names.has(name));
  return new Map(
    stillOpen.map((name) => [
      name,
      { ...OPEN, found: (isSame && state.subgroups.get(name)?.found) || null },
    ]),
  );
}

function replied(state: State, target: GroupRequest, found: Groups): State {
  const done = { ...state, request: null, failure: null };
  if (target.more) return { ...done, found: extended(state.found, found) };
  return {
    ...done,
    choice: target.choice,
    found,
    subgroups: stillOpen(state, target.choice, found.groups),
  };
}

function withSubgroups(state: State, name: string, subgroups: Subgroups): State {
  return { ...state, subgroups: new Map(state.subgroups).set(name, subgroups) };
}

function reduceSubgroups(state: State, action: Extract<Action, { name: string }>): State {
  const { name } = action;
  const subgroups = state.subgroups.get(name);
  if (action.type === "open")
    return withSubgroups(state, name, { ...(subgroups ?? OPEN), isOpen: true });
  if (!subgroups) return state;
  if (action.type === "close") return withSubgroups(state, name, { ...subgroups, isOpen: false });
  if (action.type === "request subgroups")
    return withSubgroups(state, name, { ...subgroups, request: action.id, failure: "" });
  if (subgroups.request !== action.id) return state;
  if (action.type === "fail subgroups")
    return withSubgroups(state, name, { ...subgroups, request: null, failure: action.message });
  const found =
    action.more && subgroups.found ? extended(subgroups.found, action.found) : action.found;
  return withSubgroups(state, name, {
    ...subgroups,
    found,
    isCurrent: true,
    request: null,
    failure: "",
  });
}

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "request":
      return { ...state, request: { id: action.id, target: action.target }, failure: null };
    case "reply":
      return state.request?.id === action.id
        ? replied(state, state.request.target, action.found)
        : state;
    case "fail":
      if (state.request?.id !== action.id) return state;
      return {
        ...state,
        request: null,
        failure: { message: action.message, target: state.request.target },
      };
    case "then": {
      const choice = { ...state.choice, then: action.then };
      return {
        ...state,
        choice,
        failure: null,
        subgroups: stillOpen(state, choice, state.found.groups),
      };
    }
    case "close all":
      return {
        ...state,
        subgroups: new Map(
          [...state.subgroups].map(([name, subgroups]) => [name, { ...subgroups, isOpen: false }]),
        ),
      };
    default:
      return reduceSubgroups(state, action);
  }
}

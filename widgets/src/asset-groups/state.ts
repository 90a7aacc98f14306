/** The state of the group view; a reply to anything but the latest request is passed over. */
import { NOTHING } from "./choice";
import type { Choice, Group, Groups, Props } from "./props";

/** The sub-groups of a group that is or was open: what there is of them, and the request under way. */
export interface Inner {
  isOpen: boolean;
  found: Groups | null;
  /** Whether that is by the choice on screen. */
  isCurrent: boolean;
  request: number | null;
  failure: string;
}

/** What a request is for: another choice, or more of the same groups. */
export type Wanted = { choice: Choice; more: boolean };

export interface State {
  /** What the groups on screen are by. */
  choice: Choice;
  found: Groups;
  inner: ReadonlyMap<string, Inner>;
  request: { id: number; wanted: Wanted } | null;
  failure: { message: string; wanted: Wanted } | null;
}

export type Action =
  | { type: "ask"; id: number; wanted: Wanted }
  | { type: "reply"; id: number; found: Groups }
  | { type: "fail"; id: number; message: string }
  | { type: "then"; then: Choice["then"] }
  | { type: "open"; name: string }
  | { type: "close"; name: string }
  | { type: "close all" }
  | { type: "inner ask"; name: string; id: number }
  | { type: "inner reply"; name: string; id: number; found: Groups; more: boolean }
  | { type: "inner fail"; name: string; id: number; message: string };

const OPEN: Inner = { isOpen: true, found: null, isCurrent: false, request: null, failure: "" };

export function begin({ choice, found, opened }: Props): State {
  const inner = opened.map(
    ([name, groups]) => [name, { ...OPEN, found: groups, isCurrent: true }] as const,
  );
  return { choice, found, inner: new Map(inner), request: null, failure: null };
}

/** Returns the names of the open groups, in the order in which they were opened. */
export function namesOpen({ inner }: State): string[] {
  return [...inner].filter(([, { isOpen }]) => isOpen).map(([name]) => name);
}

/** Returns the names of the open groups whose sub-groups are to be asked for, so many at a time. */
export function namesWaiting(state: State, atATime: number): string[] {
  const underWay = [...state.inner.values()].filter(({ request }) => request !== null).length;
  const waiting = namesOpen(state).filter((name) => {
    const inner = state.inner.get(name);
    return inner && !inner.isCurrent && inner.request === null && !inner.failure;
  });
  return waiting.slice(0, Math.max(0, atATime - underWay));
}

/** Adds a further part; what moved between the parts meanwhile stands there once. */
function extended(before: Groups, part: Groups): Groups {
  const known = new Set(before.groups.map(({ name }) => name));
  return {
    ...part,
    groups: [...before.groups, ...part.groups.filter(({ name }) => !known.has(name))],
  };
}

/** Keeps open what is still there under the same first level; what it shows is asked for anew. */
function keptOpen(state: State, asked: Choice, groups: Group[]): State["inner"] {
  if (state.choice.by !== asked.by || asked.then === NOTHING) return new Map();
  const names = new Set(groups.map(({ name }) => name));
  const isSame = state.choice.then === asked.then;
  const kept = namesOpen(state).filter((name) => names.has(name));
  return new Map(
    kept.map((name) => [
      name,
      { ...OPEN, found: (isSame && state.inner.get(name)?.found) || null },
    ]),
  );
}

function replied(state: State, wanted: Wanted, found: Groups): State {
  const done = { ...state, request: null, failure: null };
  if (wanted.more) return { ...done, found: extended(state.found, found) };
  return {
    ...done,
    choice: wanted.choice,
    found,
    inner: keptOpen(state, wanted.choice, found.groups),
  };
}

function withInner(state: State, name: string, inner: Inner): State {
  return { ...state, inner: new Map(state.inner).set(name, inner) };
}

function reduceInner(state: State, action: Extract<Action, { name: string }>): State {
  const { name } = action;
  const inner = state.inner.get(name);
  if (action.type === "open") return withInner(state, name, { ...(inner ?? OPEN), isOpen: true });
  if (!inner) return state;
  if (action.type === "close") return withInner(state, name, { ...inner, isOpen: false });
  if (action.type === "inner ask")
    return withInner(state, name, { ...inner, request: action.id, failure: "" });
  if (inner.request !== action.id) return state;
  if (action.type === "inner fail")
    return withInner(state, name, { ...inner, request: null, failure: action.message });
  const found = action.more && inner.found ? extended(inner.found, action.found) : action.found;
  return withInner(state, name, { ...inner, found, isCurrent: true, request: null, failure: "" });
}

export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "ask":
      return { ...state, request: { id: action.id, wanted: action.wanted }, failure: null };
    case "reply":
      return state.request?.id === action.id
        ? replied(state, state.request.wanted, action.found)
        : state;
    case "fail":
      if (state.request?.id !== action.id) return state;
      return {
        ...state,
        request: null,
        failure: { message: action.message, wanted: state.request.wanted },
      };
    case "then": {
      const choice = { ...state.choice, then: action.then };
      return {
        ...state,
        choice,
        failure: null,
        inner: keptOpen(state, choice, state.found.groups),
      };
    }
    case "close all":
      return {
        ...state,
        inner: new Map(
          [...state.inner].map(([name, inner]) => [name, { ...inner, isOpen: false }]),
        ),
      };
    default:
      return reduceInner(state, action);
  }
}

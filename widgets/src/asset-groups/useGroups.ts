/** The groups on screen: asks the server for others, and keeps the choice in the address. */
import { useEffect, useReducer, useRef } from "react";
import { call, sayFailure } from "../shared/api";
import { DASH, pageAddress } from "./choice";
import type { By, Choice, Groups, Props } from "./props";
import { begin, namesOpen, namesWaiting, reduce, type Wanted } from "./state";

const FAILED = "Failed to load assets";

/** How many groups 'Expand all' opens at most, and how many of them are asked for together. */
export const MOST_AT_ONCE = 25;
const TOGETHER = 4;
const AT_A_TIME = 100;

/** Returns some of the groups, from an offset on. */
function loadGroups({ filters }: Props, { by, sort }: Choice, offset: number): Promise<Groups> {
  return call("GET", "/api/assets/groups", {
    query: { ...filters, by, sort, limit: AT_A_TIME, offset },
  });
}

/** Returns some of the sub-groups of a group. */
function loadSubgroups(
  props: Props,
  { by, then, sort }: Choice,
  group: string,
  offset: number,
): Promise<Groups> {
  const filters = { ...props.filters, [by]: group || DASH };
  return loadGroups({ ...props, filters }, { by: then as By, then, sort }, offset);
}

export function useGroups(props: Props) {
  const [state, dispatch] = useReducer(reduce, props, begin);
  const { choice, found, request } = state;
  const lastId = useRef(0);
  const opened = namesOpen(state);

  const address = pageAddress(props, choice, opened);
  const addressBefore = useRef(address);
  useEffect(() => {
    if (address === addressBefore.current) return;
    addressBefore.current = address;
    history.replaceState(history.state, "", address);
  }, [address]);

  const loadInner = async (name: string, offset: number): Promise<void> => {
    const id = ++lastId.current;
    dispatch({ type: "inner ask", name, id });
    try {
      const reply = await loadSubgroups(props, choice, name, offset);
      dispatch({ type: "inner reply", name, id, found: reply, more: offset > 0 });
    } catch (error) {
      dispatch({ type: "inner fail", name, id, message: sayFailure(error, FAILED, false) });
    }
  };
  useEffect(() => {
    for (const name of namesWaiting(state, TOGETHER)) void loadInner(name, 0);
  });

  const load = async (wanted: Wanted): Promise<void> => {
    const id = ++lastId.current;
    dispatch({ type: "ask", id, wanted });
    try {
      const offset = wanted.more ? found.groups.length : 0;
      dispatch({ type: "reply", id, found: await loadGroups(props, wanted.choice, offset) });
    } catch (error) {
      dispatch({ type: "fail", id, message: sayFailure(error, FAILED, false) });
    }
  };

  const isChoosing = request !== null && !request.wanted.more;
  return {
    choice,
    found,
    failure: state.failure && { message: state.failure.message, ofMore: state.failure.wanted.more },
    innerOf: (name: string) => state.inner.get(name),
    isBusy: request !== null,
    /** What was chosen last, which the groups on screen may not be by yet. */
    asked: isChoosing ? request.wanted.choice : choice,
    choose(wanted: Choice): void {
      const isSecondAlone = wanted.by === choice.by && wanted.sort === choice.sort;
      if (isSecondAlone && !isChoosing) dispatch({ type: "then", then: wanted.then });
      else void load({ choice: wanted, more: false });
    },
    more(): void {
      if (request === null) void load({ choice, more: true });
    },
    tryAgain(): void {
      if (state.failure) void load(state.failure.wanted);
    },
    toggle(name: string): void {
      dispatch({ type: opened.includes(name) ? "close" : "open", name });
    },
    /** Asks for the sub-groups that follow, or once more for those that failed. */
    moreOf(name: string): void {
      const inner = state.inner.get(name);
      if (inner?.request === null)
        void loadInner(name, (inner.isCurrent && inner.found?.groups.length) || 0);
    },
    openAll(): void {
      for (const { name } of found.groups.slice(0, MOST_AT_ONCE)) dispatch({ type: "open", name });
    },
    closeAll(): void {
      dispatch({ type: "close all" });
    },
  };
}

export type View = ReturnType<typeof useGroups>;

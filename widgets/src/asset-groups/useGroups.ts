/** The state of the groups: loads others from the server, and writes the choice into the address. */
import { useEffect, useReducer, useRef } from "react";
import { call, failureMessage } from "../shared/api";
import { DASH, pageAddress } from "./choice";
import type { By, Choice, Groups, Props } from "./props";
import { type GroupRequest, initialState, namesToLoad, openNames, reduce } from "./state";

const FAILED = "Failed to load assets";

/** How many groups 'Expand all' opens, and how many of them are loaded at once. */
export const MAX_OPENED_AT_ONCE = 25;
const MAX_REQUESTS = 4;
const PAGE_SIZE = 100;

/** Loads a page of groups. */
function loadGroups({ filters }: Props, { by, sort }: Choice, offset: number): Promise<Groups> {
  return call("GET", "/api/assets/groups", {
    query: { ...filters, by, sort, limit: PAGE_SIZE, offset },
  });
}

/** Loads a page of a group's subgroups. */
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
  const [state, dispatch] = useReducer(reduce, props, initialState);
  const { choice, found, request } = state;
  const lastId = useRef(0);
  const opened = openNames(state);

  const address = pageAddress(props, choice, opened);
  const lastAddress = useRef(address);
  useEffect(() => {
    if (address === lastAddress.current) return;
    lastAddress.current = address;
    history.replaceState(history.state, "", address);
  }, [address]);

  const loadSubgroupsOf = async (name: string, offset: number): Promise<void> => {
    const id = ++lastId.current;
    dispatch({ type: "request subgroups", name, id });
    try {
      const reply = await loadSubgroups(props, choice, name, offset);
      dispatch({ type: "reply subgroups", name, id, found: reply, more: offset > 0 });
    } catch (error) {
      dispatch({ type: "fail subgroups", name, id, message: failureMessage(error, FAILED, false) });
    }
  };
  useEffect(() => {
    for (const name of namesToLoad(state, MAX_REQUESTS)) void loadSubgroupsOf(name, 0);
  });

  const load = async (target: GroupRequest): Promise<void> => {
    const id = ++lastId.current;
    dispatch({ type: "request", id, target });
    try {
      const offset = target.more ? found.groups.length : 0;
      dispatch({ type: "reply", id, found: await loadGroups(props, target.choice, offset) });
    } catch (error) {
      dispatch({ type: "fail", id, message: failureMessage(error, FAILED, false) });
    }
  };

  const isChoosing = request !== null && !request.target.more;
  return {
    choice,
    found,
    failure: state.failure && { message: state.failure.message, ofMore: state.failure.target.more },
    subgroupsOf: (name: string) => state.subgroups.get(name),
    isBusy: request !== null,
    /** The choice made last; the groups on screen may still belong to an earlier one. */
    requested: isChoosing ? request.target.choice : choice,
    choose(target: Choice): void {
      const isSecondAlone = target.by === choice.by && target.sort === choice.sort;
      if (isSecondAlone && !isChoosing) dispatch({ type: "then", then: target.then });
      else void load({ choice: target, more: false });
    },
    loadMore(): void {
      if (request === null) void load({ choice, more: true });
    },
    retry(): void {
      if (state.failure) void load(state.failure.target);
    },
    toggle(name: string): void {
      dispatch({ type: opened.includes(name) ? "close" : "open", name });
    },
    /** Loads the next subgroups of a group, or again those that failed. */
    loadMoreOf(name: string): void {
      const subgroups = state.subgroups.get(name);
      if (subgroups?.request === null)
        void loadSubgroupsOf(name, (subgroups.isCurrent && subgroups.found?.groups.length) || 0);
    },
    openAll(): void {
      for (const { name } of found.groups.slice(0, MAX_OPENED_AT_ONCE))
        dispatch({ type: "open", name });
    },
    closeAll(): void {
      dispatch({ type: "close all" });
    },
  };
}

export type View = ReturnType<typeof useGroups>;

/** Applies the count, once, and reports the result. */
import { startTransition, useCallback, useEffect, useState } from "react";
import { ApiError, failureMessage } from "../shared/api";
import type { WatchKept } from "../shared/Kept";
import type { Schemas } from "../shared/openapi";
import type { Problem } from "../shared/Problems";
import { useSubmit } from "../shared/useSubmit";
import { type Changes, changesOf, NO_DIFFERENCES } from "./changes";
import { hasWrongPrice, isBlank, isReady } from "./found";
import { loadSending } from "./lazy";
import type { Props } from "./props";
import { foundTarget, requestOf, sortErrors } from "./request";
import type { CountStore } from "./store";

export interface Feedback {
  problems: Problem[];
  message: string;
}

/** Stands for the number of an operation where the count was applied as a whole list. */
const WITHOUT_NUMBER = "count";
const NO_FEEDBACK: Feedback = { problems: [], message: "" };
/** Of more wrong lines only the first are named at once. */
const MAX_NAMED = 20;

/** Returns the problems of the found items. */
function problemsOfFound(store: CountStore): Problem[] {
  return store.found.flatMap((found): Problem[] => {
    if (isBlank(found)) return [];
    const target = foundTarget(found.id);
    const name = found.name.trim();
    if (name !== "" && store.indexOf(name) !== undefined) {
      const message = `Already in the list: ${name}. Count it there and clear it here.`;
      return [{ message, target }];
    }
    if (!isReady(found)) return [{ message: "Enter name and quantity", target }];
    if (hasWrongPrice(found)) return [{ message: "Enter a price such as 2.10.", target }];
    return [];
  });
}

/** Returns the problems that must be corrected before the count is sent. */
function problemsIn(store: CountStore): Problem[] {
  const problems: Problem[] = [];
  const { undecided } = store.summary();
  if (undecided > 0) {
    problems.push({
      message: "Decide what to do with each line whose stock has changed.",
      target: "moved",
    });
  }
  for (const index of store.invalidLines(MAX_NAMED)) {
    const { item = "" } = store.items[index] ?? {};
    problems.push({ message: `Enter a whole number of 0 or more: ${item}`, target: item });
  }
  return [...problems, ...problemsOfFound(store)];
}

/** Returns an feedback with those problems that the count still has, and without its message. */
function afterChange(feedback: Feedback, store: CountStore): Feedback {
  const found = new Set(problemsIn(store).map(({ target }) => target));
  // One without a line stays until the count is applied again.
  const problems = feedback.problems.filter(
    ({ target }) => !target || found.has(target) || target in store.errors,
  );
  if (problems.length === 0) return NO_FEEDBACK;
  const isSame = problems.length === feedback.problems.length && feedback.message === "";
  return isSame ? feedback : { problems, message: "" };
}

/** Returns the lines whose stock has changed, when the count was refused for them; else null. */
function staleLinesOf({ code, body }: ApiError): Schemas["StaleAmountReply"][] | null {
  return code === "stale_amounts" ? ((body as Schemas["PatchConflictReply"]).moved ?? []) : null;
}

export function useApply(store: CountStore, props: Props, onKept: (watch: WatchKept) => void) {
  const { isBusy, submit } = useSubmit();
  const [feedback, setFeedback] = useState<Feedback>(NO_FEEDBACK);
  const [changes, setChanges] = useState<Changes | null>(null);
  const hasFeedback = feedback !== NO_FEEDBACK;
  useEffect(() => {
    // A message is about the count as it was, and so is a problem that was corrected.
    const update = () => setFeedback((now) => afterChange(now, store));
    return hasFeedback ? store.subscribe(update) : undefined;
  }, [store, hasFeedback]);

  /** Returns the problems of a failed request, and marks their lines. */
  const problemsOf = useCallback(
    (error: unknown, targets: string[]): Problem[] => {
      const message = failureMessage(error, "Failed to apply stock check");
      if (!(error instanceof ApiError)) return [{ message, target: null }];
      const stale = staleLinesOf(error);
      if (stale) {
        store.setStale(stale);
        return [{ message, target: "moved" }];
      }
      const { byTarget, whole } = sortErrors(error.fields, targets);
      store.setErrors(byTarget);
      const problems = [
        ...Object.entries(byTarget).map(([target, text]) => ({ message: text, target })),
        ...whole.map((text) => ({ message: text, target: null })),
      ];
      return problems.length > 0 ? problems : [{ message, target: null }];
    },
    [store],
  );

  /** Asks before the count is applied, unless it has problems or nothing to apply. */
  const prepare = useCallback(() => {
    const problems = problemsIn(store);
    const found = problems.length > 0 ? null : changesOf(store);
    setFeedback({ problems, message: found?.isEmpty ? NO_DIFFERENCES : "" });
    // Not within the tap, which has summed up all lines already.
    startTransition(() => setChanges(found?.isEmpty ? null : found));
  }, [store]);

  const keepCounting = useCallback(() => setChanges(null), []);

  const apply = useCallback(() => {
    setChanges(null);
    setFeedback({ problems: [], message: "Applying…" });
    let targets: string[] = [];
    const send = async () => {
      const { madeOn, sendCount } = await loadSending();
      const made = await madeOn(store.draft.edited, props);
      const request = requestOf(store, made.day);
      targets = request.targets;
      const handed = await sendCount(store, props, request, made);
      await store.draft.discard();
      if (handed.state === "kept") {
        onKept(handed.watch);
        return "staying" as const;
      }
      location.assign(`${props.back}?done=${handed.operation ?? WITHOUT_NUMBER}`);
      return "leaving" as const;
    };
    void submit(send, (error) =>
      setFeedback({ problems: problemsOf(error, targets), message: "" }),
    );
  }, [store, props, submit, problemsOf, onKept]);

  return { isBusy, feedback, setFeedback, changes, prepare, keepCounting, apply };
}

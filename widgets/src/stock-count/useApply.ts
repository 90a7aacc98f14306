/** Sends the count, once, and says how that went. */
import { useCallback, useState } from "react";
import { ApiError, sayFailure } from "../shared/api";
import type { Schemas } from "../shared/openapi";
import type { Problem } from "../shared/Problems";
import { patchStock } from "../shared/patch-stock";
import { hasWrongPrice, isBlank, isReady } from "./found";
import type { Props } from "./props";
import { complaints, foundTarget, requestOf } from "./request";
import type { CountStore } from "./store";

export interface Outcome {
  problems: Problem[];
  said: string;
}

const APPLY_SECONDS = 60;
/** What the list is told of a count that was applied as a whole list, which has no number. */
const WITHOUT_NUMBER = "count";
const NO_DIFFERENCES = "No differences to apply.";
const QUIET: Outcome = { problems: [], said: "" };

/** Returns what must be mended before anything is sent. */
function problemsIn(store: CountStore): Problem[] {
  const problems: Problem[] = [];
  const { wrong, undecided } = store.summary();
  if (undecided > 0)
    problems.push({ message: "Choose what to keep for each line that moved.", target: "moved" });
  const first = store.firstWrong();
  if (wrong > 0 && first !== undefined) {
    const { item = "" } = store.items[first] ?? {};
    problems.push({ message: `Enter a whole number of 0 or more: ${item}`, target: item });
  }
  for (const found of store.found) {
    if (isBlank(found)) continue;
    const isKnown = found.name.trim() !== "" && store.indexOf(found.name) !== undefined;
    if (isKnown)
      problems.push({
        message: `Already in the list: ${found.name.trim()}. Count it there and clear it here.`,
        target: foundTarget(found.id),
      });
    else if (!isReady(found))
      problems.push({ message: "Enter name and quantity", target: foundTarget(found.id) });
    else if (hasWrongPrice(found))
      problems.push({ message: "Enter a price such as 2.10.", target: foundTarget(found.id) });
  }
  return problems;
}

function isMoved(body: unknown): body is { moved: Schemas["MovedReply"][] } {
  return Array.isArray((body as { moved?: unknown } | null)?.moved);
}

export function useApply(store: CountStore, props: Props) {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>(QUIET);

  const refused = useCallback(
    (error: unknown, targets: string[]): Outcome => {
      const message = sayFailure(error, "Failed to apply stock check");
      if (!(error instanceof ApiError)) return { problems: [{ message, target: null }], said: "" };
      if (error.status === 409 && isMoved(error.body)) {
        store.setMoved(error.body.moved);
        return { problems: [{ message, target: "moved" }], said: "" };
      }
      const { at, whole } = complaints(error.fields, targets);
      store.setErrors(at);
      const lines = Object.entries(at).map(([target, text]) => ({ message: text, target }));
      const others = whole.map((text) => ({ message: text, target: null }));
      return {
        problems:
          lines.length + others.length ? [...lines, ...others] : [{ message, target: null }],
        said: "",
      };
    },
    [store],
  );

  const apply = useCallback(async () => {
    const problems = problemsIn(store);
    if (problems.length > 0) return setOutcome({ problems, said: "" });
    const { patch, targets, hasDifferences } = requestOf(store, props.today);
    setOutcome({ problems: [], said: hasDifferences ? "" : NO_DIFFERENCES });
    if (patch.ops.length === 0) return;
    setBusy(true);
    try {
      const key = await store.keyFor(JSON.stringify(patch));
      const operation = await patchStock(props, patch, { key, seconds: APPLY_SECONDS });
      await store.discard();
      location.assign(`${props.back}?done=${operation ?? WITHOUT_NUMBER}`);
    } catch (error) {
      setOutcome(refused(error, targets));
      setBusy(false);
    }
  }, [store, props, refused]);

  return { busy, outcome, setOutcome, apply };
}

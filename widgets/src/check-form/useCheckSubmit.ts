/** Sends the check, with those of its photos that have not arrived, and reports the result. */
import { useCallback, useEffect, useState } from "react";
import { ApiError, failureMessage } from "../shared/api";
import type { WatchKept } from "../shared/Kept";
import { useSubmit } from "../shared/useSubmit";
import { type Album, countUnsent } from "./album";
import {
  bodyOf,
  type Findings,
  findingsIn,
  findingsOf,
  NO_FINDINGS,
  type Question,
  withoutProblemsAt,
  withProblem,
} from "./check";
import { type Form, PHOTOS_ID } from "./fields";
import type { Check } from "./useCheck";
import type { Vehicle } from "./vehicles";

const FAILED = "Submit failed";
/** For so long a photo that makes no progress is waited for; then the outbox sends it. */
const PATIENCE_MS = 8_000;

/** What became of the check that was submitted last; `kept` is null for one that was sent. */
export interface Submitted {
  /** The plate of the vehicle. */
  subject: string;
  /** The words for what the check reported; '' if its form asks nothing that can fail. */
  outcome: string;
  kept: WatchKept | null;
  warnings: string[];
  /** What the server answered, or while the check is kept, that the vehicle mustn't be driven. */
  messages: string[];
}

/** Returns the problems that must be corrected before the check is sent, refused photos included. */
function allFindings(
  check: Check,
  form: Form,
  vehicles: Vehicle[] | null,
  questions: readonly Question[],
): Findings {
  const filledIn = findingsIn(form, check.answers, vehicles, check.today());
  const findings = questions.reduce((all, [id, text]) => withProblem(all, text, id), filledIn);
  const refused = check.album.photos.filter(({ state }) => state === "refused");
  return refused.reduce(
    (all, { name, reason }) => withProblem(all, `${name}: ${reason}`, PHOTOS_ID),
    findings,
  );
}

/** Returns whether photos are still waited for: until they have arrived, or the line is gone. */
function useUnready(album: Album, isWaiting: boolean): boolean {
  const [stalled, setStalled] = useState<Album | null>(null);
  useEffect(() => {
    if (!isWaiting) return undefined;
    // Progress makes another album, which starts the time again.
    const timer = setTimeout(() => setStalled(album), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [album, isWaiting]);
  const has = (requested: string) => album.photos.some(({ state }) => state === requested);
  if (has("preparing")) return true;
  return countUnsent(album) > 0 && !has("refused") && !has("stuck") && stalled !== album;
}

/** What the form says of a check: its outcome, that it stops the vehicle, and its questions without an answer. */
interface Judged {
  subject: string;
  outcome: string;
  stop: string;
  questions: readonly Question[];
}

/** The check waits while the vehicles load: without them, its plate can't be verified. */
export function useCheckSubmit(
  check: Check,
  form: Form,
  vehicles: Vehicle[] | null,
  isLoading: boolean,
  { subject, outcome, stop, questions }: Judged,
) {
  const { answers, album, photos, send, finish } = check;
  const { isBusy, submit: run } = useSubmit();
  const [findings, setFindings] = useState<Findings>(NO_FINDINGS);
  const [isWaiting, setWaiting] = useState(false);
  /** Null if the check has still to be submitted. */
  const [submitted, setSubmitted] = useState<Submitted | null>(null);
  const isUnready = useUnready(album, isWaiting && !isBusy);

  const onFailure = useCallback(
    (error: unknown) => {
      const fields = error instanceof ApiError ? error.fields : {};
      setFindings(findingsOf(form, fields, failureMessage(error, FAILED)));
    },
    [form],
  );

  const sendCheck = useCallback(async () => {
    const named = album.photos.map(({ name, hash }) => ({ name, id: hash }));
    const body = bodyOf(form, answers, vehicles, named, outcome);
    // The outbox sends what has not arrived.
    photos.pause();
    try {
      const handed = await send(form, body, stop);
      await finish();
      const result =
        handed.state === "kept"
          ? { kept: handed.watch, warnings: [], messages: stop ? [stop] : [] }
          : { kept: null, warnings: handed.warnings, messages: handed.messages };
      setSubmitted({ subject, outcome, ...result });
    } finally {
      photos.resume();
    }
    return "staying" as const;
  }, [album, photos, form, answers, vehicles, subject, outcome, stop, send, finish]);

  const findAll = useCallback(
    () => allFindings(check, form, vehicles, questions),
    [check, form, vehicles, questions],
  );

  useEffect(() => {
    if (!isWaiting || isBusy || isLoading || isUnready) return;
    setWaiting(false);
    // The form may have been changed while photos were being sent.
    const found = findAll();
    setFindings(found);
    if (found.problems.length === 0) void run(sendCheck, onFailure);
  }, [isWaiting, isBusy, isUnready, isLoading, findAll, run, sendCheck, onFailure]);

  const submit = useCallback(() => {
    setSubmitted(null);
    const found = findAll();
    setFindings(found);
    if (found.problems.length === 0) setWaiting(true);
  }, [findAll]);

  /** Removes the problems of a control that is being corrected. */
  const clearProblem = useCallback(
    (id: string) => setFindings((now) => withoutProblemsAt(id, now)),
    [],
  );
  const clear = useCallback(() => {
    setFindings(NO_FINDINGS);
    setWaiting(false);
    setSubmitted(null);
  }, []);

  return {
    findings,
    isWaiting: isWaiting && !isBusy,
    isBusy,
    submitted,
    submit,
    clearProblem,
    clear,
  };
}

/** Sends the check once its photos have arrived, and reports the result. */
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, failureMessage } from "../shared/api";
import { useSubmit } from "../shared/useSubmit";
import { countUnsent } from "./album";
import {
  bodyOf,
  type Findings,
  findingsIn,
  findingsOf,
  leftOutMessages,
  NO_FINDINGS,
  withoutProblemsAt,
  withProblem,
} from "./check";
import { type Form, PHOTOS_ID } from "./fields";
import { differences } from "./outbox";
import type { Check } from "./useCheck";
import type { Vehicle } from "./vehicles";

const FAILED = "Submit failed";

/** Returns the problems that must be corrected before the check is sent, refused photos included. */
function allFindings(check: Check, form: Form, vehicles: Vehicle[] | null): Findings {
  const findings = findingsIn(form, check.answers, vehicles);
  const refused = check.album.photos.filter(({ state }) => state === "refused");
  return refused.reduce(
    (all, { name, reason }) => withProblem(all, `${name}: ${reason}`, PHOTOS_ID),
    findings,
  );
}

/** Whether photos that the check names are missing on the server. */
const isAboutPhotos = (fields: Record<string, string>): boolean =>
  Object.keys(fields).some((field) => field.startsWith("photos"));

/** The check waits while the vehicles load: without them, its plate can't be verified. */
export function useCheckSubmit(
  check: Check,
  form: Form,
  vehicles: Vehicle[] | null,
  isLoading: boolean,
) {
  const { answers, album, photos, send, finish } = check;
  const { isBusy, submit: run } = useSubmit();
  /** Photos that are missing on the server are sent again once before the user sees an error. */
  const hasVerified = useRef(false);
  const [findings, setFindings] = useState<Findings>(NO_FINDINGS);
  const [isWaiting, setWaiting] = useState(false);
  /** The warnings about the check that was submitted last; null if it has still to be. */
  const [warnings, setWarnings] = useState<string[] | null>(null);

  const onFailure = useCallback(
    (error: unknown) => {
      const fields = error instanceof ApiError ? error.fields : {};
      if (!hasVerified.current && isAboutPhotos(fields)) {
        hasVerified.current = true;
        photos.verify();
        setWaiting(true);
      } else setFindings(findingsOf(form, fields, failureMessage(error, FAILED)));
    },
    [form, photos],
  );

  const sendCheck = useCallback(async () => {
    const named = album.photos.map(({ name, hash }) => ({ name, id: hash }));
    const body = bodyOf(form, answers, vehicles, named);
    const accepted = await send(body);
    await finish();
    const changed = differences(accepted.body, body);
    setWarnings([...accepted.warnings, ...leftOutMessages(form, changed, body)]);
    return "staying" as const;
  }, [album, form, answers, vehicles, send, finish]);

  const isRefused = album.photos.some(({ state }) => state === "refused");
  const unsent = countUnsent(album);
  useEffect(() => {
    if (!isWaiting || isBusy || isLoading || (unsent > 0 && !isRefused)) return;
    setWaiting(false);
    // The form may have been changed while photos were being sent.
    const found = allFindings(check, form, vehicles);
    setFindings(found);
    if (found.problems.length === 0) void run(sendCheck, onFailure);
  }, [
    isWaiting,
    isBusy,
    unsent,
    isRefused,
    check,
    form,
    vehicles,
    isLoading,
    run,
    sendCheck,
    onFailure,
  ]);

  const submit = useCallback(() => {
    setWarnings(null);
    hasVerified.current = false;
    const found = allFindings(check, form, vehicles);
    setFindings(found);
    if (found.problems.length === 0) setWaiting(true);
  }, [check, form, vehicles]);

  /** Removes the problems of a control that is being corrected. */
  const clearProblem = useCallback(
    (id: string) => setFindings((now) => withoutProblemsAt(id, now)),
    [],
  );
  const clear = useCallback(() => {
    setFindings(NO_FINDINGS);
    setWaiting(false);
    setWarnings(null);
  }, []);

  return {
    findings,
    isWaiting: isWaiting && !isBusy,
    isBusy,
    warnings,
    submit,
    clearProblem,
    clear,
  };
}

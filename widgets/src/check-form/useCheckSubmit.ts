/** Sends the check once its photos have arrived, once, and says how that went. */
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, sayFailure } from "../shared/api";
import {
  bodyOf,
  complaints,
  FINE,
  type Findings,
  findingsIn,
  mendedAt,
  sayLeftOut,
  withProblem,
} from "./check";
import { type Form, PHOTOS_ID } from "./fields";
import { differences } from "./outbox";
import { unsentOf } from "./queue";
import type { Check } from "./useCheck";
import type { Vehicle } from "./vehicles";

const SUBMITTED = "Vehicle check submitted.";
const FAILED = "Submit failed";

/** Returns what must be mended first, refused photos among it. */
function allFindings(check: Check, form: Form, vehicles: Vehicle[] | null): Findings {
  const found = findingsIn(form, check.filled, vehicles);
  const refused = check.album.photos.filter(({ state }) => state === "refused");
  return refused.reduce(
    (all, { name, reason }) => withProblem(all, `${name}: ${reason}`, PHOTOS_ID),
    found,
  );
}

/** `isLoading` tells that vehicles are on their way: without them a plate can't be judged. */
export function useSubmit(
  check: Check,
  form: Form,
  vehicles: Vehicle[] | null,
  isLoading: boolean,
) {
  const { filled, album, photos, send, done } = check;
  /** What the server misses is sent again once, without asking the person. */
  const hasDoubted = useRef(false);
  const [findings, setFindings] = useState<Findings>(FINE);
  const [isWaiting, setWaiting] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string[]>([]);

  const failed = useCallback(
    (error: unknown) => {
      const told = error instanceof ApiError ? error.fields : {};
      if (!hasDoubted.current && Object.keys(told).some((field) => field.startsWith("photos"))) {
        hasDoubted.current = true;
        photos.doubt();
        setWaiting(true);
      } else setFindings(complaints(form, told, sayFailure(error, FAILED)));
    },
    [form, photos],
  );

  const sendNow = useCallback(async () => {
    setBusy(true);
    const named = album.photos.map(({ name, hash }) => ({ name, id: hash }));
    const body = bodyOf(form, filled, vehicles, named);
    const taken = await send(body).catch(failed);
    if (taken) {
      await done();
      setSaid([
        SUBMITTED,
        ...taken.warnings,
        ...sayLeftOut(form, differences(taken.body, body), body),
      ]);
    }
    setBusy(false);
  }, [album, form, filled, vehicles, send, done, failed]);

  const isRefused = album.photos.some(({ state }) => state === "refused");
  const unsent = unsentOf(album);
  useEffect(() => {
    if (!isWaiting || busy || isLoading || (unsent > 0 && !isRefused)) return;
    setWaiting(false);
    // What was changed while photos were on their way counts too.
    const found = allFindings(check, form, vehicles);
    setFindings(found);
    if (found.problems.length === 0) void sendNow();
  }, [isWaiting, busy, unsent, isRefused, check, form, vehicles, isLoading, sendNow]);

  const submit = useCallback(() => {
    setSaid([]);
    hasDoubted.current = false;
    const found = allFindings(check, form, vehicles);
    setFindings(found);
    if (found.problems.length === 0) setWaiting(true);
  }, [check, form, vehicles]);

  /** Takes a complaint away when what it was about is being mended. */
  const mended = useCallback((id: string) => setFindings((now) => mendedAt(id, now)), []);
  const forget = useCallback(() => {
    setFindings(FINE);
    setWaiting(false);
    setSaid([]);
  }, []);

  return { findings, isWaiting: isWaiting && !busy, busy, said, submit, mended, forget };
}

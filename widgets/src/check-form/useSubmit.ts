/** Sends the check once its photos have arrived, once, and says how that went. */
import { useCallback, useEffect, useState } from "react";
import { ApiError, call, sayFailure } from "../shared/api";
import { bodyOf, complaints, FINE, type Findings, findingsIn, mendedAt, withProblem } from "./check";
import { type Form, PHOTOS_ID } from "./fields";
import { unsentOf } from "./queue";
import type { Props } from "./props";
import type { Check } from "./useCheck";
import type { Vehicle } from "./vehicles";

const SUBMITTED = "Vehicle check submitted.";
const FAILED = "Submit failed";
const SECONDS = 60;

interface Submitted {
  warnings?: string[];
}

/** Returns what must be mended first, refused photos among it. */
function allFindings(check: Check, form: Form, vehicles: Vehicle[] | null): Findings {
  const found = findingsIn(form, check.filled, vehicles);
  const refused = check.album.photos.filter(({ state }) => state === "refused");
  return refused.reduce((all, { name, reason }) => withProblem(all, `${name}: ${reason}`, PHOTOS_ID), found);
}

export function useSubmit(props: Props, check: Check, form: Form, vehicles: Vehicle[] | null) {
  const { api } = props;
  const { filled, album, photos, keyOf, done } = check;
  const [findings, setFindings] = useState<Findings>(FINE);
  const [isWaiting, setWaiting] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string[]>([]);

  const send = useCallback(async () => {
    setBusy(true);
    try {
      const named = album.photos.map(({ name, hash }) => ({ name, id: hash }));
      const body = bodyOf(form, filled, vehicles, named);
      const key = await keyOf(JSON.stringify(body));
      const { warnings = [] } = await call<Submitted>("POST", `${api}/checks`, { body, key, seconds: SECONDS });
      await done();
      setSaid([SUBMITTED, ...warnings]);
    } catch (error) {
      const told = error instanceof ApiError ? error.fields : {};
      if (Object.keys(told).some((field) => field.startsWith("photos"))) photos.doubt();
      setFindings(complaints(form, told, sayFailure(error, FAILED)));
    }
    setBusy(false);
  }, [album, form, filled, vehicles, keyOf, api, done, photos]);

  const isRefused = album.photos.some(({ state }) => state === "refused");
  const unsent = unsentOf(album);
  useEffect(() => {
    if (!isWaiting || busy || (unsent > 0 && !isRefused)) return;
    setWaiting(false);
    // What was changed while photos were on their way counts too.
    const found = allFindings(check, form, vehicles);
    setFindings(found);
    if (found.problems.length === 0) void send();
  }, [isWaiting, busy, unsent, isRefused, check, form, vehicles, send]);

  const submit = useCallback(() => {
    setSaid([]);
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

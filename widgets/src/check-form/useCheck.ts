/** The state of the check form: what is filled in, kept as it is filled. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import * as drafts from "../shared/drafts";
import { londonDay } from "../shared/times";
import { keyFor, type Sent } from "../shared/once";
import type { Filled } from "./check";
import { fresh, type Opened, ownerOf, rememberPerson } from "./kept";
import { PhotoQueue, type Tools } from "./queue";
import type { Props } from "./props";

/** Tells whether anything is filled in that isn't so by itself. */
function isFilled({ values, cost }: Filled, clean: Filled): boolean {
  return cost !== clean.cost || Object.entries(values).some(([name, text]) => text !== (clean.values[name] ?? ""));
}

export function useCheck(props: Props, opened: Opened, tools?: Tools) {
  const { templates } = props;
  const owner = useMemo(() => ownerOf(props), [props]);
  const [filled, setFilled] = useState(opened.filled);
  const [keptAt, setKeptAt] = useState<Date | null>(opened.kept?.until ?? null);
  const [clean, setClean] = useState(() => (opened.kept ? fresh(opened.person, templates) : opened.filled));
  const sent = useRef<Sent | null>(opened.sent);
  const isTouched = useRef(false);
  const isBegun = useRef(opened.kept !== null);

  /** Takes note of work; a page left open overnight is begun on the day it is touched. */
  const touch = useCallback(() => {
    if (!isTouched.current && !isBegun.current) setFilled((now) => ({ ...now, day: londonDay() }));
    isTouched.current = true;
  }, []);

  const photos = useMemo(() => {
    const keep = async (parts: [string, unknown][], dropped: string[] = []) => {
      touch();
      await drafts.putMany(owner, parts, dropped);
      setKeptAt(new Date());
    };
    return new PhotoQueue(props.photos, { put: (part, value) => keep([[part, value]]), drop: (parts) => keep([], parts) }, tools);
  }, [owner, props.photos, tools, touch]);
  const album = useSyncExternalStore(photos.subscribe, photos.current);
  useEffect(() => {
    if (opened.kept) photos.restore(opened.kept.parts);
    addEventListener("online", photos.retryAll);
    return () => {
      removeEventListener("online", photos.retryAll);
      photos.close();
    };
  }, [photos, opened]);

  const hasPhotos = album.photos.length > 0;
  const hasWork = hasPhotos || isFilled(filled, clean);
  useEffect(() => {
    if (!isTouched.current) return;
    if (hasWork) {
      // Written once, it tells since when there is a check.
      const parts: [string, unknown][] = isBegun.current ? [] : [["begun", true]];
      void drafts.putMany(owner, [...parts, ["form", filled]]).then(() => setKeptAt(new Date()));
    } else void drafts.discard(owner).then(() => setKeptAt(null));
    isBegun.current = hasWork;
  }, [owner, filled, hasWork]);

  const change = useCallback((part: Partial<Omit<Filled, "values">>) => {
    touch();
    setFilled((now) => ({ ...now, ...part }));
  }, [touch]);
  const setValue = useCallback((name: string, text: string) => {
    touch();
    setFilled((now) => ({ ...now, values: { ...now.values, [name]: text } }));
  }, [touch]);

  /** Empties the form but for its type, and forgets what was kept. */
  const reset = useCallback(
    async (person?: Record<string, string>) => {
      photos.clear();
      isTouched.current = false;
      isBegun.current = false;
      sent.current = null;
      const values = person ? fresh(person, templates).values : clean.values;
      setFilled((now) => ({ formType: now.formType, values, cost: clean.cost, day: londonDay() }));
      setClean((now) => ({ ...now, values }));
      await drafts.discard(owner);
      setKeptAt(null);
    },
    [owner, photos, clean, templates],
  );

  /** Takes note that the check was sent. */
  const done = useCallback(async () => reset(await rememberPerson(props, filled)), [props, filled, reset]);

  /** Returns the key for this content, kept with the form: also a reload sends it under the same one. */
  const keyOf = useCallback(
    async (content: string) => {
      const before = sent.current;
      sent.current = keyFor(content, before);
      if (sent.current !== before) await drafts.put(owner, "sent", sent.current);
      return sent.current.key;
    },
    [owner],
  );

  const hasUnsent = useCallback(() => isBegun.current && hasWork, [hasWork]);

  return { filled, album, photos, keptAt, hasWork, hasUnsent, change, setValue, reset, done, keyOf };
}

export type Check = ReturnType<typeof useCheck>;

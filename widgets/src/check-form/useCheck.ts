/** The state of the check form: what is filled in, kept as it is filled. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import * as drafts from "../shared/drafts";
import { newKey } from "../shared/once";
import { londonDay } from "../shared/times";
import type { Body, Filled } from "./check";
import { discard, FORM, fresh, type KeptForm, type Opened, ownerOf, rememberPerson } from "./kept";
import { Outbox } from "./outbox";
import type { Props } from "./props";
import { PhotoQueue, type Tools } from "./queue";

/** Tells whether anything is filled in that isn't so by itself. */
function isFilled({ values, cost }: Filled, clean: Filled): boolean {
  return (
    cost !== clean.cost ||
    Object.entries(values).some(([name, text]) => text !== (clean.values[name] ?? ""))
  );
}

export function useCheck(props: Props, opened: Opened, tools?: Tools) {
  const { templates } = props;
  const owner = useMemo(() => ownerOf(props), [props]);
  const [filled, setFilled] = useState(opened.filled);
  const [keptAt, setKeptAt] = useState<Date | null>(opened.kept?.until ?? null);
  const [clean, setClean] = useState(() =>
    opened.kept ? fresh(opened.person, templates) : opened.filled,
  );
  const key = useRef(opened.key);
  const outbox = useMemo(
    () => new Outbox(owner, props.division, opened.unanswered),
    [owner, props.division, opened],
  );
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
    return new PhotoQueue(
      props.photos,
      { put: (part, value) => keep([[part, value]]), drop: (parts) => keep([], parts) },
      tools,
    );
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
      void drafts
        .putMany(owner, [...parts, [FORM, { ...filled, key: key.current } satisfies KeptForm]])
        .then(() => setKeptAt(new Date()));
    } else {
      // All was taken out again: what is typed next is another check.
      key.current = newKey();
      outbox.clear();
      void drafts.discard(owner).then(() => setKeptAt(null));
    }
    isBegun.current = hasWork;
  }, [owner, outbox, filled, hasWork]);

  const change = useCallback(
    (part: Partial<Omit<Filled, "values">>) => {
      touch();
      setFilled((now) => ({ ...now, ...part }));
    },
    [touch],
  );
  const setValue = useCallback(
    (name: string, text: string) => {
      touch();
      setFilled((now) => ({ ...now, values: { ...now.values, [name]: text } }));
    },
    [touch],
  );

  /** Empties the form but for its type, forgets what was kept, and begins another check. */
  const reset = useCallback(
    async (values = clean.values) => {
      const before = key.current;
      key.current = newKey();
      outbox.clear();
      photos.clear();
      isTouched.current = false;
      isBegun.current = false;
      setFilled((now) => ({ formType: now.formType, values, cost: clean.cost, day: londonDay() }));
      setClean((now) => ({ ...now, values }));
      await discard(owner, before);
      setKeptAt(null);
    },
    [owner, outbox, photos, clean],
  );

  /** Takes note that the check was sent. */
  const done = useCallback(
    async () => reset(fresh(await rememberPerson(props, filled), templates).values),
    [props, filled, reset, templates],
  );

  const send = useCallback((body: Body) => outbox.send(key.current, body), [outbox]);

  const hasUnsent = useCallback(() => isBegun.current && hasWork, [hasWork]);

  return {
    filled,
    clean,
    album,
    photos,
    keptAt,
    hasWork,
    hasUnsent,
    change,
    setValue,
    reset,
    done,
    send,
  };
}

export type Check = ReturnType<typeof useCheck>;

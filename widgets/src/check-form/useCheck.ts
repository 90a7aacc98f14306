/** The state of the check form: what is filled in, kept as it is filled. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import * as drafts from "../shared/drafts";
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
  const { templates, today } = props;
  const owner = useMemo(() => ownerOf(props), [props]);
  const [filled, setFilled] = useState(opened.filled);
  const [keptAt, setKeptAt] = useState<Date | null>(opened.kept?.until ?? null);
  const [clean, setClean] = useState(() => (opened.kept ? fresh(opened.person, templates, today) : opened.filled));
  const sent = useRef<Sent | null>(opened.sent);
  const isTouched = useRef(opened.kept !== null);

  const photos = useMemo(() => {
    const put = async (part: string, value: unknown) => {
      await drafts.put(owner, part, value);
      setKeptAt(new Date());
    };
    return new PhotoQueue(props.photos, { put, drop: (parts) => drafts.putMany(owner, [], parts) }, tools);
  }, [owner, props.photos, tools]);
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
    if (hasPhotos) isTouched.current = true;
    if (!isTouched.current) return;
    if (hasWork) void drafts.put(owner, "form", filled).then(() => setKeptAt(new Date()));
    else {
      setKeptAt(null);
      void drafts.discard(owner);
    }
  }, [owner, filled, hasWork, hasPhotos]);

  const change = useCallback((part: Partial<Omit<Filled, "values">>) => {
    isTouched.current = true;
    setFilled((now) => ({ ...now, ...part }));
  }, []);
  const setValue = useCallback((name: string, text: string) => {
    isTouched.current = true;
    setFilled((now) => ({ ...now, values: { ...now.values, [name]: text } }));
  }, []);

  /** Empties the form but for its type, and forgets what was kept. */
  const reset = useCallback(
    async (person?: Record<string, string>) => {
      isTouched.current = false;
      sent.current = null;
      photos.clear();
      const values = person ? fresh(person, templates, today).values : clean.values;
      setFilled((now) => ({ formType: now.formType, values, cost: clean.cost, day: today }));
      setClean((now) => ({ ...now, values }));
      await drafts.discard(owner);
      setKeptAt(null);
    },
    [owner, photos, clean, templates, today],
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

  const hasUnsent = useCallback(() => isTouched.current && hasWork, [hasWork]);

  return { filled, album, photos, keptAt, hasWork, hasUnsent, change, setValue, reset, done, keyOf };
}

export type Check = ReturnType<typeof useCheck>;

/** The state of the check form: the answers and photos, saved as a draft while they change. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import * as drafts from "../shared/drafts";
import { FORM } from "../shared/drafts";
import { newKey } from "../shared/once";
import type { Answers, SavedForm } from "../shared/saved-check";
import { todayBy } from "../shared/times";
import { type DraftParts, useAutosave } from "../shared/useAutosave";
import type { Body } from "./check";
import { discardDraft, emptyAnswers, nextStart, type Opened, ownerOf } from "./draft";
import type { Form } from "./fields";
import { loadSending, preload } from "./lazy";
import type { Props } from "./props";
import { PhotoQueue, type Tools } from "./queue";

/** Whether the answers differ from those of an empty form. */
function isFilled({ values, cost, defects, drive, booking }: Answers, empty: Answers): boolean {
  return (
    cost !== empty.cost ||
    drive !== undefined ||
    booking?.number !== empty.booking?.number ||
    Object.keys(defects?.answers ?? {}).length > 0 ||
    Object.entries(values).some(([name, text]) => text !== (empty.values[name] ?? ""))
  );
}

export function useCheck(props: Props, opened: Opened, tools?: Tools) {
  const { templates } = props;
  const { clockOffset } = opened;
  const today = useCallback(() => todayBy(clockOffset), [clockOffset]);
  const [start, setStart] = useState(props.start);
  const owner = useMemo(() => ownerOf(props), [props]);
  const [answers, setAnswers] = useState(opened.answers);
  const [empty, setEmpty] = useState(() =>
    opened.draft ? emptyAnswers(props.start, templates, today(), props.booking) : opened.answers,
  );
  const [savedAt, setSavedAt] = useState(opened.draft?.until ?? null);
  const [isEdit, setEdit] = useState(opened.isEdit);
  const key = useRef(opened.key);
  const isTouched = useRef(false);
  const hasDraft = useRef(opened.draft !== null);

  /** Marks the check as changed. A page left open overnight starts its check on that day. */
  const touch = useCallback(() => {
    if (!isTouched.current && !hasDraft.current) {
      setAnswers((now) => ({ ...now, day: today() }));
    }
    isTouched.current = true;
  }, [today]);

  const photos = useMemo(() => {
    const save = async (parts: DraftParts, removed: string[] = []) => {
      touch();
      await drafts.putMany(owner, parts, removed);
      setSavedAt(new Date());
    };
    const draft = {
      put: (part: string, value: unknown) => save([[part, value]]),
      remove: (parts: string[]) => save([], parts),
    };
    return new PhotoQueue(props.photos, draft, tools);
  }, [owner, props.photos, tools, touch]);
  useEffect(preload, []);
  const album = useSyncExternalStore(photos.subscribe, photos.current);
  useEffect(() => {
    if (opened.draft) photos.restore(opened.draft.parts);
    addEventListener("online", photos.retryAll);
    return () => {
      removeEventListener("online", photos.retryAll);
      photos.close();
    };
  }, [photos, opened]);

  const hasWork = album.photos.length > 0 || isFilled(answers, empty);
  const parts = useMemo((): DraftParts | null => {
    if (!hasWork) return null;
    // Written once, `begun` dates the draft: the form is written again with every change.
    const begun: DraftParts = hasDraft.current ? [] : [["begun", true]];
    return [...begun, [FORM, { ...answers, key: key.current } satisfies SavedForm]];
  }, [answers, hasWork]);
  useAutosave({ owner, parts, isTouched, onSaved: setSavedAt });
  useEffect(() => {
    if (!isTouched.current) return;
    if (parts === null) {
      // The form is empty again: the next input starts another check.
      key.current = newKey();
    }
    hasDraft.current = parts !== null;
  }, [parts]);

  const change = useCallback(
    (part: Partial<Omit<Answers, "values">>) => {
      touch();
      setAnswers((now) => ({ ...now, ...part }));
    },
    [touch],
  );
  const setValue = useCallback(
    (name: string, text: string) => {
      touch();
      setAnswers((now) => ({ ...now, values: { ...now.values, [name]: text } }));
    },
    [touch],
  );

  /** Empties the form but for its type, discards the draft, and starts another check. */
  const reset = useCallback(
    async ({ values, booking }: Pick<Answers, "values" | "booking"> = empty) => {
      const oldKey = key.current;
      key.current = newKey();
      photos.clear();
      isTouched.current = false;
      hasDraft.current = false;
      setAnswers((now) => ({
        formType: now.formType,
        values,
        cost: empty.cost,
        day: today(),
        booking,
      }));
      setEmpty((now) => ({ ...now, values, booking }));
      setEdit(false);
      await discardDraft(owner, oldKey);
      if (isEdit) await (await loadSending()).resume(oldKey);
      setSavedAt(null);
    },
    [owner, photos, empty, isEdit, today],
  );

  /** Starts the next check after this one was sent; it keeps the details of its person. */
  const finish = useCallback(async () => {
    const next = nextStart({ ...props, start }, answers);
    setStart(next);
    await reset(emptyAnswers(next, templates, today()));
  }, [props, start, answers, reset, templates, today]);

  const send = useCallback(
    async (form: Form, body: Body, stop: string) => {
      const { sendCheck } = await loadSending();
      const filledIn = { key: key.current, form, answers, body, stop };
      return sendCheck(props, filledIn, await photos.contents());
    },
    [props, answers, photos],
  );

  const hasUnsent = useCallback(() => hasDraft.current && hasWork, [hasWork]);

  return {
    start,
    answers,
    empty,
    album,
    photos,
    savedAt,
    isEdit,
    today,
    hasWork,
    hasUnsent,
    change,
    setValue,
    reset,
    finish,
    send,
  };
}

export type Check = ReturnType<typeof useCheck>;

/** The state of a bulk update: its fields and lines, saved as a draft while they change. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { DraftKey } from "../shared/draft-key";
import * as drafts from "../shared/drafts";
import { type DraftParts, useAutosave } from "../shared/useAutosave";
import type { Fields } from "./form";
import { isBlank, type Line, newLine, withPasted } from "./lines";
import type { Props } from "./props";

/** The draft of an earlier visit, until the user decides about it. */
interface Offered {
  lines: Line[];
  fields: Partial<Fields>;
  since: Date;
}

const emptyFields = (today: string): Fields => ({
  action: "delivery",
  destination: "",
  autoCreate: true,
  date: today,
  team: "",
});

const named = (lines: Line[]): Line[] => lines.filter((line) => !isBlank(line));

export function useBulk({ user, division, site, sites, today }: Props) {
  const owner = useMemo(
    () => ({ user, division, site, kind: "bulk-update" }),
    [user, division, site],
  );
  const key = useMemo(() => new DraftKey(owner), [owner]);
  const [fields, setFields] = useState<Fields>(() => emptyFields(today));
  const [lines, setLines] = useState<Line[]>(() => [newLine()]);
  const [offered, setOffered] = useState<Offered | null>(null);
  const isTouched = useRef(false);
  const [focusedId, setFocusedId] = useState<string | null>(null);

  useEffect(() => {
    void drafts.load(owner).then((draft) => {
      const saved = draft?.parts.get("lines") as Omit<Line, "id">[] | undefined;
      if (!draft || !saved?.length) return;
      key.restore(draft);
      setOffered({
        lines: saved.map(({ name, qty }) => newLine(name, qty)),
        fields: (draft.parts.get("fields") as Partial<Fields> | undefined) ?? {},
        since: draft.since,
      });
    });
  }, [owner, key]);

  const parts = useMemo((): DraftParts | null => {
    // An offered draft stays saved, before the new lines, until the user decides about it.
    const all = named([...(offered?.lines ?? []), ...lines]);
    if (all.length === 0) return null;
    return [
      ["lines", all.map(({ name, qty }) => ({ name, qty }))],
      ["fields", fields],
    ];
  }, [fields, lines, offered]);
  useAutosave({ owner, parts, isTouched });

  useEffect(() => {
    if (focusedId === null) return;
    document.getElementById(focusedId)?.focus();
    setFocusedId(null);
  }, [focusedId]);

  const edit = useCallback((change: (lines: Line[]) => Line[]) => {
    isTouched.current = true;
    setLines(change);
  }, []);

  const setField = useCallback((part: Partial<Fields>) => {
    isTouched.current = true;
    setFields((now) => ({ ...now, ...part }));
  }, []);

  const changeLine = useCallback(
    (id: string, part: Partial<Line>) =>
      edit((all) => all.map((line) => (line.id === id ? { ...line, ...part } : line))),
    [edit],
  );

  const pasteLines = useCallback(
    (id: string, pasted: { name: string; qty: string }[]) =>
      edit((all) => {
        const index = all.findIndex((line) => line.id === id);
        return withPasted(all, index, pasted);
      }),
    [edit],
  );

  const acceptOffered = useCallback(() => {
    if (!offered) return;
    edit((now) => [...offered.lines, ...named(now)]);
    const { action } = offered.fields;
    const isPossible = action !== "transfer" || sites.length > 1;
    setField({ ...offered.fields, ...(isPossible ? {} : { action: "delivery" }) });
    setOffered(null);
  }, [offered, edit, setField, sites.length]);

  const discardOffered = useCallback(() => {
    isTouched.current = true;
    setOffered(null);
  }, []);

  const discard = useCallback(async () => {
    isTouched.current = false;
    await drafts.discard(owner);
  }, [owner]);

  const hasUnsent = useCallback(() => isTouched.current && named(lines).length > 0, [lines]);

  return {
    fields,
    lines,
    offered,
    setField,
    edit,
    changeLine,
    pasteLines,
    acceptOffered,
    discardOffered,
    keyFor: (content: string) => key.keyFor(content),
    discard,
    hasUnsent,
    focus: setFocusedId,
  };
}

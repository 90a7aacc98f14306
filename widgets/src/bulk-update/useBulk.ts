/** The state of a bulk update: typed lines, kept as they are typed, and what was kept before. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import * as drafts from "../shared/drafts";
import { keyFor, type Sent } from "../shared/once";
import type { Fields } from "./form";
import { isBlank, type Line, newLine, withPasted } from "./lines";
import type { Props } from "./props";

interface Offered {
  lines: Line[];
  fields: Partial<Fields>;
  since: Date;
}

const fresh = (today: string): Fields => ({
  action: "delivery",
  destination: "",
  autoCreate: true,
  date: today,
  team: "",
});

function hasContent(lines: Line[]): boolean {
  return lines.some((line) => !isBlank(line));
}

export function useBulk({ user, division, site, sites, today }: Props) {
  const owner = useMemo(
    () => ({ user, division, site, kind: "bulk-update" }),
    [user, division, site],
  );
  const [fields, setFields] = useState<Fields>(() => fresh(today));
  const [lines, setLines] = useState<Line[]>(() => [newLine()]);
  const [offered, setOffered] = useState<Offered | null>(null);
  const sent = useRef<Sent | null>(null);
  const isTouched = useRef(false);
  const [focusOn, setFocusOn] = useState<string | null>(null);

  useEffect(() => {
    void drafts.load(owner).then((kept) => {
      const before = kept?.parts.get("lines") as Omit<Line, "id">[] | undefined;
      if (!kept || !before?.length) return;
      sent.current = (kept.parts.get("sent") as Sent | undefined) ?? null;
      const fields = (kept.parts.get("fields") as Partial<Fields> | undefined) ?? {};
      setOffered({
        lines: before.map(({ name, qty }) => newLine(name, qty)),
        fields,
        since: kept.since,
      });
    });
  }, [owner]);

  useEffect(() => {
    if (!isTouched.current) return;
    // What was offered and not yet decided about stays kept in front of what is typed meanwhile.
    const all = [...(offered?.lines ?? []), ...lines].filter((line) => !isBlank(line));
    if (all.length === 0) void drafts.discard(owner);
    else {
      const typed = all.map(({ name, qty }) => ({ name, qty }));
      void drafts.putMany(owner, [
        ["lines", typed],
        ["fields", fields],
      ]);
    }
  }, [owner, fields, lines, offered]);

  useEffect(() => {
    if (focusOn === null) return;
    document.getElementById(focusOn)?.focus();
    setFocusOn(null);
  }, [focusOn]);

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
      edit((all) =>
        withPasted(
          all,
          all.findIndex((line) => line.id === id),
          pasted,
        ),
      ),
    [edit],
  );

  const takeOffered = useCallback(() => {
    if (!offered) return;
    edit((now) => [...offered.lines, ...now.filter((line) => !isBlank(line))]);
    const { action } = offered.fields;
    const isPossible = action !== "transfer" || sites.length > 1;
    setField({ ...offered.fields, ...(isPossible ? {} : { action: "delivery" }) });
    setOffered(null);
  }, [offered, edit, setField, sites.length]);

  const dropOffered = useCallback(() => {
    isTouched.current = true;
    setOffered(null);
  }, []);

  /** Returns the key for this content, kept with the lines: also a reload sends it under the same one. */
  const keyOf = useCallback(
    async (content: string) => {
      const before = sent.current;
      sent.current = keyFor(content, before);
      if (sent.current !== before) await drafts.put(owner, "sent", sent.current);
      return sent.current.key;
    },
    [owner],
  );

  const discard = useCallback(async () => {
    isTouched.current = false;
    await drafts.discard(owner);
  }, [owner]);

  const hasUnsent = useCallback(() => isTouched.current && hasContent(lines), [lines]);

  return {
    fields,
    lines,
    offered,
    setField,
    edit,
    changeLine,
    pasteLines,
    takeOffered,
    dropOffered,
    keyOf,
    discard,
    hasUnsent,
    focus: setFocusOn,
  };
}

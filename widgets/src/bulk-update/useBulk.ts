/** The state of a bulk update: its fields and lines, saved as a draft while they change. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { DraftKey } from "../shared/draft-key";
import * as drafts from "../shared/drafts";
import { type DraftParts, useAutosave } from "../shared/useAutosave";
import type { Fields } from "./form";
import { isBlank, type Line, newLine, withPasted } from "./lines";
import type { Props } from "./props";

/** What was entered; without a team the one of the user's last delivery or withdrawal is meant. */
type Entered = Omit<Fields, "team"> & { team: string | null };

const emptyFields = (today: string): Entered => ({
  action: "delivery",
  destination: "",
  autoCreate: true,
  date: today,
  team: null,
});

const NO_TEAMS: string[] = [];

const named = (lines: Line[]): Line[] => lines.filter((line) => !isBlank(line));

export function useBulk(props: Props) {
  const { user, division, site, sites, today, deliveryTeams, withdrawalTeams } = props;
  const owner = useMemo(
    () => ({ user, division, site, kind: "bulk-update" }),
    [user, division, site],
  );
  const key = useMemo(() => new DraftKey(owner), [owner]);
  const [entered, setEntered] = useState<Entered>(() => emptyFields(today));
  const [lines, setLines] = useState<Line[]>(() => [newLine()]);
  /** Since when the lines of an earlier visit are saved, until they are changed. */
  const [resumedFrom, setResumedFrom] = useState<Date | null>(null);
  const isTouched = useRef(false);
  const [focusedId, setFocusedId] = useState<string | null>(null);

  const { action } = entered;
  const recentTeams =
    action === "delivery" ? deliveryTeams : action === "withdrawal" ? withdrawalTeams : NO_TEAMS;
  const team = entered.team ?? recentTeams[0] ?? "";
  const fields = useMemo((): Fields => ({ ...entered, team }), [entered, team]);

  const canTransfer = sites.length > 1;
  useEffect(() => {
    void drafts.load(owner).then((draft) => {
      const saved = draft?.parts.get("lines") as Omit<Line, "id">[] | undefined;
      if (!draft || !saved?.length) return;
      key.restore(draft);
      const before = (draft.parts.get("fields") as Partial<Entered> | undefined) ?? {};
      const isPossible = before.action !== "transfer" || canTransfer;
      setEntered((now) => ({ ...now, ...before, ...(isPossible ? {} : { action: "delivery" }) }));
      setLines((now) => [...saved.map(({ name, qty }) => newLine(name, qty)), ...named(now)]);
      setResumedFrom(draft.since);
    });
  }, [owner, key, canTransfer]);

  const parts = useMemo((): DraftParts | null => {
    const all = named(lines);
    if (all.length === 0) return null;
    return [
      ["lines", all.map(({ name, qty }) => ({ name, qty }))],
      ["fields", entered],
    ];
  }, [entered, lines]);
  useAutosave({ owner, parts, isTouched });

  useEffect(() => {
    if (focusedId === null) return;
    document.getElementById(focusedId)?.focus();
    setFocusedId(null);
  }, [focusedId]);

  const edit = useCallback((change: (lines: Line[]) => Line[]) => {
    isTouched.current = true;
    setResumedFrom(null);
    setLines(change);
  }, []);

  const setField = useCallback((part: Partial<Fields>) => {
    isTouched.current = true;
    setEntered((now) => ({ ...now, ...part }));
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

  const startAgain = useCallback(() => {
    edit(() => [newLine()]);
    setEntered(emptyFields(today));
  }, [edit, today]);

  const discard = useCallback(async () => {
    isTouched.current = false;
    await drafts.discard(owner);
  }, [owner]);

  const hasUnsent = useCallback(() => isTouched.current && named(lines).length > 0, [lines]);

  return {
    fields,
    lines,
    recentTeams,
    resumedFrom,
    setField,
    edit,
    changeLine,
    pasteLines,
    startAgain,
    keyFor: (content: string) => key.keyFor(content),
    discard,
    hasUnsent,
    focus: setFocusedId,
  };
}

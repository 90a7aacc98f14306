/** One entry: what it is, why it waits, and what can be done. */
import { useEffect, useId, useState } from "react";
import { plural } from "../../shared/plural";
import type { Entry } from "../entry";
import { type Choice, type KindOfEntry, kindOf } from "../kinds";
import type { Status } from "../line";
import { reasonOf } from "../reasons";
import * as actions from "./actions";
import { madeText } from "./times";

interface Props {
  entry: Entry;
  entries: readonly Entry[];
  status: Status | null;
  isBusy: boolean;
  onAct: (action: actions.Action) => void;
}

const MADE_LONG_AGO = "made_long_ago";
const EDIT = "Edit";
const DISCARD = "Discard";

function useKind(entry: Entry): KindOfEntry | null {
  const [kind, setKind] = useState<KindOfEntry | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void kindOf(entry)
      .catch(() => null)
      .then((loaded) => isCurrent && setKind(loaded));
    return () => {
      isCurrent = false;
    };
  }, [entry]);
  return kind;
}

function State({
  entry,
  entries,
  status,
  kind,
}: Omit<Props, "isBusy" | "onAct"> & { kind: KindOfEntry | null }) {
  if (entry.state === "waiting") return <p className="why">{reasonOf(entry, entries, status)}</p>;
  const { message = "", fields = {} } = entry.failure ?? {};
  const conflict = entry.state === "conflict" ? kind?.conflictOf?.(entry) : undefined;
  const others = Object.values(fields).filter((text) => text !== message);
  return (
    <div className={entry.state === "conflict" ? "notice warn" : "notice bad"}>
      <p>{conflict || message || "The server refused this."}</p>
      {others.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function choicesOf(entry: Entry, kind: KindOfEntry | null): Choice[] {
  return entry.state === "conflict" && kind ? kind.choices(entry) : [];
}

export function EntryCard({ entry, entries, status, isBusy, onAct }: Props) {
  const id = useId();
  const kind = useKind(entry);
  const choices = choicesOf(entry, kind);
  const hasChoice = (label: string) => choices.some((choice) => choice.label === label);
  const isOld = entry.failure?.code === MADE_LONG_AGO;
  const button = (label: string, action: actions.Action, className = "btn") => (
    <button
      key={label}
      type="button"
      className={className}
      disabled={isBusy}
      aria-describedby={id}
      onClick={() => onAct(action)}
    >
      {label}
    </button>
  );
  return (
    <li className="entry" aria-labelledby={id}>
      <h3 id={id}>{entry.title}</h3>
      <p className="muted">
        {entry.detail && `${entry.detail} · `}
        made {madeText(entry)}
        {entry.photos.length > 0 && ` · ${plural(entry.photos.length, "photo", "photos")}`}
      </p>
      <State entry={entry} entries={entries} status={status} kind={kind} />
      <div className="row">
        {choices.map((choice, place) =>
          button(
            choice.label,
            () => actions.choose(entry, choice),
            choice.isDanger ? "btn danger" : place === 0 ? "btn primary" : "btn",
          ),
        )}
        {isOld
          ? button("Send all the same", () => actions.sendConfirmed(entry), "btn primary")
          : button(entry.state === "waiting" ? "Send now" : "Send again", () =>
              actions.send(entry),
            )}
        {kind && !hasChoice(EDIT) && button(EDIT, () => actions.edit(entry, kind))}
        {button("Save as a file", () => actions.save([entry]))}
        {!hasChoice(DISCARD) && button(DISCARD, () => actions.throwAway(entry), "btn danger")}
      </div>
    </li>
  );
}

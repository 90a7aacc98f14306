/** One entry: what it is, why it waits, and what can be done. */
import { useId } from "react";
import { plural } from "../../shared/money";
import { dayOf, type Entry, isWaiting } from "../entry";
import { type KindOfEntry, kindOf } from "../kinds";
import type { Status } from "../line";
import { reasonOf } from "../reasons";
import * as actions from "./actions";
import { datedText, madeText } from "./times";

interface Props {
  entry: Entry;
  entries: readonly Entry[];
  status: Status | null;
  isBusy: boolean;
  onAct: (action: actions.Action) => void;
}

const MADE_LONG_AGO = "made_long_ago";
/** The codes of refusals that no edit mends: the person lacks the role, or the division. */
const NOT_ALLOWED = ["role_required", "read_only", "forbidden"];

/** Why an entry waits; the page says itself that there is no connection. */
function Why({ entry, entries, status }: Pick<Props, "entry" | "entries" | "status">) {
  const isOffline = status?.state === "no connection" && !entry.pause;
  return isOffline ? null : <p className="why">{reasonOf(entry, entries, status)}</p>;
}

function Failed({ entry, kind }: { entry: Entry; kind: KindOfEntry | null }) {
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

interface Control {
  label: string;
  action: actions.Action;
  isDanger?: boolean | undefined;
}

function sendingOf(entry: Entry, kind: KindOfEntry | null): Control {
  if (entry.failure?.code === MADE_LONG_AGO)
    return { label: "Send all the same", action: () => actions.sendConfirmed(entry) };
  if (entry.pause) return { label: "Send as it is", action: () => actions.sendAsItIs(entry, kind) };
  return {
    label: entry.state === "waiting" ? "Send now" : "Send again",
    action: () => actions.send(entry),
  };
}

interface Controls {
  /** What settles a conflict. */
  special: Control[];
  /** What can be done with any entry, always in the same order. */
  usual: Control[];
  /** The best of all. */
  main: Control;
}

function controlsOf(entry: Entry, kind: KindOfEntry | null): Controls {
  const isDecided = entry.state !== "conflict" || entry.pause !== null;
  const settlement = isDecided ? null : kind?.settle?.(entry);
  const settling = settlement && {
    label: settlement.label,
    action: () => actions.settle(entry, settlement),
  };
  const send = sendingOf(entry, kind);
  const isChoice = !isDecided && !settlement;
  const edit = kind && {
    label: entry.pause ? "Go on editing" : isChoice ? "Choose" : "Edit",
    action: () => actions.edit(entry, kind),
  };
  const save = { label: "Save as a file", action: () => actions.save([entry]) };
  const discard = {
    label: "Discard",
    action: () => actions.throwAway(entry, kind),
    isDanger: true,
  };
  const code = entry.failure?.code ?? "";
  const isSentFirst = isWaiting(entry) || code === MADE_LONG_AGO || NOT_ALLOWED.includes(code);
  return {
    special: settling ? [settling] : [],
    usual: [send, edit, save, discard].filter((control) => control !== null),
    main: settling || (!isSentFirst && edit) || send,
  };
}

/** An entry that waits by itself needs nobody, so its best button doesn't call for anybody. */
function classOf(control: Control, main: Control, entry: Entry): string {
  if (control === main) return isWaiting(entry) ? "btn" : "btn primary";
  return control.isDanger ? "btn quiet danger" : "btn quiet";
}

export function EntryCard({ entry, entries, status, isBusy, onAct }: Props) {
  const id = useId();
  const kind = kindOf(entry);
  const { special, usual, main } = controlsOf(entry, kind);
  const facts = [
    entry.detail,
    datedText(dayOf(entry), entry),
    `made ${madeText(entry)}`,
    entry.photos.length > 0 && plural(entry.photos.length, "photo", "photos"),
  ];
  return (
    <li className="entry" aria-labelledby={id}>
      <h3 id={id}>{entry.title}</h3>
      <p className="muted">{facts.filter(Boolean).join(" · ")}</p>
      {entry.state !== "waiting" && <Failed entry={entry} kind={kind} />}
      {(entry.state === "waiting" || entry.pause) && (
        <Why entry={entry} entries={entries} status={status} />
      )}
      {[special, usual].map(
        (controls) =>
          controls.length > 0 && (
            <div key={controls === usual ? "usual" : "special"} className="row">
              {controls.map((control) => (
                <button
                  key={control.label}
                  type="button"
                  className={classOf(control, main, entry)}
                  disabled={isBusy}
                  aria-describedby={id}
                  onClick={() => onAct(control.action)}
                >
                  {control.label}
                </button>
              ))}
            </div>
          ),
      )}
    </li>
  );
}

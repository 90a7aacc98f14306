/** The page of what isn't sent yet. */
import { useRef, useState } from "react";
import { KEPT } from "../../shared/messages";
import { plural } from "../../shared/money";
import { isRecord } from "../../shared/requests";
import type { SentEntry } from "../database";
import { keptText, unsentText } from "../hint";
import { isStop, sentencesIn } from "../replied";
import type { Action } from "./actions";
import { EntryCard } from "./EntryCard";
import { Hints } from "./Hints";
import type { Props } from "./props";
import { Tools } from "./Tools";
import { datedText, sentText } from "./times";
import { type Outbox, useOutbox } from "./useOutbox";

interface Message {
  text: string;
  isBad: boolean;
}

/** Pages that lead here, but not to where a person works. */
const NOT_BACK = ["/outbox", "/login"];
const NONE: Message = { text: "", isBad: false };
const FAILED = "That didn't work. Try again.";

/** Errors of the browser itself say nothing to people. */
function messageOf(error: unknown): string {
  const isOurs = error instanceof Error && !(error instanceof TypeError);
  return (isOurs && error.message) || FAILED;
}

/** Returns what was done, in the server's words where it has any: it may not be all that was meant. */
function doneText({ title, reply }: SentEntry): string {
  return isRecord(reply) && typeof reply.message === "string" ? reply.message : title;
}

/** Returns the page from which this one was opened; the first one where that isn't known. */
function backOf(referrer: string): string {
  const { origin, pathname, search } = new URL(referrer || "/", location.href);
  return origin === location.origin && !NOT_BACK.includes(pathname) ? pathname + search : "/";
}

function Lately({ sent }: Pick<Outbox, "sent">) {
  if (sent.length === 0) return null;
  return (
    <section>
      <h2 className="section">Sent from here lately</h2>
      <ul className="sent">
        {sent.map((entry) => (
          <li key={entry.id}>
            <span>{doneText(entry)}</span>
            {sentencesIn(entry.reply).map((text) => (
              <span className={isStop(text) ? "reply bad" : "reply"} key={text}>
                {text}
              </span>
            ))}
            <span className="muted">
              {[entry.detail, datedText(entry.day, entry), sentText(entry)]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function OutboxPage({ props }: { props: Props }) {
  const [outbox, reload] = useOutbox(props);
  const [message, setMessage] = useState(NONE);
  const [isBusy, setBusy] = useState(false);
  const [back] = useState(() => backOf(document.referrer));
  const heading = useRef<HTMLHeadingElement>(null);
  const { entries, others, sent, status, problem } = outbox;

  const act = async (action: Action) => {
    setBusy(true);
    setMessage(NONE);
    try {
      setMessage({ text: await action(), isBad: false });
    } catch (error) {
      setMessage({ text: messageOf(error), isBad: true });
    }
    await reload();
    setBusy(false);
    // The button may have left with its entry.
    if (document.activeElement === document.body) heading.current?.focus();
  };

  if (entries === null)
    return (
      <p className="loading" role="status">
        Loading…
      </p>
    );
  const isOffline = status?.state === "no connection";
  const inTurn = [
    ...entries.filter(({ state }) => state !== "waiting"),
    ...entries.filter(({ state }) => state === "waiting"),
  ];
  return (
    <>
      <div className="head">
        <a className="back" href={back}>
          <span>Back</span>
        </a>
        <h1 ref={heading} tabIndex={-1}>
          Not sent yet
        </h1>
        {isOffline && <span className="badge no-line">No connection</span>}
      </div>
      {problem && (
        <p className="notice bad" role="alert">
          {problem}
        </p>
      )}
      <p>{entries.length > 0 ? KEPT : "Nothing waits here. All that you made is sent."}</p>
      {others.map(({ user, username, count }) => (
        <p key={user} className="notice">
          {unsentText(username, count)} {keptText(username)}
        </p>
      ))}
      <Tools user={props.user} entries={entries} isBusy={isBusy} onAct={act} />
      <p
        className={message.isBad ? "notice bad" : "report"}
        role={message.isBad ? "alert" : "status"}
      >
        {message.text}
      </p>
      {entries.length > 0 && (
        <section>
          <h2 className="section">{plural(entries.length, "entry", "entries")}</h2>
          <ul className="entries">
            {inTurn.map((entry) => (
              <EntryCard
                key={entry.id}
                entry={entry}
                entries={entries}
                status={status}
                isBusy={isBusy}
                onAct={act}
              />
            ))}
          </ul>
        </section>
      )}
      {entries.length > 0 && <Hints />}
      {/* What is sent while the page is open is announced with what the server answered. */}
      <div aria-live="polite">
        <Lately sent={sent} />
      </div>
    </>
  );
}

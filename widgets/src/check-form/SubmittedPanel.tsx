/** Says what became of the check that was submitted last, and offers the next one. */
import { useEffect, useRef } from "react";
import { Kept } from "../shared/Kept";
import type { Submitted } from "./useCheckSubmit";

const SUBMITTED = "Vehicle check submitted.";
/** What a message begins with about a vehicle that mustn't be driven. */
export const STOP = "Stop: ";

interface Props {
  submitted: Submitted;
  list: string;
  onNew: () => void;
}

export function SubmittedPanel({ submitted, list, onNew }: Props) {
  const { subject, outcome, kept, messages, warnings } = submitted;
  const panel = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone.
  useEffect(() => panel.current?.focus(), []);
  return (
    <div role="status" tabIndex={-1} ref={panel}>
      {kept && <Kept watch={kept} />}
      <div className={kept ? "notice" : "notice ok"}>
        {!kept && <p>{SUBMITTED}</p>}
        <p>
          <b>{subject}</b>
          {outcome && !messages.includes(outcome) && `: ${outcome}`}
        </p>
      </div>
      {messages.map((text) => (
        <p className={text.startsWith(STOP) ? "stop" : "notice"} key={text}>
          {text}
        </p>
      ))}
      {warnings.map((text) => (
        <p className="notice warn" key={text}>
          {text}
        </p>
      ))}
      <p className="row">
        <button type="button" className="btn primary" onClick={onNew}>
          New check
        </button>
        <a className="btn" href={list}>
          Checks list
        </a>
      </p>
    </div>
  );
}

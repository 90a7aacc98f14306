/** The header of the shell: who is signed in, the line, and what is not sent. */
import { createPortal } from "react-dom";
import { notSentYet } from "../shared/messages";
import { divisionLabel } from "./addresses";
import type { Device } from "./useDevice";
import type { Line } from "./useLine";

const LINES: Partial<Record<Line, string>> = {
  none: "No connection",
  slow: "Slow connection",
  good: "The connection is back.",
  "signed out": "The connection is back.",
};

interface Props {
  device: Device;
  line: Line;
  /** When the data were read, such as '9:12'; '' without any. */
  asOf: string;
  /** Opens the page of the server; null while there is no line to it. */
  onLive: (() => void) | null;
}

export function Top({ device: { person, unsent }, line, asOf, onLive }: Props) {
  const place = document.getElementById("top");
  if (!place) return null;
  const header = (
    <header className="top" data-line={line}>
      <a className="home" href="/">
        {person?.chosen && <span className="tag">{divisionLabel(person.chosen)}</span>}
        <span className="brand">Quartermaster</span>
      </a>
      {person && (
        <a className={unsent > 0 ? "unsent" : "unsent none"} href="/outbox">
          {unsent > 0 ? notSentYet(unsent) : "Not sent yet"}
        </a>
      )}
      {person && <span className="who">{person.username}</span>}
      <p className="line" role="status">
        <span>
          {LINES[line]}
          {asOf && <span className="muted"> as of {asOf}</span>}
        </span>
        {onLive && (
          <button type="button" className="btn quiet" onClick={onLive}>
            Open the current page
          </button>
        )}
      </p>
    </header>
  );
  return createPortal(header, place);
}

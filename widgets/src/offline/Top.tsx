/** The header of the shell: who is signed in, the line, and what is not sent. */
import { createPortal } from "react-dom";
import { notSentYet } from "../shared/unsent-texts";
import { divisionLabel } from "./addresses";
import type { Device } from "./useDevice";
import type { Line } from "./useLine";

const LINES: Partial<Record<Line, string>> = {
  none: "No connection",
  slow: "Slow connection",
  good: "Slow connection",
};

interface Props {
  device: Device;
  line: Line;
  /** When the data were read, such as '9:12'; '' without any. */
  asOf: string;
}

export function Top({ device: { person, unsent }, line, asOf }: Props) {
  const place = document.getElementById("top");
  if (!place) return null;
  const header = (
    <header className="top">
      <a className="home" href="/">
        {person?.chosen && <span className="tag">{divisionLabel(person.chosen)}</span>}
        <span className="brand">Quartermaster</span>
      </a>
      {unsent > 0 && (
        <a className="unsent" href="/outbox">
          {notSentYet(unsent)}
        </a>
      )}
      {person && <span className="who">{person.username}</span>}
      <p className="line" role="status">
        {LINES[line]}
        {asOf && <span> as of {asOf}</span>}
      </p>
    </header>
  );
  return createPortal(header, place);
}

/** The page that stands for one that needs a connection, with what opens without. */
import { useMemo } from "react";
import { keptText, readHint, unsentText } from "../outbox/hint";
import { notSentYet } from "../shared/messages";
import { siteLabel } from "../shared/stores";
import { since } from "../shared/times";
import { divisionLabel, pageOf, type ReferenceName } from "./addresses";
import { goLive } from "./live";
import type { Device } from "./useDevice";

/** Returns what the page of a reference is called. */
function labelOf(name: ReferenceName): string {
  const [, division = "", site = ""] = /^stock:([^/]+)\/(.+)$/.exec(name) ?? [];
  return site ? `${divisionLabel(division)} stock, ${siteLabel(site)}` : "Vehicle Checks";
}

export function NeedsConnection({ device }: { device: Device }) {
  const { person, references, unsent } = device;
  const kept = useMemo(() => readHint() ?? [], []);
  return (
    <div className="form page">
      <h1>This page needs a connection</h1>
      {person ? (
        <>
          {references.length > 0 && <p>Without one you can open:</p>}
          <ul className="opens-offline">
            {references.map(({ name, fetchedAt }) => (
              <li key={name}>
                <a href={pageOf(name)}>{labelOf(name)}</a>{" "}
                <span className="note">as of {since(new Date(fetchedAt))}</span>
              </li>
            ))}
            {unsent > 0 && (
              <li>
                <a href="/outbox">{notSentYet(unsent)}</a>
              </li>
            )}
          </ul>
        </>
      ) : (
        <>
          <p>Nobody is signed in on this device. Sign in once there is a connection.</p>
          {kept.map(({ user, username, count }) => (
            <p key={user} className="notice">
              {unsentText(username, count)} {keptText(username)}
            </p>
          ))}
        </>
      )}
      <div className="row">
        <button type="button" className="btn primary" onClick={goLive}>
          Try again
        </button>
      </div>
    </div>
  );
}

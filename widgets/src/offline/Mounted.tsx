/** A screen of another script within the shell. */
import { useEffect, useRef, useState } from "react";
import { LoadFailure } from "../shared/widget";
import type { Opened } from "./screens";

export function Mounted({ opened }: { opened: Opened }) {
  const place = useRef<HTMLDivElement>(null);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    if (isFailed) return;
    let unmount: (() => void) | null = null;
    let isClosed = false;
    opened.load().then(
      ({ mount }) => {
        if (place.current && !isClosed) unmount = mount(place.current, opened.props);
      },
      () => setFailed(true),
    );
    return () => {
      isClosed = true;
      // Not while React renders: the screen has a root of its own.
      setTimeout(() => unmount?.());
    };
  }, [opened, isFailed]);
  return (
    <>
      {opened.hasHeading && (
        <div className="head">
          <a className="back" href="/">
            <span>Back</span>
          </a>
          <h1>{opened.title}</h1>
          <span className="note">* required</span>
        </div>
      )}
      <LoadFailure message={isFailed ? "No connection." : ""} onRetry={() => setFailed(false)} />
      <div ref={place} />
    </>
  );
}

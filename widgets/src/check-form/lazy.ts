/** The part of the script that sends: loaded once there is something to send. */
import { useEffect, useState } from "react";
import { lazy } from "../shared/lazy";

export const { load: loadSending, preload } = lazy(() => import("./sending"));

type About = typeof import("./about");

const about = lazy(() => import("./about"));

/** Returns the part about a vehicle and its check once it is needed and loaded; null until then. */
export function useAbout(isNeeded: boolean): About | null {
  const [part, setPart] = useState<About | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    // Without it the check can be sent all the same: the server judges it.
    about.load().then(
      (loaded) => setPart(loaded),
      () => undefined,
    );
  }, [isNeeded]);
  return part;
}

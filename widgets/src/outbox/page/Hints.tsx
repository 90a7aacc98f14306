/** What keeps unsent work safe in this browser, and what threatens it. */
import { useEffect, useState } from "react";
import { hasBackgroundSync, isNearlyFull } from "../background";

/** Whether this is an iPhone or iPad; an iPad calls itself a Mac. */
function isApple(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  );
}

function isInstalled(): boolean {
  return matchMedia("(display-mode: standalone)").matches;
}

export function Hints() {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    void isNearlyFull().then(setFull);
  }, []);
  return (
    <>
      {isFull && (
        <p className="notice warn">
          This device is nearly full. Free some space, so that nothing more is lost.
        </p>
      )}
      {!hasBackgroundSync() && (
        <p className="note">
          <strong>Open Quartermaster to send.</strong> This browser sends only while the app is
          open.
        </p>
      )}
      {isApple() && !isInstalled() && (
        <p className="note">
          <strong>Add to Home Screen:</strong> tap Share, then ‘Add to Home Screen’. Safari may
          delete what isn’t sent when you don’t open Quartermaster for 7 days.
        </p>
      )}
    </>
  );
}

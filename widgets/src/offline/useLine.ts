/** Watches the line to the server, while the shell stands for its pages. */
import { useCallback, useEffect, useState } from "react";
import { readSession } from "./session";

/** What is known of the line: '' before the first test. */
export type Line = "" | "none" | "slow" | "good" | "signed out";

const EVERY_MS = 10_000;
/** A reply that takes longer is one of a slow line, on which a page takes long, too. */
const SLOW_MS = 2_000;

async function testLine(): Promise<Line> {
  const started = performance.now();
  const { state } = await readSession().catch(() => ({ state: "no connection" as const }));
  if (state === "signed out") return state;
  if (state !== "online") return "none";
  return performance.now() - started < SLOW_MS ? "good" : "slow";
}

/** Returns what is known of the line; it is tested again and again while the page is visible. */
export function useLine(): Line {
  const [line, setLine] = useState<Line>("");
  const test = useCallback(async () => {
    if (document.visibilityState === "visible") setLine(await testLine());
  }, []);
  useEffect(() => {
    const onChange = () => void test();
    onChange();
    const timer = setInterval(onChange, EVERY_MS);
    addEventListener("online", onChange);
    document.addEventListener("visibilitychange", onChange);
    return () => {
      clearInterval(timer);
      removeEventListener("online", onChange);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, [test]);
  return line;
}

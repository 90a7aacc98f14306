/** The part of the script that sends: loaded once there is something to send. */
import { NoConnection } from "../shared/api";

export async function loadSending(): Promise<typeof import("./sending")> {
  try {
    return await import("./sending");
  } catch {
    throw new NoConnection();
  }
}

/** Loads it before it is needed, since there may be no connection then. */
export function preload(): void {
  loadSending().catch(() => undefined);
}

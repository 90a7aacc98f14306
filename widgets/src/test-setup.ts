/** Prepares every test file; those that run in Node have no page to clean up. */
import "fake-indexeddb/auto";
import { afterEach } from "vitest";

if (typeof document !== "undefined") {
  await import("@testing-library/jest-dom/vitest");
  const { cleanup, configure } = await import("@testing-library/react");
  // On a busy machine, a change that a test waits for may take longer than the default second.
  configure({ asyncUtilTimeout: 15_000 });
  afterEach(cleanup);
}

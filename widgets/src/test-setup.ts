/** Prepares every test file; those that run in Node have no page to clean up. */
import "fake-indexeddb/auto";
import { afterEach } from "vitest";

if (typeof document !== "undefined") {
  await import("@testing-library/jest-dom/vitest");
  const { configure } = await import("@testing-library/dom");
  // On a busy machine, a change that a test waits for may take longer than the default second.
  configure({ asyncUtilTimeout: 15_000 });
  // By this, React's testing library cleans up in the tests that load it.
  Object.assign(globalThis, { afterEach });
  const React = await import("react");
  // A stack trace with every element, for React's warnings, takes a quarter of the rendering.
  const internals = "__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE";
  const shared = Reflect.get(React, internals) as object | undefined;
  if (shared)
    Object.defineProperty(shared, "recentlyCreatedOwnerStacks", {
      get: () => Number.POSITIVE_INFINITY,
      set: () => {},
    });
}

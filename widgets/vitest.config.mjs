import { defineConfig } from "vitest/config";

const TESTS = ["src/**/*.test.{ts,tsx}"];

/** Tests that need channels between tabs or one kind of DOMException: a `vm` context has neither. */
const ISOLATED = ["header", "index", "store"].map((name) => `src/outbox/${name}.test.ts`);

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: "quick", pool: "vmThreads", include: TESTS, exclude: ISOLATED },
      },
      { extends: true, test: { name: "isolated", pool: "forks", include: ISOLATED } },
    ],
    environment: "happy-dom",
    setupFiles: ["src/test-setup.ts"],
    // `make test` runs pytest meanwhile, so that a test needs more than the default 5 seconds.
    maxWorkers: 2,
    testTimeout: 60_000,
    reporters: ["dot"],
    coverage: {
      provider: "v8",
      include: ["src/**"],
      exclude: ["src/**/*.test.{ts,tsx}", "src/**/testing.{ts,tsx}", "src/test-setup.ts"],
      reporter: ["text-summary"],
      // A point under what is reached, since what a test of timing covers differs from run to run.
      thresholds: { lines: 97, statements: 96, functions: 97, branches: 90 },
    },
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
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

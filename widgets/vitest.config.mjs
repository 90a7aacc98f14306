import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    coverage: {
      provider: "v8",
      include: ["src/**"],
      exclude: ["src/**/*.test.{ts,tsx}", "src/**/testing.{ts,tsx}", "src/test-setup.ts"],
      reporter: ["text-summary", ["text", { skipFull: true }]],
    },
  },
});

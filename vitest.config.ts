import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/journeys/**', 'test/built/**', '**/*.full.test.ts'],
    setupFiles: ['test/support/campaigns/fixed-seed.ts', 'test/support/system/patience.ts'],
    // Long enough for a machine that does other work; what is to be fast is measured in processor time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    // More of them would only load the same modules once more: three keep two processors busy.
    maxWorkers: 3,
    // Tests make much garbage that is short-lived: a larger young generation takes a tenth off the processor time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // A worker keeps its modules from file to file, which halves the time: no test replaces a module.
    isolate: false,
    // A change is refused for its own faults; `MSG_TUI_SEED=… npx vitest run` and `npm run test:full` look for others.
    env: { FORCE_COLOR: '0', TZ: 'UTC', MSG_TUI_SEED: process.env.MSG_TUI_SEED ?? '1' },
  },
});

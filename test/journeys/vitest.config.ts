import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/journeys/compiled-code.setup.ts'],
    include: ['test/journeys/**/*.journey.ts'],
    // Longer than several waits of `support/pty.ts`, whose message holds the screen.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    fileParallelism: true,
    // They wait more than they work.
    maxWorkers: 6,
    isolate: false,
  },
});

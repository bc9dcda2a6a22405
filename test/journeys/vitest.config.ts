import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/journeys/**/*.journey.ts'],
    // A real terminal and real time: on a busy machine one may miss its moment. A second try is told in the report.
    retry: process.env.CI === 'true' ? 1 : 0,
    testTimeout: 40_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    fileParallelism: true,
    maxWorkers: 2,
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/journeys/**/*.journey.ts'],
    testTimeout: 40_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    fileParallelism: true,
    maxWorkers: 2,
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/journeys/**', '**/*.full.test.ts'],
    testTimeout: 20_000,
    env: { FORCE_COLOR: '0', TZ: 'UTC' },
  },
});

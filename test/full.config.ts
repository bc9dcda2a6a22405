import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**/*.full.test.ts'], testTimeout: 1_800_000, env: { FORCE_COLOR: '0', TZ: 'UTC' } },
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { fromBuiltFile } from '../support/system/built-parts.ts';

/** `npm test` runs these here alone, `npm run test:quick` and `npm run test:full` with the functions of src/ as well. */
const suites: readonly string[] = JSON.parse(readFileSync(join(import.meta.dirname, 'suites.json'), 'utf8'));

/** Suites that import from src/, with the functions of dist/main.cjs in the place of those. */
export default defineConfig({
  plugins: [fromBuiltFile],
  test: {
    include: ['test/built/*.test.ts', ...suites],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/system/patience.ts'],
    maxWorkers: 3,
    // Each worker reads the built file once.
    isolate: false,
    env: {
      FORCE_COLOR: '0',
      TZ: 'UTC',
      MSG_TUI_BUILT: '1',
      // A sample also in the full run: what differs between the sources and the built file differs everywhere.
      MSG_TUI_KILL_POINTS: '6',
      MSG_TUI_WIRE_CASES: '34',
    },
  },
});

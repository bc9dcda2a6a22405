import { defineConfig } from 'vitest/config';
import { fromBuiltFile } from '../support/system/built-parts.ts';

/** Suites that judge the sources elsewhere, here with the functions of dist/main.cjs in the place of those in src/. */
export default defineConfig({
  plugins: [fromBuiltFile],
  test: {
    include: [
      'test/built/*.test.ts',
      'test/contract/*.test.ts',
      'test/api/{client,own-server}.test.ts',
      'test/api/http/{hostile,transport}.test.ts',
      'test/faults/{kill,wire}.test.ts',
    ],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 3,
    // Each worker reads the built file once.
    isolate: false,
    env: {
      FORCE_COLOR: '0',
      TZ: 'UTC',
      MSG_TUI_BUILT: '1',
      // A sample: what differs between the sources and the built file differs everywhere.
      MSG_TUI_KILL_POINTS: '4',
      MSG_TUI_WIRE_CASES: '20',
    },
  },
});

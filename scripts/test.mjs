/** `npm test`: types, lint, unit and contract suites, some of them on the built file, journeys, documents, dead code and the packed tarball, in that order. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare();
const isFull = process.argv.includes('--full');
// The default suites run from a fixed seed (see vitest.config.ts), the full run looks elsewhere each time.
if (isFull) process.env.MSG_TUI_SEED ??= String(1 + (Date.now() % 900_000_000));
if (isFull) console.log(`seed ${process.env.MSG_TUI_SEED}`);
const bin = (name) => join(root, 'node_modules/.bin', name);
const steps = [
  ['types', bin('tsc'), ['-p', '.']],
  ['lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['unit and contract', bin('vitest'), ['run']],
  ['built file', bin('vitest'), ['run', '--config', 'test/built/vitest.config.ts']],
  ['journeys', bin('vitest'), ['run', '--config', 'test/journeys/vitest.config.ts']],
  ['documents', process.execPath, ['scripts/docs.mjs', '--check']],
  ['dead code', bin('knip'), []],
  ['package', process.execPath, ['scripts/check-package.mjs']],
];
if (isFull) {
  const full = ['run', '--config', 'test/full.config.ts'];
  const measuring = 'test/faults/scale.full.test.ts';
  const sideBySide = ['--maxWorkers', String(availableParallelism())];
  // What has limits of time and memory runs alone.
  steps.push(['full suites', bin('vitest'), [...full, '--exclude', measuring, ...sideBySide]]);
  steps.push(['scale', bin('vitest'), [...full, measuring]]);
}

const started = Date.now();
for (const [name, command, args] of steps) {
  const from = Date.now();
  console.log(`\n── ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    console.error(`\nmsg-tui: ${name} failed`);
    process.exit(1);
  }
  console.log(`── ${name}: ok, ${((Date.now() - from) / 1000).toFixed(1)} s`);
}
console.log(`\nall ${steps.length} steps passed in ${((Date.now() - started) / 1000).toFixed(0)} s`);

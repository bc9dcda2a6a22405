/**
 * `npm test`: everything that has to hold before a change lands, in a few minutes. `npm run test:quick` is types, lint and
 * unit tests; `npm run test:full` runs the campaigns as a whole and looks elsewhere each time.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare();
const isFull = process.argv.includes('--full');
const isQuick = process.argv.includes('--quick');
// React and vitest behave otherwise when the caller's environment says that this is production.
const { NODE_ENV: _, ...env } = process.env;
if (isFull) {
  // The default suites run from a fixed seed, see vitest.config.ts.
  env.MSG_TUI_SEED ??= String(1 + (Date.now() % 900_000_000));
  env.MSG_TUI_CAMPAIGNS = 'whole';
  console.log(`seed ${env.MSG_TUI_SEED}`);
}

/** Node runs the tools' own files: the files in node_modules/.bin are for a shell on Windows. */
const tool = (file, ...args) => [process.execPath, join(root, 'node_modules', file), ...args];
const script = (name, ...args) => [process.execPath, join(root, 'scripts', name), ...args];
const vitest = (...args) => tool('vitest/vitest.mjs', 'run', ...args);
const without = (patterns) => patterns.flatMap((pattern) => ['--exclude', pattern]);
const campaigns = ['test/faults/**', 'test/text/safe/threats.test.ts', 'test/tolerance/**'];
/** These start programs or a database, which takes long: the quick run is for the time between two edits. */
const processes = [
  'test/bench/**',
  'test/cli/hooks/hooks.test.ts',
  'test/cli/serve/serve.test.ts',
  'test/cli/serve/serve-operation.test.ts',
  'test/config/keyring.test.ts',
  'test/hooks/command-runner.test.ts',
  'test/pictures/decoder-process.test.ts',
  'test/scripts/**',
  'test/server/postgres/**',
  'test/storage/outbox/earlier-tables.test.ts',
  'test/storage/outbox/processes.test.ts',
  'test/terminal/exit.test.ts',
];
/** These run with the functions of the built file, which users get; in the full run with those of the sources, too. */
const builtSuites = JSON.parse(readFileSync(join(root, 'test/built/suites.json'), 'utf8'));

/** Steps of one group run side by side. */
const groups = [
  {
    types: tool('typescript/bin/tsc', '-p', '.'),
    lint: tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  },
];
if (isQuick) groups.push({ unit: vitest(...without([...campaigns, ...processes])) });
else
  groups.push(
    {
      'dead code': tool('knip/bin/knip.js'),
      'code that tests alone use': tool('knip/bin/knip.js', '--production'),
      documents: script('docs.mjs', '--check'),
    },
    { 'unit and campaigns': vitest(...without(isFull ? [] : builtSuites)) },
    { 'built file': vitest('--config', 'test/built/vitest.config.ts'), package: script('check-package.mjs') },
    { journeys: vitest('--config', 'test/journeys/vitest.config.ts') },
  );
if (isFull) {
  const full = ['--config', 'test/full.config.ts'];
  const measuring = 'test/faults/scale.full.test.ts';
  const sideBySide = ['--maxWorkers', String(availableParallelism())];
  groups.push({ 'full campaigns': vitest(...full, '--exclude', measuring, ...sideBySide) });
  // What has limits of time and memory runs alone.
  groups.push({ scale: vitest(...full, measuring) });
}

const seconds = (from) => ((Date.now() - from) / 1000).toFixed(1);

/** Its output appears at once when it runs alone, otherwise when it has ended. */
function run(name, [command, ...args], isAlone) {
  const from = Date.now();
  if (isAlone) console.log(`\n── ${name}`);
  const output = isAlone ? 'inherit' : 'pipe';
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] });
  const said = [];
  child.stdout?.on('data', (bytes) => said.push(bytes));
  child.stderr?.on('data', (bytes) => said.push(bytes));
  return new Promise((resolve) => {
    child.on('close', (status) => {
      if (!isAlone) console.log(`\n── ${name}\n${Buffer.concat(said)}`.trimEnd());
      if (status === 0) console.log(`── ${name}: ok, ${seconds(from)} s`);
      else console.error(`\nmsg-tui: ${name} failed`);
      resolve(status === 0);
    });
  });
}

const started = Date.now();
let count = 0;
for (const group of groups) {
  const steps = Object.entries(group);
  count += steps.length;
  const results = await Promise.all(steps.map(([name, command]) => run(name, command, steps.length === 1)));
  if (results.includes(false)) process.exit(1);
}
console.log(`\nall ${count} steps passed in ${seconds(started)} s`);

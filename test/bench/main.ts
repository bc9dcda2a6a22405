/** Runs the benchmark: interleaved rounds of every program, then the report; started by scripts/bench.mjs. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccounts } from './accounts.ts';
import { programs } from './programs.ts';
import { comparison, tables } from './report.ts';
import { figuresOf, type Results } from './results.ts';
import type { Figures } from './typing.ts';
import { fullSizes, quickSizes } from './world.ts';

const usage = `npm run bench -- [--rounds N] [--quick] [--only NAME[,NAME …] | --keep]
  names: ${programs.map(({ name }) => name).join(', ')}`;

const root = process.cwd();
const folder = join(root, '.bench');
const keptFile = join(root, 'docs/performance.json');
const keptText = join(root, 'docs/performance.md');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

function options() {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        keep: { type: 'boolean', default: false },
      },
    });
    const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
    const names = values.only?.split(',') ?? programs.map(({ name }) => name);
    const unknown = names.find((name) => programs.every((program) => program.name !== name));
    if (unknown !== undefined) throw new Error(`there is no program called ${unknown}`);
    if (values.keep && values.only !== undefined) throw new Error('--keep keeps whole runs, --only makes none');
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number from 1 on');
    return { rounds, isQuick: values.quick, isKept: values.keep, names };
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

const { rounds, isQuick, isKept, names } = options();
const sizes = isQuick ? quickSizes : fullSizes;
const notes = new Set<string>();
const missing: Record<string, string> = {};
const measured = new Map<string, (Figures | null)[]>();
let failures = 0;

rmSync(join(folder, 'homes'), { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const accounts = createAccounts({ folder, program: copyProgram(), tell: say });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    accounts.close();
    // What a stopped run has measured so far is reported too; it is never kept.
    report();
    process.exit(1);
  });
const chosen = programs.filter(({ name, isThere }) => {
  if (!names.includes(name)) return false;
  if (!isThere()) missing[name] = 'it is not installed';
  return !(name in missing);
});
for (const { name } of chosen) measured.set(name, []);
try {
  for (let round = 0; round < rounds; round++) {
    // Every second round backwards, so that what comes after what is not always the same.
    for (const { name, run } of round % 2 === 0 ? chosen : chosen.toReversed()) {
      say(`round ${round + 1} of ${rounds}: ${name}`);
      const tell = (text: string): void => void notes.add(`${name}: ${text}`);
      try {
        measured.get(name)?.push(await run({ folder, accounts, tell }, sizes));
      } catch (error) {
        failures++;
        measured.get(name)?.push(null);
        say(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
} finally {
  accounts.close();
}

const { results, text } = report();
if (isKept && failures === 0) keep(results, text);
process.exit(failures === 0 ? 0 : 1);

/** Prints the figures and what moved since the kept ones, and writes `.bench/last.json`. */
function report(): { readonly results: Results; readonly text: string } {
  const results: Results = {
    date: new Date().toISOString(),
    machine: {
      node: process.version,
      system: `${process.platform} ${release()}`,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
    },
    isQuick,
    rounds,
    missing,
    notes: [...notes],
    figures: figuresOf(measured),
  };
  const text = tables(results);
  process.stdout.write(`\n${text}\n`);
  writeFileSync(join(folder, 'last.json'), `${JSON.stringify(results, null, 1)}\n`);
  if (existsSync(keptFile)) {
    const kept: Results = JSON.parse(readFileSync(keptFile, 'utf8'));
    process.stdout.write(`\n${comparison(results, kept)}\n`);
  }
  return { results, text };
}

/** A build that is made meanwhile must not change what is measured; another one can be named by MSG_TUI_PROGRAM. */
function copyProgram(): string {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const program = process.env.MSG_TUI_PROGRAM ?? join(root, bin['msg-tui']);
  const copy = join(folder, 'program');
  rmSync(copy, { recursive: true, force: true });
  cpSync(dirname(program), copy, { recursive: true });
  return join(copy, basename(program));
}

/** Puts the figures beside the document and the tables into it. */
function keep(results: Results, text: string): void {
  writeFileSync(keptFile, `${JSON.stringify(results)}\n`);
  const { machine, date } = results;
  const about = `${date.slice(0, 10)}, ${machine.cores} cores (${machine.processor}), ${machine.system}, Node ${machine.node.slice(1)}; ${rounds} rounds${isQuick ? ', quick' : ''}.`;
  const document = readFileSync(keptText, 'utf8');
  const between = /(<!-- figures -->\n)[\s\S]*(<!-- end of figures -->)/;
  writeFileSync(
    keptText,
    document.replace(between, (_, begin: string, end: string) => `${begin}\n${about}\n\n${text}\n\n${end}`),
  );
}

/** Many schedules of the outbox model on all cores, in batches with a seed each: to be cut in parts, repeated and resumed. */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { bundled } from '../system/bundled.ts';
import { sideBySide } from '../system/side-by-side.ts';
import type { FaultSites } from './fault-sites.ts';
import { countFrom, inPart, thisPart } from './partition.ts';

const batchSize = 2_500;

interface Batch {
  readonly seed: number;
  readonly count: number;
}

/** What a batch answers, and a line of the file of progress. */
interface Outcome {
  readonly seed: number;
  readonly ran: number;
  readonly hits: readonly (readonly [site: string, times: number])[];
  /** What fast-check says: the seed, the path and the shrunk schedule. */
  readonly failure?: string;
}

export interface Campaign {
  readonly ran: number;
  /** `seeds 1 to 400` */
  readonly seeds: string;
  readonly failures: readonly string[];
}

/**
 * Settings from the environment: `MSG_TUI_SCHEDULES` how many in all, `MSG_TUI_SEED` that of the first batch, `MSG_TUI_PART`
 * which part of the batches, `MSG_TUI_WORKERS` how many processes, `MSG_TUI_PROGRESS` a file to go on from.
 */
export async function outboxCampaign(schedules: number, sites: FaultSites): Promise<Campaign> {
  const progress = process.env.MSG_TUI_PROGRESS;
  const first = countFrom('MSG_TUI_SEED', progress === undefined ? 1 + (Date.now() % 900_000_000) : 1);
  const all = batches(first, countFrom('MSG_TUI_SCHEDULES', schedules));
  const done = progress === undefined ? [] : outcomesIn(progress).filter((one) => isIn(all, one));
  const isDone = new Set(done.map(({ seed }) => seed));
  const open = inPart(all, thisPart()).filter(({ seed }) => !isDone.has(seed));
  const runner = await bundled('test/faults/fixtures/outbox-runner.ts');
  try {
    const made = await sideBySide(countFrom('MSG_TUI_WORKERS', availableParallelism()), open, async (batch) => {
      const outcome = await run(runner.file, batch);
      // The whole takes most of an hour: whoever waits for it can begin to look.
      if (outcome.failure !== undefined) process.stderr.write(`seed ${batch.seed}: ${outcome.failure}\n`);
      else if (progress !== undefined) appendFileSync(progress, `${JSON.stringify(outcome)}\n`);
      return [outcome];
    });
    const outcomes = [...done, ...made];
    for (const [site, times] of outcomes.flatMap(({ hits }) => hits)) sites.hit(site, times);
    return {
      ran: outcomes.reduce((sum, { ran }) => sum + ran, 0),
      seeds: `seeds ${first} to ${first + all.length - 1}`,
      failures: outcomes.flatMap(({ failure }) => failure ?? []),
    };
  } finally {
    runner.remove();
  }
}

function batches(first: number, schedules: number): readonly Batch[] {
  return Array.from({ length: Math.ceil(schedules / batchSize) }, (_, index) => ({
    seed: first + index,
    count: Math.min(batchSize, schedules - index * batchSize),
  }));
}

const isIn = (all: readonly Batch[], { seed, ran }: Outcome): boolean =>
  all.some((batch) => batch.seed === seed && batch.count === ran);

/** The last line of a run that was killed may be torn. */
function outcomesIn(file: string): readonly Outcome[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Outcome);
}

function run(file: string, { seed, count }: Batch): Promise<Outcome> {
  // Short-lived objects in masses: a larger nursery spares a tenth of the time.
  const child = spawn(process.execPath, ['--max-semi-space-size=32', file, String(seed), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(text) as Outcome);
      else reject(new Error(`the batch of seed ${seed} ended with ${code}`));
    });
  });
}

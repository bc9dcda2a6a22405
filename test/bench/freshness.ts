/** `npm run freshness`: the age of messages when they are shown, in made-up months, against polling at fixed times. */
import type { Polling } from '../../src/state/model/settings.ts';
import { burstyTraffic, type ChatEvent, memorylessTraffic } from '../support/campaigns/chat-traffic.ts';
import { type Comparison, compare, type Freshness } from '../support/campaigns/polling-simulation.ts';

const days = 30;
const pollings: readonly Polling[] = ['calm', 'normal', 'eager'];

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const age = ({ medianMs, p95Ms }: Freshness): string => `${seconds(medianMs)}, ${seconds(p95Ms)}`;
const times = (fixed: number, polled: number): string => `×${(fixed / polled).toFixed(1)}`;

function row(name: string, { polled, fixed }: Comparison): string {
  const factors = `${times(fixed.medianMs, polled.medianMs)}, ${times(fixed.p95Ms, polled.p95Ms)}`;
  return `| ${name} | ${Math.round(polled.perHour)} | ${age(polled)} | ${age(fixed)} | ${factors} |`;
}

const months: readonly (readonly [string, readonly ChatEvent[]])[] = [
  ...[1, 2, 3].map((seed) => [`exchanges, month ${seed}`, burstyTraffic(seed, days)] as const),
  ['memoryless, 100 messages a day', memorylessTraffic(1, days, 100)],
];
const lines = months.flatMap(([name, events]) =>
  pollings.map((polling) => row(`${name}, ${polling}`, compare(events, days * 24, polling))),
);
process.stdout.write(
  [
    'The age of messages of others in the open conversation when they are shown: median, 95 %.',
    '',
    '| traffic, setting | requests an hour | msg-tui | fixed, as many requests | fresher |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n'),
);

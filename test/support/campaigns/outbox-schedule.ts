/** One random life of an outbox: what users, servers, disks and deaths do to it, and what it must look like afterwards. */
import fc from 'fast-check';
import { compareContent, isSame, type SentContent } from '../../../src/protocol/same-text.ts';
import type { Op } from '../../../src/state/model/app-state.ts';
import type { Decision } from '../worlds/other-program.ts';
import {
  byItselfSite,
  type CrashPoint,
  choiceSites,
  elsewhereSites,
  type OutboxWorld,
  outboxWorld,
  violationsOf,
} from '../worlds/outbox-world.ts';
import { type SendFault, sendFaults } from '../worlds/send-faults.ts';
import { type FaultSites, faultSites } from './fault-sites.ts';
import { checkHistory } from './history-checker.ts';

type Step =
  | ({ readonly kind: 'enter'; readonly conversationId: string } & SentContent)
  | { readonly kind: 'wait' | 'clock'; readonly ms: number }
  | { readonly kind: 'crash'; readonly point: CrashPoint }
  | { readonly kind: 'reads'; readonly failing: number }
  | { readonly kind: 'full'; readonly write: number }
  | { readonly kind: 'disk' | 'outage'; readonly isBad: boolean }
  | { readonly kind: 'elsewhere'; readonly choice: Decision['choice']; readonly looks: boolean }
  | { readonly kind: 'die' | 'resend' | 'discard' | 'pass' | 'other' };

export interface Schedule {
  readonly steps: readonly Step[];
  /** Of the POSTs, in the order in which they leave. */
  readonly faults: readonly SendFault[];
  /** Default `ask`. */
  readonly resend?: 'ask' | 'auto-after-check';
}

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

/** Texts, files without one, and files with a text that is sent alone too. */
const contents: readonly SentContent[] = [
  ...['ok', 'ok', 'yes', 'one'].map((text) => ({ text })),
  ...['a.png', 'b.png'].map((name) => ({ text: '', attachments: [{ file_url: name, size: 5 }] })),
  { text: 'ok', attachments: [{ file_url: 'a.png', size: 5 }] },
];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...contents), fc.constantFrom('c1', 'c1', 'c2'))
      .map(([content, conversationId]) => ({ kind: 'enter' as const, conversationId, ...content })),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(0, 50, 2_500, 35_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      point: fc.record({ write: fc.integer({ min: 1, max: 5 }), when: fc.constantFrom('before', 'after') }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reads' as const), failing: fc.constantFrom(1, 3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('full' as const), write: fc.integer({ min: 1, max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.constantFrom(hourMs, -hourMs, -10 * yearMs) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('disk' as const), isBad: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('outage' as const), isBad: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('elsewhere' as const),
      choice: fc.constantFrom('resend' as const, 'discard', 'pass'),
      looks: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('die' as const, 'resend', 'discard', 'pass', 'other') }) },
);

export const schedule: fc.Arbitrary<Schedule> = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: 9 }),
  faults: fc.array(fc.constantFrom(...sendFaults), { maxLength: 6 }),
  resend: fc.constantFrom('ask' as const, 'ask', 'auto-after-check'),
});

const crashSites = [
  'enqueue',
  'begin',
  'changeOp queued',
  'changeOp unsure',
  'changeOp failed',
  'settle',
  'the choice of the user',
];

/** Every site that a long run is to reach. */
const knownSites: readonly string[] = [
  ...sendFaults.map(({ name }) => name),
  ...crashSites.flatMap((site) => [`death before ${site}`, `death after ${site}`, `full disk at ${site}`]),
  'death while a POST is under way',
  'death at rest',
  'a read fails',
  ...Object.values(choiceSites),
  ...Object.values(elsewhereSites),
  byItselfSite,
];

export const outboxSites = (): FaultSites => faultSites(knownSites);

/** Rejects with everything that was wrong. */
export async function runSchedule({ steps, faults, resend = 'ask' }: Schedule, sites: FaultSites): Promise<void> {
  const world = outboxWorld(sites, resend);
  world.service.addConversation('c1');
  world.service.addConversation('c2');
  world.service.say('c1', 'ok');
  // Where the contact wrote nothing, nobody knows who the user is, and a message without an answer is left to the user.
  world.service.say('c2', 'earlier');
  await world.clock.advance(10);
  let next = 0;
  const [well] = sendFaults;
  if (well === undefined) throw new Error('no faults');
  world.nextFault = () => faults[next++] ?? well;
  for (const one of steps) {
    world.ensureAlive();
    await act(world, one);
  }
  await heal(world, well);
  const wrong = [...violationsOf(world, checkHistory(world.events)), ...unhealed(world)];
  await world.engine.stop();
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

const contentOf = ({ text, attachments }: SentContent): SentContent =>
  attachments === undefined ? { text } : { text, attachments };

async function act(world: OutboxWorld, one: Step): Promise<void> {
  switch (one.kind) {
    case 'enter':
      return world.enter(contentOf(one), one.conversationId);
    case 'wait':
      return world.clock.advance(one.ms);
    case 'clock':
      return world.shiftClock(one.ms);
    case 'crash':
      return world.crashAt(one.point);
    case 'reads':
      return world.failReads(one.failing);
    case 'full':
      return world.fillAt(one.write);
    case 'disk':
      world.outbox.failing = one.isBad;
      return;
    case 'outage':
      return world.setOutage(one.isBad);
    case 'other':
      world.service.say('c1', 'ok');
      return;
    case 'die':
      return world.die();
    case 'resend':
      return world.resend();
    case 'discard':
      return world.discard();
    case 'pass':
      return world.letPass();
    case 'elsewhere':
      return world.decideElsewhere(one.choice, one.looks);
  }
}

/** Everything is well again and a new process starts: what is on its way arrives, what can be settled is. */
async function heal(world: OutboxWorld, well: SendFault): Promise<void> {
  world.fillAt(Number.POSITIVE_INFINITY);
  world.outbox.failing = false;
  world.failReads(0);
  world.nextFault = () => well;
  world.crashAt({ write: Number.POSITIVE_INFINITY, when: 'before' });
  world.setOutage(false);
  world.die();
  world.ensureAlive();
  const leftMs = Math.max(0, world.quietAt() - world.clock.monotonic());
  await world.clock.advance(leftMs + 35_000);
  world.die();
}

/** G3 and G4: what arrived is recognised, and only an entry in doubt holds back later ones. */
function* unhealed({ outbox, service }: OutboxWorld): Generator<string> {
  const ops = outbox.ops();
  for (const op of ops) {
    if (op.action.kind !== 'message.send') continue;
    const { action } = op;
    const { conversationId } = action;
    if (op.state === 'sending') continue;
    const isBeside = (other: Op): boolean =>
      other.action.kind === 'message.send' && other.action.conversationId === conversationId;
    if (
      op.state === 'queued' &&
      !ops.some(
        (other) => isBeside(other) && other.state === 'unsure' && other.skippedInOrder !== true && other.seq < op.seq,
      )
    )
      yield `G4: ${op.uuid} is queued and nothing holds it back`;
    if (op.state !== 'unsure') continue;
    const claims = outbox.claims(conversationId);
    const known = new Set(op.baseline?.sameText);
    const unclaimed = [...service.messages.values()].find(
      (message) =>
        message.conversationId === conversationId &&
        isSame(compareContent(action, message)) &&
        message.attachments.length === (action.attachments ?? []).length &&
        message.contact?.id === 'me' &&
        !claims.has(message.id) &&
        !known.has(message.id),
    );
    if (unclaimed !== undefined) yield `G3: ${op.uuid} is unsure though ${unclaimed.id} is there`;
  }
}

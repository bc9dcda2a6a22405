/** The promises of the outbox (reliability.md G1–G5) over random schedules of faults, deaths, polls and users. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canResend } from '../../src/state/outbox.ts';
import { apiFault, type Fault } from '../support/fake-service.ts';
import { type SyncWorld, syncWorld } from '../support/sync-world.ts';

type Step =
  | { readonly kind: 'send'; readonly text: string; readonly conversationId: string }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'die' }
  | { readonly kind: 'resend' }
  | { readonly kind: 'other'; readonly text: string };

const faults: readonly (Fault | null)[] = [
  null,
  null,
  { applies: false, error: apiFault('network', 'N') },
  { applies: false, error: apiFault('rate-limited', 'N', { status: 429, retryAfterMs: 4_000 }) },
  { applies: false, error: apiFault('server', 'A', { status: 503 }) },
  { applies: true, error: apiFault('server', 'A', { status: 500 }) },
  { applies: false, error: apiFault('timeout', 'A') },
  { applies: true, error: apiFault('network', 'A') },
  { applies: { afterMs: 1_500 }, error: apiFault('timeout', 'A') },
  { applies: { afterMs: 90_000 }, error: apiFault('timeout', 'A') },
  { applies: true, error: 'hang' },
  { applies: false, error: 'hang' },
  { applies: true, error: apiFault('not-api', 'A', { status: 200 }) },
];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      text: fc.constantFrom('ok', 'yes', 'one', 'two'),
      conversationId: fc.constantFrom('c1', 'c2'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(0, 50, 700, 2_500, 40_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resend' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('other' as const), text: fc.constantFrom('ok', 'news') }) },
);

interface Entered {
  readonly uuid: string;
  readonly text: string;
  readonly conversationId: string;
}

interface Run {
  readonly world: SyncWorld;
  readonly entered: Entered[];
  resends: number;
  /** Uuids of the posts that reached the wire, and those whose effect is on the server, in commit order. */
  readonly posts: Map<string, number>;
}

async function act(run: Run, one: Step): Promise<void> {
  const { world } = run;
  if (one.kind === 'wait') await world.clock.advance(one.ms);
  else if (one.kind === 'die') world.restart();
  else if (one.kind === 'other') world.service.say('c1', one.text);
  else if (one.kind === 'send') {
    world.send(one.text, one.conversationId);
    const op = world.outbox.ops().at(-1);
    if (op !== undefined) run.entered.push({ uuid: op.uuid, text: one.text, conversationId: one.conversationId });
  } else {
    const op = world.store.getState().local.outbox.find((held) => canResend(held, world.clock.now()));
    if (op === undefined) return;
    run.resends += 1;
    world.engine.resend(op.uuid);
  }
}

async function runSchedule(steps: readonly Step[], choices: readonly number[]): Promise<Run> {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.addConversation('c2');
  world.service.say('c1', 'start');
  await world.clock.advance(10);
  world.open('c1');
  const run: Run = { world, entered: [], resends: 0, posts: new Map() };
  const send = world.service.client.sendMessage;
  Object.assign(world.service.client, {
    sendMessage: (...args: Parameters<typeof send>) => {
      const uuid = args[0].idempotencyKey;
      // G1: what leaves is on disk as leaving.
      expect(world.outbox.ops().find((op) => op.uuid === uuid)?.state).toBe('sending');
      run.posts.set(uuid, (run.posts.get(uuid) ?? 0) + 1);
      return send(...args);
    },
  });
  let next = 0;
  world.service.fault = (operation) => {
    if (operation !== 'sendMessage') return null;
    const fault = faults[choices[next++] ?? 0] ?? null;
    if (fault === null || fault.applies !== false || fault.error === 'hang' || fault.error.facts.outcome === 'A')
      return fault;
    notApplied += 1;
    return fault;
  };
  let notApplied = 0;
  for (const one of steps) await act(run, one);
  check(run, notApplied);
  world.service.fault = () => null;
  world.restart();
  await world.clock.advance(400_000);
  check(run, notApplied);
  checkEnd(run);
  await world.engine.stop();
  return run;
}

const mine = (world: SyncWorld, text: string, conversationId: string): number =>
  [...world.service.messages.values()].filter(
    (message) => message.text === text && message.conversationId === conversationId && message.contact?.id === 'me',
  ).length;

/** I1, I2, I3. */
function check({ world, entered, posts, resends }: Run, notApplied: number): void {
  const held = new Set(world.outbox.ops().map((op) => op.uuid));
  const total = [...posts.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBeLessThanOrEqual(entered.length + resends + notApplied);
  for (const { text, conversationId } of entered) {
    const same = entered.filter((other) => other.text === text && other.conversationId === conversationId);
    const settled = same.filter((other) => !held.has(other.uuid)).length;
    expect(mine(world, text, conversationId)).toBeGreaterThanOrEqual(settled);
  }
}

/** G3, and no copy beyond what the user asked for. */
function checkEnd({ world, entered, resends }: Run): void {
  for (const { text, conversationId } of entered) {
    const same = entered.filter((other) => other.text === text && other.conversationId === conversationId).length;
    expect(mine(world, text, conversationId)).toBeLessThanOrEqual(same + resends);
  }
  for (const op of world.outbox.ops()) expect(['unsure', 'queued']).toContain(op.state);
  const blocked = world.outbox.ops().filter((op) => op.state === 'queued');
  for (const op of blocked) {
    const earlier = world.outbox.ops().find((other) => other.seq < op.seq && other.state === 'unsure');
    expect(earlier).toBeDefined();
  }
}

describe('the outbox under faults', () => {
  test('loses nothing, repeats nothing by itself, and heals', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat({ max: faults.length - 1 }), { maxLength: 12 }),
        async (steps, choices) => {
          await runSchedule(steps, choices);
        },
      ),
      { numRuns: 1000 },
    );
  }, 120_000);

  test('keeps the order of a conversation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { maxLength: 12 }), async (choices) => {
        const texts = ['a', 'b', 'c', 'd', 'e'];
        const steps: Step[] = texts.map((text) => ({ kind: 'send', text, conversationId: 'c1' }));
        const run = await runSchedule([...steps, { kind: 'wait', ms: 60_000 }], choices);
        const sent = [...run.world.service.messages.values()]
          .map((message) => message.text)
          .filter((text) => texts.includes(text));
        expect(sent).toEqual([...sent].sort());
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});

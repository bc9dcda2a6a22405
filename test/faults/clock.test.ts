/** Clocks that are set, and machines that sleep (suite TP11): nothing lost, nothing twice, and no choice kept from the user. */
import { describe, expect, test } from 'vitest';
import { canResend } from '../../src/state/local/resend-rule.ts';
import { faultSites } from '../support/campaigns/fault-sites.ts';
import { checkHistory } from '../support/campaigns/history-checker.ts';
import { type OutboxWorld, outboxWorld, violationsOf } from '../support/worlds/outbox-world.ts';
import { sendFaults } from '../support/worlds/send-faults.ts';

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;
const shifts = { '+1 h': hourMs, '−1 h': -hourMs, '+10 years': 10 * yearMs, '−10 years': -10 * yearMs } as const;

async function start(faultName: string): Promise<OutboxWorld> {
  const world = outboxWorld(faultSites([]));
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(10);
  const fault = sendFaults.find(({ name }) => name === faultName);
  if (fault === undefined) throw new Error(`no such fault: ${faultName}`);
  world.nextFault = () => fault;
  return world;
}

/** Ends the process, so that the contents of the disk are recorded. */
function wrongIn(world: OutboxWorld): readonly string[] {
  world.die();
  return violationsOf(world, checkHistory(world.events));
}

const ops = (world: OutboxWorld) => world.store.getState().local.outbox;

describe.each(Object.entries(shifts))('the clock is set by %s', (_, shiftMs) => {
  test('before Enter, the message is sent at once', async () => {
    const world = await start('well');
    world.shiftClock(shiftMs);
    world.enter({ text: 'words' }, 'c1');
    await world.clock.advance(1_000);
    expect(ops(world)).toEqual([]);
    expect(wrongIn(world)).toEqual([]);
    await world.engine.stop();
  });

  test('while the answer is awaited, the message is recognised in history', async () => {
    const world = await start('silence, applied');
    world.enter({ text: 'words' }, 'c1');
    await world.clock.advance(500);
    world.shiftClock(shiftMs);
    await world.clock.advance(90_000);
    expect(ops(world)).toEqual([]);
    expect(wrongIn(world)).toEqual([]);
    await world.engine.stop();
  });

  test('while the message is unsure, the choice is offered within a minute, and nothing is sent without it', async () => {
    const world = await start('timeout');
    world.enter({ text: 'words' }, 'c1');
    await world.clock.advance(1_500);
    world.shiftClock(shiftMs);
    await world.clock.advance(75_000);
    const [op] = ops(world);
    expect(op?.state).toBe('unsure');
    expect(op !== undefined && canResend(op, world.now())).toBe(true);
    expect(world.events.filter(({ kind }) => kind === 'post')).toHaveLength(1);
    expect(wrongIn(world)).toEqual([]);
    await world.engine.stop();
  });

  test('while the message waits for its next attempt, it is tried again in time', async () => {
    const world = await start('connection refused');
    world.enter({ text: 'words' }, 'c1');
    await world.clock.advance(500);
    world.shiftClock(shiftMs);
    world.nextFault = (await start('well')).nextFault;
    await world.clock.advance(30_000);
    expect(ops(world)).toEqual([]);
    expect(wrongIn(world)).toEqual([]);
    await world.engine.stop();
  });
});

describe('a machine that sleeps for eight hours', () => {
  test('makes one request for each thing when it wakes, not one for each missed poll', async () => {
    const world = await start('well');
    await world.clock.advance(60_000);
    const before = world.events.length;
    world.clock.jump(8 * hourMs);
    await world.clock.advance(1_000);
    const asked = world.events.slice(before).filter(({ kind }) => kind === 'request').length;
    expect(asked).toBeGreaterThanOrEqual(2);
    expect(asked).toBeLessThanOrEqual(3);
    await world.engine.stop();
  });

  test('sends nothing a second time', async () => {
    const world = await start('silence');
    world.enter({ text: 'words' }, 'c1');
    await world.clock.advance(500);
    world.clock.jump(8 * hourMs);
    await world.clock.advance(120_000);
    expect(ops(world).map(({ state }) => state)).toEqual(['unsure']);
    expect(world.events.filter(({ kind }) => kind === 'post')).toHaveLength(1);
    expect(wrongIn(world)).toEqual([]);
    await world.engine.stop();
  });
});

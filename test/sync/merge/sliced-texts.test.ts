/** Long texts are taken in a turn at a time, compared whole, and written once. */
import { beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../src/protocol/types.ts';
import { writeAhead } from '../../../src/sync/merge/sliced-texts.ts';
import * as eg from '../../support/builders/eg.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

const units = 300_000;
const long = (letter: string): string => letter.repeat(units);

interface Call {
  readonly what: 'read' | 'write' | 'checkpoint';
  /** Timers that had fired before: equal for calls of one turn. */
  readonly turn: number;
  readonly units: number;
}

let world: SyncWorld;
let calls: Call[];

/** Notes what the disk is asked for of long texts, and in which turn of the loop. */
function watched(): SyncWorld {
  const made = syncWorld();
  const { saveMessages, message } = made.cache;
  const note = (what: Call['what'], length: number): void => {
    if (length > 0) calls.push({ what, turn: made.clock.wakeUps(), units: length });
  };
  const sum = (messages: readonly Message[]): number =>
    messages.reduce((total, { text }) => total + (text.length > 4_096 ? text.length : 0), 0);
  Object.assign(made.cache, {
    saveMessages: (id: string, messages: readonly Message[]) => {
      note('write', sum(messages));
      saveMessages(id, messages);
    },
    message: (id: string, messageId: string) => {
      const found = message(id, messageId);
      note('read', sum(found === null ? [] : [found]));
      return found;
    },
    checkpoint: () => note('checkpoint', 1),
  });
  return made;
}

beforeEach(async () => {
  calls = [];
  world = watched();
  world.service.addConversation('c1');
  world.service.say('c1', 'hello');
  await world.clock.advance(30_000);
});

const turns = (): number[] => calls.map(({ turn }) => turn);
const writes = (): Call[] => calls.filter(({ what }) => what === 'write');

test('each long text is written in a turn of its own, and the write-ahead log is folded in in another', async () => {
  for (const letter of 'abc') world.service.say('c1', long(letter));
  world.engine.pollNow();
  await world.clock.advance(30_000);
  expect(calls.map(({ what }) => what)).toEqual(['write', 'checkpoint', 'write', 'checkpoint', 'write', 'checkpoint']);
  expect(new Set(turns()).size).toBe(calls.length);
  expect(writes().map((call) => call.units)).toEqual([units, units, units]);
  expect(world.cache.history('c1', 'newest', 9).messages.map(({ text }) => text.charAt(0))).toEqual([...'habc']);
  expect(world.store.getState().cache.unread.get('c1')).toBe(4);
});

test('known long texts are compared with the disk, one in a turn, and not written again', async () => {
  for (const letter of 'abc') world.service.say('c1', long(letter));
  world.engine.pollNow();
  await world.clock.advance(30_000);
  calls = [];
  const before = world.store.getState().cache;
  world.service.say('c1', 'short');
  world.engine.pollNow();
  await world.clock.advance(30_000);
  expect(calls.map(({ what }) => what)).toEqual(['read', 'read', 'read']);
  expect(new Set(turns()).size).toBe(3);
  expect(world.store.getState().cache.lastMessages.get('c1')?.text).toBe('short');
  expect(world.store.getState().cache.unread.get('c1')).toBe((before.unread.get('c1') ?? 0) + 1);
});

test('a long text that was changed elsewhere is written again', async () => {
  const said = world.service.say('c1', long('a'));
  world.engine.pollNow();
  await world.clock.advance(30_000);
  calls = [];
  world.service.messages.set(said.id, { ...said, text: long('b') });
  world.service.say('c1', 'short');
  world.engine.pollNow();
  await world.clock.advance(30_000);
  expect(writes()).toHaveLength(1);
  expect(world.cache.message('c1', said.id)?.text.charAt(0)).toBe('b');
});

test('a row that a write of ours has replaced before its turn is not written', async () => {
  const rows = [...'ab'].map((letter) => eg.message({ id: letter, conversationId: 'c1', text: long(letter) }));
  const context = { cache: world.cache, clock: world.clock, signal: new AbortController().signal };
  const known = { messages: [], isAll: true, withoutText: new Set<string>() };
  const overtaken = new Set<string>();
  const written = writeAhead(context, 'c1', known, rows, ({ id }) => !overtaken.has(id));
  // While the first one waits for its turn.
  overtaken.add('a');
  await world.clock.advance(100);
  expect((await written).map(({ id }) => id)).toEqual(['b']);
  expect(world.cache.message('c1', 'a')).toBeNull();
});

test('before a send, earlier messages with the same text are found however long they are', async () => {
  const said = world.service.say('c1', long('a'), me);
  world.engine.pollNow();
  await world.clock.advance(30_000);
  world.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: false, error: apiFault('network', 'ambiguous') } : null;
  world.send(long('a'));
  await world.clock.advance(20_000);
  const [op] = world.store.getState().local.outbox;
  expect(op?.state).toBe('unsure');
  expect(op?.baseline?.sameText).toEqual([said.id]);
});

test('a stop in the middle does not wait for turns that never come', async () => {
  for (const letter of 'abc') world.service.say('c1', long(letter));
  let stopped: Promise<void> | null = null;
  Object.assign(world.cache, {
    checkpoint: () => {
      stopped ??= world.engine.stop();
    },
  });
  world.engine.pollNow();
  await world.clock.advance(30_000);
  expect(stopped).not.toBeNull();
  await stopped;
  expect(world.cache.history('c1', 'newest', 9).messages).toHaveLength(4);
});

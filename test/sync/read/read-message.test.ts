/** Reads that are older than a change of an earlier run: the server answers them from a copy that lags behind. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../src/protocol/types.ts';
import type { OpAction } from '../../../src/state/model/app-state.ts';
import { contact, me } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

const place = { conversationId: 'c1', messageId: 'm1' };
const edit: OpAction = { kind: 'message.edit', ...place, base: 'old', text: 'new' };
const react: OpAction = { kind: 'message.react', ...place, name: 'heart', present: true, confirmed: true };

let world: SyncWorld;
/** The message as reads show it, and until when. */
let shown: { readonly row: Message; readonly until: number };

/** A change replaces the whole message, and reads show it later by so much. */
function lagBehind({ service, clock }: SyncWorld, lagMs: number): void {
  const { client, paging, messages } = service;
  const { retrieveMessage } = client;
  const { fetchNewest } = paging;
  const current = (row: Message): Message =>
    row.id === 'm1' && clock.monotonic() < shown.until ? { ...shown.row, rank: row.rank } : row;
  const updateMessage: typeof client.updateMessage = async (id, { message = '', reactions = [] }) => {
    const held = messages.get(id);
    if (held === undefined) throw new Error(`no message ${id}`);
    if (clock.monotonic() >= shown.until) shown = { row: held, until: clock.monotonic() + lagMs };
    const value = { ...held, text: message, reactions, updatedAt: clock.now() };
    messages.set(id, value);
    return { value, etag: null };
  };
  Object.assign(client, {
    updateMessage,
    retrieveMessage: async (...call: Parameters<typeof retrieveMessage>) => {
      const { value, ...answer } = await retrieveMessage(...call);
      return { ...answer, value: current(value) };
    },
  });
  Object.assign(paging, {
    fetchNewest: async (request: Parameters<typeof fetchNewest>[0]) => {
      const answer = await fetchNewest({ ...request, ifNoneMatch: undefined });
      return 'messages' in answer ? { ...answer, etag: null, messages: answer.messages.map(current) } : answer;
    },
  });
}

beforeEach(async () => {
  world = syncWorld();
  shown = { row: world.service.say('c1', 'old', me), until: 0 };
  world.service.addConversation('c1');
  await world.clock.advance(5_000);
  world.open('c1');
  world.send('who I am');
  await world.clock.advance(10_000);
  lagBehind(world, 20_000);
  world.engine.enqueue(edit);
  await world.clock.advance(1_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(world.cache.message('c1', 'm1')?.text).toBe('new');
});

describe('after a restart', () => {
  test('a text that a lagging copy does not show yet, as it was dropped and restored in one second, is not lost', async () => {
    const { messages } = world.service;
    const held = messages.get('m1') ?? shown.row;
    world.restart();
    shown = { row: { ...held, text: '' }, until: world.clock.monotonic() + 5_000 };
    world.engine.enqueue(react);
    await world.clock.advance(60_000);
    expect(messages.get('m1')).toMatchObject({ text: 'new', reactions: [{ name: 'heart' }] });
  });

  test('a list that shows the text before an edit does not bring it back', async () => {
    world.restart();
    world.open('c1');
    for (let second = 0; second < 30; second += 1) {
      await world.clock.advance(1_000);
      expect(world.texts()).toEqual(['new', 'who I am']);
    }
    expect(world.cache.message('c1', 'm1')?.text).toBe('new');
  });

  test('the text before an edit does not alternate with the new one, as several copies would show it', async () => {
    const { until } = shown;
    world.restart();
    world.open('c1');
    for (let second = 0; second < 15; second += 1) {
      shown = { ...shown, until: second % 2 === 0 ? until : 0 };
      await world.clock.advance(1_000);
      expect(world.texts()).toEqual(['new', 'who I am']);
    }
  });

  test('a reaction keeps the edited text if reads still show the old one', async () => {
    world.restart();
    world.engine.enqueue(react);
    await world.clock.advance(120_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.service.messages.get('m1')).toMatchObject({
      text: 'new',
      reactions: [{ name: 'heart', by: ['me-name'] }],
    });
  });

  test('a change by somebody else is shown though reads lag', async () => {
    world.restart();
    world.open('c1');
    await world.clock.advance(2_000);
    const held = world.service.messages.get('m1') ?? shown.row;
    const reactions = [{ name: 'tada', by: ['ann-name'] }];
    world.service.messages.set('m1', { ...held, reactions, updatedAt: world.clock.now() });
    shown = { ...shown, until: 0 };
    await world.clock.advance(10_000);
    expect(world.cache.message('c1', 'm1')).toMatchObject({ text: 'new', reactions });
  });

  test('what the server shows two minutes after the edit is accepted, as after a restored backup', async () => {
    shown = { ...shown, until: Number.POSITIVE_INFINITY };
    world.restart();
    world.open('c1');
    await world.clock.advance(110_000);
    expect(world.texts()[0]).toBe('new');
    await world.clock.advance(30_000);
    expect(world.texts()[0]).toBe('old');
  });

  test('a message of somebody else that has the id of the edited one is shown as it is', async () => {
    world.restart();
    const createdAt = world.clock.now();
    shown = { ...shown, until: 0 };
    world.service.messages.set('m1', { ...shown.row, text: 'another', contact: contact('ann'), createdAt });
    world.open('c1');
    await world.clock.advance(5_000);
    expect(world.texts()).toContain('another');
  });
});

/**
 * Changes of messages of which only a part is kept, and deletions that are answered with 404.
 */
import { expect, test } from 'vitest';
import { type ApiError, foreignBodyCode } from '../../../../src/api/errors.ts';
import { isEditOfDeleted } from '../../../../src/state/local/outbox.ts';
import type { OpAction } from '../../../../src/state/model/app-state.ts';
import { apiFault, type Fault, me } from '../../../support/servers/fake-service.ts';
import { replaceOnPut } from '../../../support/servers/replacing-put.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

/** `m2` is an own message of which a part is kept. */
async function stage(): Promise<SyncWorld & { act(action: OpAction): Promise<void>; changes(): number }> {
  const world = syncWorld();
  const { service, engine, clock } = world;
  service.addConversation('c1');
  service.say('c1', 'whole', me, [{ filename: 'a.txt' }]);
  service.messages.set('m2', { ...service.say('c1', 'words', me), reactions: [], isCut: true });
  world.send('who I am');
  await clock.advance(10_000);
  return Object.assign(world, {
    act: async (action: OpAction) => {
      engine.enqueue(action);
      await clock.advance(40_000);
    },
    changes: () => service.requests.filter((name) => name.startsWith('updateMessage')).length,
  });
}

const place = { conversationId: 'c1', messageId: 'm2' };
const edit: OpAction = { kind: 'message.edit', ...place, base: 'words', text: 'better words' };
const react: OpAction = { kind: 'message.react', ...place, name: '+1', present: true, confirmed: true };

test.each([
  ['a reaction', react],
  ['an edit', edit],
])('%s is refused, and the reason is shown', async (_, action) => {
  const world = await stage();
  replaceOnPut(world.service, 'dropped');
  await world.act(action);
  const { screen, local } = world.store.getState();
  const said = [...screen.notices.map(({ text }) => text), ...local.outbox.map(({ reason }) => reason)];
  expect(said).toEqual([expect.stringContaining('more reactions or attachments than are kept here')]);
  expect(world.changes()).toBe(0);
});

test('a partly kept message can be edited, but not reacted to, on a server that keeps what a change leaves out', async () => {
  const world = await stage();
  await world.act({ kind: 'message.react', ...place, messageId: 'm1', name: '+1', present: true, confirmed: true });
  await world.act({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'whole', text: 'all' });
  const { omittedReactions, omittedFiles } = world.store.getState().local.capabilities;
  expect([omittedReactions?.value, omittedFiles?.value]).toEqual(['kept', 'kept']);
  const before = world.changes();
  await world.act(react);
  expect(world.changes()).toBe(before);
  await world.act(edit);
  expect(world.service.messages.get('m2')?.text).toBe('better words');
});

test('an edit whose message was deleted fails with its text, and is known to have found no message', async () => {
  const world = await stage();
  world.service.messages.delete('m1');
  await world.act({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'whole', text: 'too late' });
  const [failed] = world.store.getState().local.outbox;
  expect(failed?.reason).toMatch(/^The message was deleted meanwhile\./);
  expect(failed === undefined ? null : isEditOfDeleted(failed)).toBe(true);
  expect(world.changes()).toBe(0);
});

test('a message that is deleted just after it was pinned is not shown as pinned any more', async () => {
  const { service, store, engine, act, clock } = await stage();
  const pinned = () => store.getState().cache.conversations.get('c1')?.pinnedMessageId;
  engine.enqueue({ kind: 'conversation.pinMessage', conversationId: 'c1', messageId: 'm1' });
  await clock.advance(500);
  expect(pinned()).toBe('m1');
  service.addConversation('c1', { pinnedMessageId: null });
  await act({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
  expect(pinned()).toBeNull();
});

/** A server that answers 404 to the deletion of what the user may not delete. */
async function refusing(revealReading: boolean): Promise<SyncWorld> {
  const world = syncWorld({ revealReading });
  world.service.addConversation('c1');
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  world.service.fault = (operation) =>
    operation.startsWith('delete')
      ? { applies: false, error: apiFault('not-found', 'rejected', { status: 404 }) }
      : null;
  return world;
}

const notices = (world: SyncWorld) => world.store.getState().screen.notices.map(({ text }) => text);
const said = [expect.stringContaining('It was not deleted')];

test('a message that still exists after a 404 is not taken for deleted', async () => {
  const world = await refusing(false);
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
  await world.clock.advance(20_000);
  expect(world.texts()).toEqual(['earlier']);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(notices(world)).toEqual(said);
});

test.each([true, false])(
  'a conversation that still exists after a 404 is not taken for deleted; reading shown: %s',
  async (revealReading) => {
    const world = await refusing(revealReading);
    const retrievals = () => world.service.requests.filter((one) => one.startsWith('retrieveConversation')).length;
    const before = retrievals();
    world.engine.enqueue({ kind: 'conversation.delete', conversationId: 'c1' });
    await world.clock.advance(20_000);
    expect([...world.store.getState().cache.conversations.keys()]).toEqual(['c1']);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(notices(world)).toEqual(said);
    if (!revealReading) expect(retrievals()).toBe(before);
  },
);

const deletions: readonly [OpAction['kind'], OpAction][] = [
  ['message.delete', { kind: 'message.delete', conversationId: 'c1', messageId: 'm1' }],
  ['conversation.delete', { kind: 'conversation.delete', conversationId: 'c1' }],
];

/** The first deletion is answered like this, and the first read after it fails like that. */
function failOnce(world: SyncWorld, answer: Fault, read: ApiError): void {
  const left = new Map<string, Fault>([
    ['delete', answer],
    ['retrieve', { applies: false, error: read }],
  ]);
  const { fault } = world.service;
  world.service.fault = (operation, subject) => {
    const kind = operation.startsWith('delete') ? 'delete' : 'retrieve';
    const failure =
      operation.startsWith(kind) && (kind === 'delete' || !left.has('delete')) ? left.get(kind) : undefined;
    if (failure === undefined) return fault(operation, subject);
    left.delete(kind);
    return failure;
  };
}

test('a message that was sent a moment ago is deleted if the server answers with a word that is not JSON', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  world.open('c1');
  world.send('mine');
  await world.clock.advance(10_000);
  world.service.fault = (operation) =>
    operation === 'deleteMessage'
      ? { applies: true, error: apiFault('not-api', 'ambiguous', { status: 200, code: foreignBodyCode }) }
      : null;
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
  await world.clock.advance(60_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(notices(world)).toEqual([]);
  expect(world.texts()).toEqual([]);
});

test.each(deletions)('%s: a confirmed change is not checked by a read that has to wait', async (_, action) => {
  const world = syncWorld({ revealReading: true });
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  world.open('c1');
  world.send('mine');
  await world.clock.advance(10_000);
  expect(world.texts()).toEqual(['mine']);
  const unreadable = apiFault('not-api', 'ambiguous', { status: 200 });
  const wait = apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 2_000 });
  failOnce(world, { applies: true, error: unreadable }, wait);
  world.engine.enqueue(action);
  await world.clock.advance(60_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(notices(world)).toEqual([]);
  expect(world.texts()).toEqual([]);
});

test.each(deletions)('%s: a read that fails after a 404 does not count as success', async (_, action) => {
  const world = await refusing(true);
  const broken = apiFault('network', 'ambiguous', { code: 'ECONNRESET' });
  failOnce(world, { applies: false, error: apiFault('not-found', 'rejected', { status: 404 }) }, broken);
  world.engine.enqueue(action);
  await world.clock.advance(60_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(notices(world)).toEqual(said);
  expect(world.texts()).toEqual(['earlier']);
});

test('a message that somebody else has deleted is removed, also if reads still show it for a while', async () => {
  const world = await refusing(false);
  world.clock.after(4_000, () => world.service.messages.clear());
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
  await world.clock.advance(20_000);
  expect(world.texts()).toEqual([]);
  expect(notices(world)).toEqual([]);
});

test.each([true, false])(
  'an edit of spaces only is sent and succeeds; the server trims texts: %s',
  async (isTrimmed) => {
    const world = await stage();
    const { client } = world.service;
    const { updateMessage } = client;
    Object.assign(client, {
      updateMessage: (...[id, { message = '' }, options]: Parameters<typeof updateMessage>) =>
        updateMessage(id, { message: isTrimmed ? message.trim() : message }, options),
    });
    world.engine.enqueue({
      kind: 'message.edit',
      conversationId: 'c1',
      messageId: 'm1',
      base: 'whole',
      text: '    whole',
    });
    await world.clock.advance(5_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.service.messages.get('m1')?.text).toBe(isTrimmed ? 'whole' : '    whole');
    expect(world.changes()).toBe(1);
  },
);

test('a refused edit of spaces only stays in the outbox, though the message has its words', async () => {
  const world = await stage();
  world.open('c1');
  const refusal = apiFault('invalid', 'rejected', { status: 400 });
  world.service.fault = (operation) => (operation === 'updateMessage' ? { applies: false, error: refusal } : null);
  const spaced: OpAction = { ...edit, messageId: 'm1', base: 'whole', text: '    whole' };
  await world.act(spaced);
  world.service.say('c1', 'news');
  await world.clock.advance(60_000);
  expect(world.store.getState().local.outbox).toMatchObject([{ state: 'failed', action: spaced }]);
});

test('an edit of a waiting edit is no conflict on a server that escapes texts', async () => {
  const world = await stage();
  const { client } = world.service;
  const { updateMessage } = client;
  const escaped = (text: string): string => text.replaceAll('<', '&lt;');
  Object.assign(client, {
    updateMessage: (...[id, { message = '', ...rest }, options]: Parameters<typeof updateMessage>) =>
      updateMessage(id, { ...rest, message: escaped(message) }, options),
  });
  const first: OpAction = { ...edit, messageId: 'm1', base: 'whole', text: 'a < b' };
  world.engine.enqueue(first);
  await world.act({ ...first, base: first.text, text: 'a < b < c' });
  expect(world.store.getState().local.outbox).toEqual([]);
  expect(world.service.messages.get('m1')?.text).toBe('a &lt; b &lt; c');
});

test('a message that an earlier run sent a moment ago and that is not found is not called deleted', async () => {
  const world = syncWorld();
  world.service.addConversation('c1');
  await world.clock.advance(2_000);
  world.open('c1');
  world.send('hello');
  await world.clock.advance(3_000);
  const [sent] = [...world.service.messages.values()].filter(({ text }) => text === 'hello');
  const messageId = sent?.id ?? '';
  world.restart();
  // Lists show it by another id, as where an answer to a send has a provisional one.
  world.service.messages.delete(messageId);
  world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId });
  await world.clock.advance(30_000);
  const { local, screen } = world.store.getState();
  const said = [...local.outbox.map(({ reason }) => reason), ...screen.notices.map(({ text }) => text)];
  expect(said).toEqual([expect.stringContaining('may still be there')]);
});

test('a deletion of a message hides no conversation with the same id, and the other way round', async () => {
  const { service, engine, clock, store, open, texts } = syncWorld();
  for (const id of ['c1', 'm1', 'm2']) service.addConversation(id);
  service.say('c1', 'mine', me);
  await clock.advance(10_000);
  engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
  engine.enqueue({ kind: 'conversation.delete', conversationId: 'm2' });
  await clock.advance(10_000);
  expect([...service.messages.keys(), ...service.conversations.keys()]).toEqual(['c1', 'm1']);
  expect(service.say('c1', 'the second message').id).toBe('m2');
  service.say('m1', 'news');
  open('c1');
  await clock.advance(40_000);
  expect(texts('c1')).toEqual(['the second message']);
  expect(store.getState().cache.lastMessages.get('m1')?.text).toBe('news');
});

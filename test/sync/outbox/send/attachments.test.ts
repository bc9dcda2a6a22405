/** Messages with files: found again in the history, with a text or without, and never taken for one another. */
import { describe, expect, test } from 'vitest';
import { compareContent } from '../../../../src/protocol/same-text.ts';
import { openOutbox } from '../../../../src/storage/outbox/open.ts';
import { aDraft, anOp, temporaryDirectory } from '../../../storage/builders.ts';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { type syncWorld, worldWithFailure } from '../../../support/worlds/sync-world.ts';

const file = (name: string) => ({ file_url: name, size: 5 });
const send = (text: string, ...names: readonly string[]) =>
  ({ kind: 'message.send', conversationId: 'c1', text, attachments: names.map(file) }) as const;
const lost = (applies: boolean | { readonly afterMs: number }) => ({
  applies,
  error: apiFault('timeout', 'ambiguous'),
});
type World = ReturnType<typeof syncWorld>;
const outboxOf = (world: World) => world.store.getState().local.outbox;
const filesOf = (world: World) =>
  [...world.service.messages.values()]
    .filter(({ attachments }) => attachments.length > 0)
    .map(({ attachments }) => attachments.map(({ fields }) => fields.file_url));

test('attachments are sent with the message', async () => {
  const world = await worldWithFailure({ applies: true, error: 'hang' });
  world.service.fault = () => null;
  world.engine.enqueue(send('', 'a.png', 'b.png'));
  await world.clock.advance(5_000);
  expect(filesOf(world)).toEqual([['a.png', 'b.png']]);
  expect(outboxOf(world)).toEqual([]);
});

test('a message without a text whose answer was lost is found by its attachments, and not sent again', async () => {
  const world = await worldWithFailure(lost(true));
  world.engine.enqueue(send('', 'a.png'));
  await world.clock.advance(60_000);
  expect(outboxOf(world)).toEqual([]);
  expect(filesOf(world)).toEqual([['a.png']]);
});

test('a message of the user with other attachments is not taken for it: the user decides, and may send it again', async () => {
  const world = await worldWithFailure(lost(false));
  world.engine.enqueue(send('', 'a.png'));
  await world.clock.advance(1_000);
  world.service.say('c1', '', me, [file('b.png')]);
  await world.clock.advance(60_000);
  expect(outboxOf(world)).toMatchObject([{ state: 'unsure', action: { attachments: [file('a.png')] } }]);
  world.engine.retry(outboxOf(world)[0]?.uuid ?? '');
  await world.clock.advance(5_000);
  expect(outboxOf(world)).toEqual([]);
  expect(filesOf(world)).toEqual([['b.png'], ['a.png']]);
});

test('a message without attachments is not settled by one with the same text and attachments', async () => {
  const world = await worldWithFailure(lost(false));
  world.engine.enqueue({ kind: 'message.send', conversationId: 'c1', text: 'look' });
  await world.clock.advance(1_000);
  world.engine.letPass(outboxOf(world)[0]?.uuid ?? '');
  let faults = 1;
  world.service.fault = (operation) => (operation === 'sendMessage' && faults-- > 0 ? lost(true) : null);
  world.engine.enqueue(send('look', 'a.png'));
  await world.clock.advance(90_000);
  expect(outboxOf(world)).toMatchObject([{ state: 'unsure', action: { text: 'look' } }]);
  expect(outboxOf(world)[0]?.action).not.toHaveProperty('attachments');
  expect(filesOf(world)).toEqual([['a.png']]);
});

test('the second copy of a message that was sent again is found by its attachments', async () => {
  const world = await worldWithFailure(lost({ afterMs: 300_000 }));
  world.engine.enqueue(send('', 'a.png'));
  await world.clock.advance(60_000);
  world.engine.retry(outboxOf(world)[0]?.uuid ?? '');
  await world.clock.advance(5_000);
  world.service.say('c1', '', me, [file('b.png')]);
  await world.clock.advance(60_000);
  const questions = () => world.store.getState().screen.notices.filter(({ text }) => text.includes('sent twice'));
  expect(questions()).toEqual([]);
  await world.clock.advance(300_000);
  expect(questions()).toMatchObject([{ text: 'A message with files only was sent twice. Delete one of the two?' }]);
});

test('a discarded message with an attachment that arrived nevertheless does not settle its text sent alone', async () => {
  const world = await worldWithFailure(lost({ afterMs: 5_000 }));
  world.engine.enqueue(send('look', 'a.png'));
  await world.clock.advance(1_000);
  world.engine.discard(outboxOf(world)[0]?.uuid ?? '');
  let faults = 1;
  world.service.fault = (operation) => (operation === 'sendMessage' && faults-- > 0 ? lost(false) : null);
  world.engine.enqueue({ kind: 'message.send', conversationId: 'c1', text: 'look' });
  await world.clock.advance(90_000);
  expect(outboxOf(world)).toMatchObject([{ state: 'unsure', action: { text: 'look' } }]);
  expect(filesOf(world)).toEqual([['a.png']]);
});

test('op and draft keep their attachments over a restart; a value that is not a list of attachments is set aside', () => {
  const directory = temporaryDirectory();
  const outbox = openOutbox(directory);
  const [op, odd] = ['a', 'b'].map((uuid) => outbox.enqueue(anOp({ uuid, action: send('', 'a.png') }), null));
  const draft = aDraft('', { attachments: [file('b.png')] });
  outbox.saveRecords([['drafts', 'c1', draft]]);
  outbox.changeOp('b', () => ({ ...odd, action: { ...send(''), attachments: 7 } }) as never);
  outbox.close();
  const again = openOutbox(directory);
  expect(again.load()).toMatchObject({ outbox: [op], drafts: new Map([['c1', draft]]) });
  expect(again.status.setAside).toBe(1);
  again.close();
});

describe('whether two lists have the same content', () => {
  const got = (text: string, ...fields: readonly Record<string, string>[]) => ({
    text,
    attachments: fields.map((one) => ({ label: 'file', url: null, size: null, mediaType: null, fields: one })),
  });
  const shown = { id: 'f1', file_url: 'a.png', size: '5' };
  test.each([
    [send('', 'a.png'), got('', shown), 'same'],
    [send('hi', 'a.png'), got(' hi', shown), 'trimmed'],
    [send('', 'a.png', 'a.png'), got('', shown, { ...shown, id: 'f2' }), 'same'],
    [send('', 'a.png', 'a.png'), got('', shown), 'changed'],
    [send('', 'a.png'), got('', shown, shown), 'changed'],
    [send('', 'b.png'), got('', shown), 'changed'],
    [send('hi', 'a.png'), got('hi'), 'changed'],
    [send('hi', 'a.png'), got('ho', shown), 'other'],
    [{ text: 'hi' }, got('hi', shown), 'changed'],
  ])('%j and %j: %s', (sent, message, expected) => {
    expect(compareContent(sent, message)).toBe(expected);
  });
});

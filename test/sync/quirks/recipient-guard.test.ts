/** Another server, or one set up anew, at the same address: the old ids are other people's conversations now. */
import { beforeEach, expect, test } from 'vitest';
import { startEditing, updateDraft } from '../../../src/state/composer/drafts.ts';
import type { Draft, OpAction } from '../../../src/state/model/app-state.ts';
import * as eg from '../../support/builders/eg.ts';
import { apiFault, me } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

let world: SyncWorld;

beforeEach(async () => {
  world = syncWorld();
  world.service.addConversation('c1', { contactId: 'ann' });
  world.service.say('c1', 'mine', me);
  await world.clock.advance(1_000);
});

const unreachable = apiFault('network', 'not-applied', { code: 'ECONNREFUSED' });

async function whileAway(act: () => void): Promise<void> {
  world.service.fault = () => ({ applies: false, error: unreachable });
  await world.clock.advance(10_000);
  act();
  await world.clock.advance(1_000);
  world.service.addConversation('c1', { contactId: 'zed' });
  world.service.requests.length = 0;
  world.service.fault = () => null;
}

const ops = () => world.store.getState().local.outbox;
const writes = () => world.service.requests.filter((request) => !/^(list|retrieve|older)/.test(request));
const noticesAbout = (about: string) =>
  world.store.getState().screen.notices.filter((notice) => notice.about === about);

test('a message for the former recipient is not sent to the new one, and waits for the user', async () => {
  await whileAway(() => world.send('for Ann only'));
  await world.clock.advance(60_000);
  expect(writes()).toEqual([]);
  expect(ops()).toMatchObject([{ state: 'failed', action: { text: 'for Ann only' } }]);
  expect(noticesAbout('replaced c1')).toHaveLength(1);
  expect(world.store.getState().cache.conversations.get('c1')?.contactId).toBe('zed');
});

test('a message for the former recipient that a new process finds is not sent either', async () => {
  await whileAway(() => world.send('for Ann only'));
  world.restart();
  await world.clock.advance(60_000);
  expect(writes()).toEqual([]);
  expect(ops()).toMatchObject([{ state: 'failed' }]);
});

test('a draft to the former recipient waits as a message for them, and the composer is empty', async () => {
  const file = { file_url: 'https://x.example/a.png' };
  const write = (draft: Draft): Draft => ({ ...draft, text: 'for Ann only', attachments: [file] });
  await whileAway(() => world.store.setState(updateDraft('c1', write)));
  await world.clock.advance(60_000);
  expect(world.store.getState().local.drafts.get('c1')?.text ?? '').toBe('');
  expect(world.outbox.load().drafts.get('c1')?.text ?? '').toBe('');
  expect(ops()).toMatchObject([{ state: 'failed', action: { text: 'for Ann only', attachments: [file] } }]);
  expect(writes()).toEqual([]);
});

test('an edit that was being written keeps its text, with the draft from before it', async () => {
  const edit = (draft: Draft): Draft => startEditing({ ...draft, text: 'later' }, 'm1', 'earlier', 'earlier, edited');
  await whileAway(() => world.store.setState(updateDraft('c1', edit)));
  await world.clock.advance(60_000);
  expect(ops()).toMatchObject([{ state: 'failed', action: { kind: 'message.send', text: 'later\nearlier, edited' } }]);
});

test('a draft that a recalled text has replaced is kept with it, and an edit that changes nothing is not', async () => {
  const recalled = { text: 'sent before', stash: 'half a thought' };
  const write = (draft: Draft): Draft => startEditing({ ...draft, text: 'sent before', recalled }, 'm1', 'earlier');
  await whileAway(() => world.store.setState(updateDraft('c1', write)));
  await world.clock.advance(60_000);
  expect(ops()).toMatchObject([{ state: 'failed', action: { text: 'half a thought\nsent before' } }]);
});

test.each<OpAction>([
  { kind: 'conversation.delete', conversationId: 'c1' },
  { kind: 'conversation.mute', conversationId: 'c1', value: true },
  { kind: 'conversation.archive', conversationId: 'c1', at: 1_000_000_000_000 },
  { kind: 'message.delete', conversationId: 'c1', messageId: 'm1' },
  { kind: 'message.react', conversationId: 'c1', messageId: 'm1', name: '+1', present: true, confirmed: true },
])('$kind is not carried out on the other conversation', async (action) => {
  await whileAway(() => world.engine.enqueue(action));
  await world.clock.advance(60_000);
  expect(writes()).toEqual([]);
  expect(ops()).toEqual([]);
  expect(noticesAbout('replaced c1')).toHaveLength(1);
});

test('what was read in one conversation is not shown in the other', async () => {
  world.open('c1');
  await world.clock.advance(1_000);
  await whileAway(() => world.service.messages.clear());
  world.service.say('c1', 'from Zed');
  await world.clock.advance(60_000);
  expect(world.texts('c1')).toEqual(['from Zed']);
  expect(world.store.getState().view.changedByItselfAt).toBeGreaterThan(0);
});

test('the same conversation after an outage is written to as before', async () => {
  world.service.fault = () => ({ applies: false, error: unreachable });
  await world.clock.advance(10_000);
  world.send('hello again');
  world.service.fault = () => null;
  await world.clock.advance(60_000);
  expect(ops()).toEqual([]);
  expect(world.service.copiesOf('hello again')).toBe(1);
});

/** c1 and c2 have changed their partners since the list was last read, without an outage. */
async function swap(): Promise<void> {
  world.service.addConversation('c2', { contactId: 'bob' });
  await world.clock.advance(70_000);
  world.service.addConversation('c1', { contactId: 'bob' });
  world.service.addConversation('c2', { contactId: 'ann' });
  world.service.requests.length = 0;
}

test('if two conversations have swapped their ids between two polls, no message reaches the wrong person', async () => {
  await swap();
  world.send('for Ann only');
  await world.clock.advance(60_000);
  expect(writes()).toEqual([]);
  expect(ops()).toMatchObject([{ state: 'failed', action: { text: 'for Ann only' } }]);
});

test.each(['failed', 'unsure'])(
  'a message that was %s before the user is told names the person it was meant for',
  async (state) => {
    const [outcome, status] = state === 'failed' ? (['rejected', 422] as const) : (['ambiguous', 500] as const);
    let isRefused = true;
    const error = apiFault(state === 'failed' ? 'invalid' : 'server', outcome, { status });
    world.service.fault = (operation) => (operation === 'sendMessage' && isRefused ? { applies: false, error } : null);
    world.send('for Ann only');
    await world.clock.advance(100_000);
    isRefused = false;
    expect(ops()).toMatchObject([{ state }]);
    await swap();
    await world.clock.advance(100_000);
    if (state === 'unsure') world.engine.retry(ops()[0]?.uuid ?? '');
    await world.clock.advance(10_000);
    expect(writes()).toEqual([]);
    expect(ops()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('Meant for') }]);
    // The author has read that, and means the message for the present recipient.
    world.engine.retry(ops()[0]?.uuid ?? '');
    await world.clock.advance(10_000);
    expect(world.service.copiesOf('for Ann only')).toBe(1);
  },
);

test('after ids were swapped between two polls, a message to be deleted is another one now, and stays', async () => {
  await swap();
  world.engine.enqueue({ kind: 'conversation.delete', conversationId: 'c1' });
  await world.clock.advance(60_000);
  expect(writes()).toEqual([]);
});

test('after ids were swapped between two polls, the answer to a change shows it, and a draft does not become one to the other', async () => {
  await swap();
  world.store.setState(updateDraft('c1', (draft) => ({ ...draft, text: 'for Ann only' })));
  world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
  await world.clock.advance(60_000);
  expect(world.store.getState().cache.conversations.get('c1')).toMatchObject({ contactId: 'bob', isMuted: true });
  expect(world.store.getState().local.drafts.get('c1')?.text ?? '').toBe('');
  expect(ops()).toMatchObject([{ state: 'failed', action: { text: 'for Ann only' } }]);
  expect(noticesAbout('replaced c1')).toHaveLength(1);
});

test('a list that was read a moment ago is not requested again', async () => {
  world.send('one');
  await world.clock.advance(100);
  world.service.requests.length = 0;
  world.send('two');
  await world.clock.advance(0);
  expect(world.service.requests.filter((request) => request.startsWith('listConversations'))).toEqual([]);
  expect(world.service.copiesOf('two')).toBe(1);
});

test('a message for the former recipient that is tried again before the change was noticed waits for the user', async () => {
  const action = { kind: 'message.send', conversationId: 'c1', text: 'for Zed' } as const;
  const fields = { uuid: 'elsewhere', created: world.clock.now(), recipient: { contactId: 'zed' } };
  world.outbox.enqueue(eg.op(action, fields), null);
  world.restart();
  world.engine.retry('elsewhere');
  await world.clock.advance(10_000);
  expect(writes()).toEqual([]);
  expect(ops()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('Meant for') }]);
});

test('a message that another program entered for the new recipient, before this one has noticed it, is sent', async () => {
  const action = { kind: 'message.send', conversationId: 'c1', text: 'for Zed' } as const;
  world.service.addConversation('c1', { contactId: 'zed' });
  const fields = { uuid: 'elsewhere', created: world.clock.now(), recipient: { contactId: 'zed' } };
  world.outbox.enqueue(eg.op(action, fields), null);
  world.restart();
  await world.clock.advance(10_000);
  expect(world.service.copiesOf('for Zed')).toBe(1);
});

test('a message that another program entered for the former recipient after the change was noticed here waits for the user', async () => {
  const action = { kind: 'message.send', conversationId: 'c1', text: 'for Zed' } as const;
  const fields = { uuid: 'elsewhere', created: world.clock.now(), recipient: { contactId: 'zed' } };
  world.outbox.enqueue(eg.op(action, fields), null);
  world.restart();
  await world.clock.advance(10_000);
  expect(writes()).toEqual([]);
  const [op] = ops();
  expect(op).toMatchObject({ state: 'failed' });
  expect(op?.reason).toContain('Meant for');
  // The author has read that, and means the message for the present recipient.
  world.engine.retry('elsewhere');
  await world.clock.advance(10_000);
  expect(world.service.copiesOf('for Zed')).toBe(1);
});

test('a message for a former recipient whose name has changed since is sent when it is tried again once', async () => {
  await whileAway(() => world.send('for Ann only'));
  await world.clock.advance(60_000);
  const before = ops()[0]?.reason;
  world.service.addConversation('c2', { contactId: 'ann' });
  world.service.say('c2', 'hello', { ...eg.contact({ id: 'ann' }), username: 'ann.wells' });
  await world.clock.advance(60_000);
  world.engine.retry(ops()[0]?.uuid ?? '');
  await world.clock.advance(10_000);
  expect(before).not.toContain('ann.wells');
  expect(world.service.copiesOf('for Ann only')).toBe(1);
});

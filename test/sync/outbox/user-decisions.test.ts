/** What the user decides in one program of a profile outlives whatever the other one writes without having noticed. */
import { expect, test, vi } from 'vitest';
import type { Message } from '../../../src/protocol/types.ts';
import type { Op, OpAction } from '../../../src/state/model/app-state.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { twoPrograms } from '../../support/worlds/two-programs.ts';

type Pair = Awaited<ReturnType<typeof twoPrograms>>;

const only = (program: Pair['first']): Op => {
  const [op] = program.outbox.load().outbox;
  if (op === undefined) throw new Error('the outbox is empty');
  return op;
};

/** One message of the first program without an answer, as both show it. */
async function unsure(checkedMs = 60_000): Promise<Pair> {
  const both = await twoPrograms();
  both.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
  both.first.send('lost');
  await both.clock.advance(checkedMs);
  both.second.engine.refreshOutbox();
  expect(both.second.states()).toEqual(['unsure']);
  return both;
}

/** The next reading of the history has begun, and its answer comes when the returned function is called. */
function holdReading({ service }: Pair): () => void {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  service.hold = (operation) => (operation === 'listMessages' ? held : null);
  return () => {
    service.hold = () => null;
    answer();
  };
}

async function decideWhileItReads(both: Pair, decide: (uuid: string) => void): Promise<void> {
  const answer = holdReading(both);
  await both.clock.advance(35_000);
  decide(only(both.second).uuid);
  answer();
  await both.clock.advance(0);
}

test('while one program reads, the other can let later messages go first', async () => {
  const both = await unsure();
  const before = only(both.first).scans;
  await decideWhileItReads(both, (uuid) => expect(both.second.engine.letPass(uuid)).toBe(true));
  expect(only(both.first)).toMatchObject({ skippedInOrder: true });
  expect(only(both.first).scans).toBe(before + 1);
});

test('while one program reads, the other can send it again', async () => {
  const both = await unsure();
  await decideWhileItReads(both, (uuid) => both.second.engine.retry(uuid));
  await both.clock.advance(1_000);
  expect(both.service.postsOf('lost')).toBe(2);
});

test('while one program reads, the other can discard it', async () => {
  const both = await unsure();
  await decideWhileItReads(both, (uuid) => expect(both.second.engine.discard(uuid)).toBe(true));
  expect(both.first.outbox.load().outbox).toEqual([]);
  expect(both.first.states()).toEqual([]);
});

test('a decision about a state that has changed sends nothing twice', async () => {
  const both = await unsure();
  both.first.engine.retry(only(both.first).uuid);
  await both.clock.advance(4_000);
  expect(both.first.states()).toEqual(['unsure']);
  const posts = both.service.postsOf('lost');
  // The second program has not looked since: there, the first attempt may still be repeated.
  expect(both.second.store.getState().local.outbox[0]?.scans).toBeGreaterThan(1);
  both.second.engine.retry(only(both.first).uuid);
  both.first.engine.refreshOutbox();
  await both.clock.advance(4_000);
  expect(both.service.postsOf('lost')).toBe(posts);
  expect(both.second.states()).toEqual(['unsure']);
});

test('a message sent again holds back later ones again, whatever was decided about its first attempt', async () => {
  const both = await unsure();
  const { uuid } = only(both.first);
  both.first.engine.letPass(uuid);
  both.first.engine.retry(uuid);
  both.first.send('later');
  await both.clock.advance(10_000);
  expect(both.first.states()).toEqual(['unsure', 'queued']);
  expect(both.service.postsOf('later')).toBe(0);
  both.first.engine.letPass(uuid);
  await both.clock.advance(1_000);
  expect(both.service.postsOf('later')).toBe(1);
});

test('a decision before a new sender has checked the op is kept', async () => {
  const both = await unsure();
  const { first, second, clock } = both;
  first.die();
  await clock.advance(0);
  // Between its last look and its judgement somebody else writes.
  second.outbox.changeOp(only(second).uuid, (op) => ({ ...op, state: 'queued', reason: null }));
  await clock.advance(70_000);
  expect(both.service.postsOf('lost')).toBe(2);
});

test('while one program reads that an edit succeeded after all, the other can give it another text', async () => {
  const both = await twoPrograms();
  const { first, second, service } = both;
  first.open('c1');
  first.send('words');
  await both.clock.advance(5_000);
  const [messageId = ''] = [...service.messages.values()].filter(({ text }) => text === 'words').map(({ id }) => id);
  const refused = apiFault('invalid', 'rejected', { status: 400 });
  service.fault = (operation) => (operation === 'updateMessage' ? { applies: false, error: refused } : null);
  const edit: OpAction = { kind: 'message.edit', conversationId: 'c1', messageId, base: 'words', text: 'better' };
  first.engine.enqueue(edit);
  await both.clock.advance(5_000);
  second.engine.refreshOutbox();
  expect(second.states()).toEqual(['failed']);
  service.messages.set(messageId, { ...service.messages.get(messageId), text: 'better' } as Message);
  await decideWhileItReads(both, (uuid) => expect(second.engine.rewrite(uuid, 'best')).toBe(true));
  expect(only(second)).toMatchObject({ state: 'failed', action: { ...edit, text: 'best' } });
});

test.each([true, false])(
  'a message that one program is sending, or has sent (%s), is taken back on the server by the other',
  async (isSent) => {
    const { first, second, clock, service } = await twoPrograms();
    const mute = { kind: 'conversation.mute', conversationId: 'c1' } as const;
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    service.hold = (operation) => (operation === 'updateConversation' ? held : null);
    second.engine.enqueue({ ...mute, value: true });
    const look = vi.spyOn(second.outbox, 'hasForeignChanges').mockReturnValue(false);
    first.engine.refreshOutbox();
    await clock.advance(100);
    expect(service.requests).toContain('updateConversation c1');
    if (isSent) answer();
    await clock.advance(0);
    // The second program has not looked since.
    expect([first.states(), second.states()]).toEqual([isSent ? [] : ['sending'], ['queued']]);
    second.engine.enqueue({ ...mute, value: false });
    look.mockRestore();
    answer();
    await clock.advance(10_000);
    first.engine.refreshOutbox();
    await clock.advance(10_000);
    second.engine.refreshOutbox();
    expect(service.conversations.get('c1')).toMatchObject({ isMuted: false });
    expect([first.states(), second.states()]).toEqual([[], []]);
  },
);

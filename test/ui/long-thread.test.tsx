/** A conversation with long messages opens on the newest of them, and is otherwise like any other. */
import { expect, test } from 'vitest';
import { closeThread } from '../../src/state/cache/threads.ts';
import { setIdentity } from '../../src/state/local/identity.ts';
import { setFocus } from '../../src/state/view/view.ts';
import { openStage, type Stage } from '../bench/stage.ts';

const long = 'one line of very many\n'.repeat(20_000);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function ready(): Promise<Stage> {
  const stage = await openStage({ messages: 3, conversations: 2 });
  for (let i = 0; i < 20; i++) stage.service.say('c2', `short ${i}`);
  await poll(stage);
  stage.ui.context.openConversation('c2');
  await stage.clock.advance(3_000);
  stage.ui.context.openConversation('c1');
  for (let i = 0; i < 3; i++) stage.service.say('c2', `${long}${i}`);
  await poll(stage);
  // As if many others had been looked at since.
  stage.store.setState(closeThread('c2'));
  return stage;
}

async function poll(stage: Stage): Promise<void> {
  stage.engine.pollNow();
  await stage.clock.advance(30_000);
}

const threadOf = (stage: Stage) => stage.store.getState().cache.threads.get('c2');

test('opening reads one long text; the "new" line is shown where reading ended; the rest is read as the user moves to it', async () => {
  const stage = await ready();
  stage.ui.context.openConversation('c2');
  const opened = threadOf(stage);
  expect(opened?.messages).toHaveLength(1);
  expect(opened?.messages[0]?.text).toBe(`${long}2`);
  const last = stage.service.messages.get(opened?.newLineAfter ?? '');
  expect(last?.text).toBe('short 19');
  stage.store.setState(setFocus('messages'));
  for (let i = 0; i < 6; i++) {
    await stage.press('k');
    await turn();
    await turn();
  }
  const selected = stage.store.getState().view.places.get('c2')?.selectedId ?? '';
  expect(stage.service.messages.get(selected)?.text).toBe('short 17');
  await stage.close();
});

test('a thread that stays open fills its window one long text at a time', async () => {
  const stage = await ready();
  stage.ui.context.openConversation('c2');
  const sizes = new Set<number | undefined>();
  stage.store.subscribe(() => sizes.add(threadOf(stage)?.messages.length));
  await stage.clock.advance(50);
  expect([...sizes].filter((size) => size !== 1)).toEqual([2, 3, 23]);
  expect(threadOf(stage)?.older).toBe('end');
  await stage.close();
});

test('a reaction to a message that is shown keeps the count of unread messages', async () => {
  const stage = await ready();
  stage.store.setState(setIdentity({ contactId: 'me', username: 'me-name' }));
  stage.ui.context.openConversation('c2', { isPeek: true });
  expect(stage.store.getState().cache.unread.get('c2')).toBe(3);
  const counts = new Set<number | undefined>();
  stage.store.subscribe(({ cache }) => counts.add(cache.unread.get('c2')));
  const messageId = threadOf(stage)?.messages.at(-1)?.id ?? '';
  stage.engine.enqueue({
    kind: 'message.react',
    conversationId: 'c2',
    messageId,
    name: '+1',
    present: true,
    confirmed: true,
  });
  await stage.clock.advance(30_000);
  expect(threadOf(stage)?.messages.at(-1)?.reactions).toHaveLength(1);
  expect([...counts]).toEqual([3]);
  await stage.close();
});

/** Reading on to the end of a conversation that was opened where unread begins, in the whole client. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { markReadIfAtEnd } from '../../../src/cli/chat/mark-read-if-at-end.ts';
import { markUnread } from '../../../src/state/local/read-lines.ts';
import { setSize } from '../../../src/state/view/view.ts';
import { openStage, type Stage } from '../../bench/stage.ts';
import * as eg from '../../support/builders/eg.ts';

beforeEach(eg.restart);

const place = (stage: Stage) => stage.store.getState().view.places.get('c2')?.scroll.at;
const unread = (stage: Stage) => stage.store.getState().cache.unread.get('c2');

/** Forty messages of Ann in a conversation that is not open, and one before them that was read. */
async function forty(): Promise<Stage> {
  const stage = await openStage({ messages: 3, conversations: 2 });
  onTestFinished(() => stage.close());
  stage.service.say('c2', 'earlier');
  await poll(stage);
  stage.ui.context.openConversation('c2');
  await stage.clock.advance(3_000);
  stage.ui.context.openConversation('c1');
  for (let i = 0; i < 40; i++) stage.service.say('c2', `news ${i}`);
  await poll(stage);
  expect(unread(stage)).toBe(40);
  return stage;
}

async function poll(stage: Stage): Promise<void> {
  stage.engine.pollNow();
  await stage.clock.advance(30_000);
}

describe('a conversation with more unread messages than fit', () => {
  test('is unread until its end was scrolled to, also after it was left', async () => {
    const stage = await forty();
    const { context } = stage.ui;
    context.openConversation('c2');
    await stage.clock.advance(5_000);
    expect([place(stage), unread(stage)]).toEqual(['message', 40]);
    const kept = stage.store.getState().view.places.get('c2')?.scroll;
    context.openConversation('c1');
    await stage.clock.advance(5_000);
    context.openConversation('c2');
    await stage.clock.advance(5_000);
    expect(stage.store.getState().view.places.get('c2')?.scroll).toBe(kept);
    expect(stage.store.getState().cache.threads.get('c2')?.newLineAfter).not.toBeNull();
    context.scrollThread({ rows: 5 });
    expect(unread(stage)).toBe(40);
    context.scrollThread({ pages: 5 });
    expect([place(stage), unread(stage)]).toEqual(['bottom', undefined]);
  });

  test('is read when a message is sent from there, which goes to the end', async () => {
    const stage = await forty();
    stage.ui.context.openConversation('c2');
    await stage.press('x');
    await stage.press('enter');
    expect([place(stage), unread(stage)]).toEqual(['bottom', undefined]);
  });

  test('is not read by a peek that is scrolled to the end', async () => {
    const stage = await forty();
    stage.ui.context.openConversation('c2', { isPeek: true });
    expect(place(stage)).toBe('message');
    stage.ui.context.scrollThread('bottom');
    expect([place(stage), unread(stage)]).toEqual(['bottom', 40]);
  });

  test('is read when a larger screen shows its end, where the place stays', async () => {
    const stage = await forty();
    stage.ui.context.openConversation('c2');
    const before = stage.store.getState();
    stage.store.setState(setSize({ columns: 120, rows: 100 }));
    markReadIfAtEnd({ ...stage, panes: stage.ui.panes }, before);
    expect([place(stage), unread(stage)]).toEqual(['message', undefined]);
  });
});

test('stays unread if it was marked as unread at the end, while the end is scrolled at', async () => {
  const stage = await openStage({ messages: 100 });
  onTestFinished(() => stage.close());
  stage.store.setState(markUnread('c1'));
  stage.ui.context.scrollThread({ rows: 1 });
  expect(stage.store.getState().cache.unread.get('c1')).toBe(1);
});

test('a jump to an older message does not mark the few new messages at the end of its conversation as read', async () => {
  const stage = await forty();
  const { context } = stage.ui;
  context.openConversation('c2');
  context.scrollThread('bottom');
  context.openConversation('c1');
  stage.service.say('c2', 'one more');
  await poll(stage);
  const said = [...stage.service.messages.values()].find(({ text }) => text === 'news 5');
  const key = stage.engine.findInHistory('c2', { kind: 'message', messageId: said?.id ?? '' });
  if (key === null || key === 'further back') throw new Error('it is in the cache');
  context.showMessage('c2', key);
  expect([place(stage), unread(stage)]).toEqual(['message', 1]);
});

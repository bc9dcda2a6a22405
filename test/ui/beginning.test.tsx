/** Whoever has scrolled to the beginning of a conversation and goes on scrolling asks whether it is one. */
import { expect, test } from 'vitest';
import { setFocus } from '../../src/state/view.ts';
import { openStage, type Stage } from '../bench/stage.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function press(stage: Stage, key: string): Promise<void> {
  await stage.press(key);
  await turn();
  await stage.clock.advance(100);
}

const asked = ({ service }: Stage): number =>
  service.requests.filter((request) => request.startsWith('olderMessages')).length;

const oldest = ({ store }: Stage): string | undefined => store.getState().cache.threads.get('c1')?.messages[0]?.id;

/** Of 120 messages the newest 100 are there, and the server has said that there are no others. */
async function ready(): Promise<Stage> {
  const stage = await openStage({ messages: 120, conversations: 2 });
  stage.store.setState(setFocus('messages'));
  stage.service.denials = 1;
  stage.engine.needOlder('c1');
  await stage.clock.advance(100);
  expect(stage.store.getState().cache.threads.get('c1')?.older).toBe('end');
  stage.service.requests.length = 0;
  return stage;
}

test.each(['g', 'pageup', 'f5'])('%s', async (key) => {
  const stage = await ready();
  const before = oldest(stage);
  await press(stage, key);
  if (key !== 'g') expect(asked(stage)).toBe(0);
  for (let pressed = 0; pressed < 10 && asked(stage) === 0; pressed += 1) await press(stage, 'pageup');
  expect(asked(stage)).toBe(1);
  expect(oldest(stage)).not.toBe(before);
  await stage.close();
});

test('to open it, to scroll it down and to stay there asks nothing', async () => {
  const stage = await ready();
  stage.service.denials = 1_000;
  await press(stage, 'g');
  expect(asked(stage)).toBe(1);
  await stage.clock.advance(120_000);
  await press(stage, 'pagedown');
  stage.ui.context.openConversation('c2');
  await turn();
  stage.ui.context.openConversation('c1');
  await turn();
  await stage.clock.advance(120_000);
  expect(asked(stage)).toBe(1);
  await press(stage, 'g');
  await press(stage, 'f5');
  expect(asked(stage)).toBe(2);
  await stage.clock.advance(6_000);
  await press(stage, 'f5');
  expect(asked(stage)).toBe(3);
  await stage.close();
});

/** The selected message, on which the keys act, in the whole client. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { selectSelectedItem } from '../../../src/state/select/selectors.ts';
import { setFocus } from '../../../src/state/view/view.ts';
import { openStage, type Stage } from '../../bench/stage.ts';
import * as eg from '../../support/builders/eg.ts';

beforeEach(eg.restart);

/** A conversation of several screens, with the newest message selected. */
async function selected(): Promise<Stage> {
  const stage = await openStage({ messages: 100, conversations: 1 });
  onTestFinished(() => stage.close());
  await stage.press('shift+tab');
  return stage;
}

const selectedId = ({ store }: Stage) => selectSelectedItem(store.getState())?.id;
const inSight = ({ ui, store }: Stage) =>
  ui.panes().messagesInSight(store.getState(), ui.panes().layout(store.getState()));

test.each([{ rows: 3 }, { pages: 1 }])('the selected message is one in sight after scrolling by %j', async (by) => {
  const stage = await selected();
  const [name, amount] = Object.entries(by)[0] ?? [];
  const scroll = (direction: number) => stage.ui.context.scrollThread({ [name as 'rows']: direction * Number(amount) });
  const newest = selectedId(stage);
  for (let i = 0; i < 15; i++) scroll(-1);
  expect(selectedId(stage)).not.toBe(newest);
  expect(selectedId(stage)).toBe(inSight(stage).at(-1));
  for (let i = 0; i < 14; i++) scroll(1);
  expect(selectedId(stage)).toBe(inSight(stage)[0]);
});

test('the selected message is one in sight when the keyboard comes back to messages that were scrolled meanwhile', async () => {
  const stage = await selected();
  const newest = selectedId(stage);
  stage.store.setState(setFocus('composer'));
  for (let i = 0; i < 15; i++) stage.ui.context.scrollThread({ rows: -3 });
  expect(selectedId(stage)).toBe(newest);
  await stage.press('shift+tab');
  expect(selectedId(stage)).toBe(inSight(stage).at(-1));
});

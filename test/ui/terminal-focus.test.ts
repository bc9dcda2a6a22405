/** Whether the terminal has the focus: what it reports, and what shows that a report is missing. */
import { beforeEach, expect, test } from 'vitest';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';
import { pointerOn } from './pointer.ts';
import { stage } from './stage.tsx';

beforeEach(eg.restart);

test('a key or a click shows that the terminal has the focus again, and the wheel does not', () => {
  const told: boolean[] = [];
  const pointer = pointerOn(stage(scene()), (focused) => told.push(focused));
  pointer.key('up');
  expect(told).toEqual([]);
  pointer.focus(false);
  pointer.send('wheel-up', [40, 5]);
  pointer.send('move', [40, 5]);
  expect(told).toEqual([false]);
  pointer.key('up');
  pointer.key('up');
  expect(told).toEqual([false, true]);
  pointer.focus(false);
  pointer.click([40, 5]);
  expect(told).toEqual([false, true, false, true]);
});

import { beforeEach, expect, test } from 'vitest';
import { noteUse, usedCommands } from '../../../src/state/local/uses.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import * as eg from '../../support/builders/eg.ts';

beforeEach(eg.restart);

const week = 7 * 24 * 60 * 60 * 1000;
const used = (state: AppState, ...uses: readonly (readonly [id: string, at: number])[]): AppState =>
  uses.reduce((now, [id, at]) => noteUse('commandUses', id, at)(now), state);
const order = ({ local }: AppState) => usedCommands(local.commandUses);

test('frequently used ones come first, and count half as much after every week', () => {
  const often = used(eg.state(), ['a', 0], ['a', 1], ['a', 2], ['b', 3]);
  expect(order(often)).toEqual(['a', 'b']);
  expect(often.local.commandUses.get('a')?.weight).toBeCloseTo(3, 4);
  expect(order(used(often, ['b', 2 * week]))).toEqual(['b', 'a']);
});

test('a clock that was set back does no harm', () => {
  const state = used(eg.state(), ['a', 10 * week], ['a', 0]);
  expect(state.local.commandUses.get('a')).toEqual({ weight: 2, at: 10 * week });
});

test('fifty uses are kept, the last ones among them', () => {
  const many = Array.from({ length: 60 }, (_, at) => [`c${at}`, at] as const);
  const state = used(eg.state(), ...many.flatMap((one) => [one, one]), ['last', 60]);
  expect(state.local.commandUses.size).toBe(50);
  expect(order(state)).toContain('last');
  expect(order(state)).not.toContain('c0');
});

/** What the help makes anew for a key. */
import { beforeEach, expect, test } from 'vitest';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { helpPicker } from '../../../src/ui/overlays/help.ts';
import { createPanes } from '../../../src/view/panes.ts';
import { themes } from '../../../src/view/theme.ts';
import * as eg from '../../support/builders/eg.ts';
import { scene } from '../../support/builders/scene.ts';

beforeEach(eg.restart);

const { look } = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now });

function rowsOf(base: AppState, typed: string, selected: number) {
  const overlay = { kind: 'help', typed, selected } as const;
  const state = { ...base, screen: { ...base.screen, overlays: [overlay] } };
  const { rows } = helpPicker(overlay, state, { look, now: eg.now, hints: [] });
  return rows.slice(0, 30).map((choice) => ('row' in choice && typeof choice.row === 'function' ? choice.row() : null));
}

test('a move makes no row again, and a letter makes those that it finds', () => {
  const base = scene();
  const before = rowsOf(base, 'me', 0);
  expect(before.length).toBeGreaterThan(10);
  expect(before).not.toContain(null);
  const after = rowsOf(base, 'me', 1);
  expect(after.map((row, nth) => row === before[nth])).toEqual(before.map(() => true));
  expect(rowsOf(base, 'mes', 0)[0]).not.toBe(before[0]);
});

/** Which pane has the keyboard is seen from its frame and its title, in every theme and without colours. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectInList } from '../../src/state/view/list-place.ts';
import type { Row } from '../../src/text/layout/row.ts';
import type { PaneName } from '../../src/view/layout.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

type Focus = AppState['screen']['focus'];
const paneOf: Readonly<Record<Focus, PaneName>> = { list: 'list', messages: 'thread', composer: 'composer' };
const focuses: readonly Focus[] = ['list', 'messages', 'composer'];

const isInverse = ({ style }: Row[number]): boolean => style.split(';').includes('7');
const ofRow = (row: Row | undefined, wanted: (span: Row[number]) => boolean): string =>
  (row ?? [])
    .filter(wanted)
    .map(({ text }) => text)
    .join('');

describe.each(Object.values(themes))('the pane with the keyboard focus in the theme $name', (theme) => {
  test.each(focuses)('is the only one with a heavy frame and an inverse title: %s', (focus) => {
    for (const ascii of [false, true]) {
      const panes = createPanes({ theme, ascii, now: () => eg.now });
      const state = scene({ focus, size: { columns: 80, rows: 24 } });
      const layout = panes.layout(state);
      const heavy = ascii ? /={3}/ : /━{3}/;
      for (const one of focuses) {
        const rows = panes.rows(paneOf[one], state, layout);
        const title = rows[0];
        expect(ofRow(title, isInverse) !== '').toBe(one === focus);
        expect(heavy.test(ofRow(title, () => true))).toBe(one === focus);
        const bold = ofRow(title, ({ text, style }) => heavy.test(text) && style.split(';')[0] === '1');
        expect(bold !== '').toBe(one === focus);
      }
    }
  });
});

test.each(Object.values(themes))('the selected row has no dimmed words in the theme $name', (theme) => {
  const panes = createPanes({ theme, ascii: false, now: () => eg.now });
  const state = scene({ focus: 'list', size: { columns: 80, rows: 24 } });
  const lit = panes.rows('list', state, panes.layout(state)).slice(1).flat().filter(isInverse);
  expect(lit.map(({ text }) => text).join('')).toContain('You: I will be there');
  expect(lit.filter(({ style }) => style.split(';').includes('2'))).toEqual([]);
});

test('the bar in the list is at the selected conversation with the focus, and at the open one without it', () => {
  const panes = createPanes({ theme: themes.none, ascii: false, now: () => eg.now });
  const marked = (focus: Focus): readonly string[] => {
    const state = selectInList('c-bob')(scene({ focus, size: { columns: 80, rows: 24 } }));
    const rows = panes.rows('list', state, panes.layout(state)).map((row) => ofRow(row, () => true));
    return rows.filter((row) => row.startsWith('│▌'));
  };
  expect(marked('list').join()).toContain('Bob Quist');
  expect(marked('list').join()).not.toContain('Ann Wells');
  expect(marked('composer').join()).toContain('Ann Wells');
  expect(marked('composer').join()).not.toContain('Bob Quist');
});

test('the lower frame is heavy too if the pane has one of its own', () => {
  const panes = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now });
  for (const focus of ['list', 'composer'] as const) {
    const state = scene({ focus, size: { columns: 80, rows: 24 } });
    expect(ofRow(panes.rows(paneOf[focus], state, panes.layout(state)).at(-1), () => true)).toMatch(/━{3}/);
  }
});

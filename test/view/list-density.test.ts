/** The three densities of the list: rows, clicks, the wheel and the selection. */
import { expect, test } from 'vitest';
import type { Density } from '../../src/state/model/settings.ts';
import { selectListOrder } from '../../src/state/select/selectors.ts';
import { scrollListTo, stepInList } from '../../src/state/view/list-place.ts';
import { targetAt } from '../../src/text/layout/row.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';

const long = 'The ferry leaves at nine and comes back at noon, unless the wind is too strong for it';

function listOf(density: Density) {
  const panes = createPanes({ theme: themes.none, ascii: false, now: () => eg.now });
  const conversations = Array.from({ length: 30 }, (_, i) =>
    eg.conversation({ id: `c${i}`, contactId: `p${i}`, lastActiveAt: eg.now - i * eg.minute }),
  );
  const contacts = conversations.map((_, i) => eg.contact({ id: `p${i}`, username: `person ${i}.` }));
  const start = eg.state({ conversations, contacts, view: { openId: 'c0' }, screen: { focus: 'list' } });
  const lastMessages = new Map(
    conversations.map(({ id }) => [id, eg.message({ id: `m${id}`, conversationId: id, text: long })]),
  );
  const state = {
    ...start,
    cache: { ...start.cache, lastMessages },
    settings: { ...start.settings, density },
  };
  return { panes, state };
}

test.each([
  ['compact', 1],
  ['normal', 2],
  ['comfortable', 3],
] as const)('%s: %i rows, each of which is a target of its conversation', (density, each) => {
  const { panes, state } = listOf(density);
  const rows = panes.rows('list', state, panes.layout(state)).slice(1, -1);
  const idAt = (index: number): unknown => {
    const target = targetAt(rows[index] ?? [], 5);
    return target?.kind === 'conversation' ? target.conversationId : null;
  };
  expect(rows.map((_, index) => idAt(index))).toEqual(rows.map((_, index) => `c${Math.floor(index / each)}`));
});

test.each([
  ['compact', 1],
  ['normal', 2],
  ['comfortable', 3],
] as const)('%s: the wheel reaches the end, and the selection is always completely visible', (density, each) => {
  const { panes, ...rest } = listOf(density);
  let { state } = rest as { state: ReturnType<typeof listOf>['state'] };
  const shown = (): string => picture(panes, state).join('\n');
  const top = panes.listTopAfter(state, panes.layout(state), 100);
  state = scrollListTo(top ?? '')(state) as typeof state;
  expect(shown()).toContain('person 29.');
  state = stepInList(selectListOrder(state), 'first')(state) as typeof state;
  for (let i = 1; i < 30; i++) {
    state = stepInList(selectListOrder(state), 'next')(state) as typeof state;
    const rows = panes.rows('list', state, panes.layout(state)).slice(1, -1);
    const isOfSelected = (row: (typeof rows)[number]): boolean => {
      const target = targetAt(row, 5);
      return target?.kind === 'conversation' && target.conversationId === state.view.list.selectedId;
    };
    expect(rows.filter(isOfSelected)).toHaveLength(each);
  }
});

test('a comfortable entry uses its third row for text, and a compact one leaves out the last message', () => {
  const comfortable = listOf('comfortable');
  const compact = listOf('compact');
  const lines = picture(comfortable.panes, comfortable.state)
    .slice(2, 5)
    .map((row) => row.slice(0, 30));
  expect(lines).toEqual([
    '│▌person 0.            14:02  ',
    '│▌   The ferry leaves at nine ',
    '│▌   and comes back at noon, …',
  ]);
  expect(picture(compact.panes, compact.state).slice(2, 5).join('\n')).not.toContain('│   The ferry');
});

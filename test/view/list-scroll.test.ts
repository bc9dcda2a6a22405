/** The wheel scrolls the list and leaves the selection alone. */
import { expect, test } from 'vitest';
import { selectListOrder } from '../../src/state/select/selectors.ts';
import { scrollListTo, stepInList } from '../../src/state/view/list-place.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';

const panesOf = () => createPanes({ theme: themes.none, ascii: false, now: () => eg.now });
const conversations = Array.from({ length: 30 }, (_, i) =>
  eg.conversation({ id: `c${i}`, contactId: `p${i}`, lastActiveAt: eg.now - i * eg.minute }),
);
const contacts = conversations.map((_, i) => eg.contact({ id: `p${i}`, username: `person ${i}.` }));

test('the list shows the rows that the wheel led to, and the selection again once that moves', () => {
  const panes = panesOf();
  let state = eg.state({ conversations, contacts, view: { openId: 'c0' }, screen: { focus: 'composer' } });
  const wheel = (by: number): void => {
    const top = panes.listTopAfter(state, panes.layout(state), by);
    if (top !== null) state = scrollListTo(top)(state);
  };
  const rows = (): string => picture(panes, state).join('\n');
  expect(rows()).toContain('person 0.');
  wheel(2);
  wheel(2);
  expect(rows()).not.toContain('person 3.');
  expect(rows()).toMatch(/Conversations[^\n]*\n[^\n]*person 4\./);
  expect(state.view.list.selectedId).toBe(null);
  wheel(100);
  expect(rows()).toContain('person 29.');
  state = stepInList(selectListOrder(state), 'next')(state);
  expect(rows()).toContain('person 1.');
});

test('the list goes back to its top for an open conversation that has come up to it', () => {
  for (const focus of ['composer', 'list'] as const) {
    const panes = panesOf();
    const open = { conversations, contacts, screen: { focus } };
    const topOf = (openId: string): string | undefined =>
      picture(panes, eg.state({ ...open, view: { openId } }))
        .join('\n')
        .match(/Conversations[^\n]*\n[^\n]*?(person \d+\.)/)?.[1];
    expect(topOf('c0')).toBe('person 0.');
    expect(topOf('c29')).not.toBe('person 0.');
    // Where the list has the keyboard, it moves no further than the selection needs.
    expect(topOf('c2')).toBe(focus === 'composer' ? 'person 0.' : 'person 2.');
    topOf('c29');
    expect(topOf('c15')).toBe('person 15.');
  }
});

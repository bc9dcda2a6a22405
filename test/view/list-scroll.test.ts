/** The wheel scrolls the list and leaves the selection alone. */
import { expect, test } from 'vitest';
import { selectListOrder } from '../../src/state/select/selectors.ts';
import { scrollListTo, stepInList } from '../../src/state/view/list-place.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';

test('the list shows the rows that the wheel led to, and the selection again once that moves', () => {
  const panes = createPanes({ theme: themes.none, ascii: false, now: () => eg.now });
  const conversations = Array.from({ length: 30 }, (_, i) =>
    eg.conversation({ id: `c${i}`, contactId: `p${i}`, lastActiveAt: eg.now - i * eg.minute }),
  );
  const contacts = conversations.map((_, i) => eg.contact({ id: `p${i}`, username: `person ${i}.` }));
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

/** The list at its narrowest: what is left out, and what stays. */
import { expect, test } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';

const panes = createPanes({ theme: themes.none, ascii: false, now: () => eg.now });

function narrow(list: Partial<AppState['view']['list']> = {}): readonly string[] {
  const conversations = [
    eg.conversation({
      id: 'c1',
      contactId: 'p1',
      isPinned: true,
      isMuted: true,
      lastActiveAt: eg.now - 400 * 24 * 60 * eg.minute,
    }),
    eg.conversation({ id: 'c2', contactId: 'p2', lastActiveAt: eg.now - eg.minute }),
  ];
  const contacts = [eg.contact({ id: 'p1', username: 'somebody.else' }), eg.contact({ id: 'p2', username: 'ann' })];
  const state = eg.state({ conversations, contacts, local: { listWidth: 20 }, screen: { focus: 'composer' } });
  return picture(panes, { ...state, view: { ...state.view, list: { ...state.view.list, ...list } } });
}

test('a name is shown before the time, which is left out where there is no room for both', () => {
  const shown = narrow();
  expect(shown.find((row) => row.includes('📌'))).toMatch(/📌 🔕 someb.*… /);
  expect(shown.find((row) => row.includes(' ann '))).toMatch(/ ann +\d\d:\d\d/);
});

test('the title has the view or the filter, and no heading that takes their room', () => {
  expect(narrow()[1]).toMatch(/^. All ▾ ─/);
  expect(narrow({ view: 'archived' })[1]).toMatch(/^. Archived ▾ ─/);
  expect(narrow({ filter: 'somebo' })[1]).toMatch(/^. Filter: somebo ─?/);
});

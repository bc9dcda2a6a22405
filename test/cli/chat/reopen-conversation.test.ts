/** Opening at the start what was open last: at once or later, and never in the way of what the user has begun. */
import { describe, expect, test, vi } from 'vitest';
import { reopenConversation } from '../../../src/cli/chat/reopen-conversation.ts';
import { applyConversation } from '../../../src/state/cache/conversations.ts';
import { filterList } from '../../../src/state/search/list-search.ts';
import { createAppStore, initialState, type Transition } from '../../../src/state/store.ts';
import { markListComplete } from '../../../src/state/view/connection.ts';
import { startFilter, stepInList } from '../../../src/state/view/list-place.ts';
import { popOverlay, pushOverlay } from '../../../src/state/view/overlays.ts';
import { openInView } from '../../../src/state/view/view.ts';
import * as eg from '../../support/builders/eg.ts';

const known = eg.conversation({ id: 'known' });
const arrives = applyConversation(eg.conversation({ id: 'late' }));

function starting() {
  const store = createAppStore(initialState({ cache: { conversations: new Map([[known.id, known]]) } }));
  const open = vi.fn();
  /** What has been opened once all this has happened. */
  const openedBy = async (...steps: readonly Transition[]) => {
    for (const step of steps) {
      store.setState(step);
      await new Promise(setImmediate);
    }
    return open.mock.calls.flat();
  };
  return { store, open, openedBy };
}

describe('the conversation that was open last', () => {
  test('is opened at once if it is in the cache', () => {
    const { store, open } = starting();
    void reopenConversation(store, 'known', open);
    expect(open.mock.calls).toEqual([['known']]);
  });

  test('is opened once, when the server shows it', async () => {
    const { store, open, openedBy } = starting();
    void reopenConversation(store, 'late', open);
    expect(await openedBy(applyConversation(eg.conversation({ id: 'other' })))).toEqual([]);
    expect(await openedBy(arrives, markListComplete, applyConversation(eg.conversation({ id: 'more' })))).toEqual([
      'late',
    ]);
  });

  test('is not waited for any longer if the whole list does not have it', async () => {
    const { store, open, openedBy } = starting();
    void reopenConversation(store, 'late', open);
    expect(await openedBy(markListComplete, arrives)).toEqual([]);
  });

  test.each<readonly [string, readonly Transition[]]>([
    ['another one is opened', [openInView('known')]],
    [
      'an overlay is opened, even if it is closed again',
      [pushOverlay({ kind: 'help', typed: '', selected: 0 }), popOverlay],
    ],
    ['the list is walked through', [stepInList(['known'], 'next')]],
    ['a filter is begun', [startFilter]],
    ['a filter stands', [filterList('a')]],
  ])('stays closed when %s meanwhile', async (_, steps) => {
    const { store, open, openedBy } = starting();
    void reopenConversation(store, 'late', open);
    expect(await openedBy(...steps, arrives)).toEqual([]);
  });
});

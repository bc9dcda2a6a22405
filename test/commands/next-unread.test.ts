import { expect, test } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { setScroll } from '../../src/state/view/thread-place.ts';
import { chat, world } from './world.ts';

const unreadCrew = (state: AppState): AppState => ({
  ...state,
  cache: { ...state.cache, unread: new Map([['crew', 1]]) },
});

test('the next unread conversation opens where unread begins, and not where it was left; the nth one where it was left', () => {
  const left = { at: 'message', messageId: 'm1', line: 0 } as const;
  const scrollAfter = (key: string) => {
    const w = world(chat());
    w.update((state) => setScroll('crew', left)(unreadCrew(state)));
    w.press(key);
    expect(w.state().view.openId).toBe('crew');
    return selectPlace(w.state(), 'crew').scroll;
  };
  expect(scrollAfter('alt+a')).toEqual({ at: 'bottom' });
  expect(scrollAfter('alt+2')).toEqual(left);
});

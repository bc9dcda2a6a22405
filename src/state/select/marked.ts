/** The marked messages of the open conversation, on which an action acts together. */
import { memoBy } from '../collections/memo.ts';
import type { AppState } from '../model/app-state.ts';
import { type MessageItem, selectPlace, selectThreadItems } from './selectors.ts';

const none: readonly MessageItem[] = [];

const itemsOf = memoBy(inputsOf, (state): readonly MessageItem[] => {
  const { openId } = state.view;
  if (openId === null) return none;
  const marked = new Set(selectPlace(state, openId).marked);
  return selectThreadItems(state, openId).filter(
    (item): item is MessageItem => item.kind === 'message' && marked.has(item.id),
  );
});

function inputsOf(state: AppState): readonly unknown[] {
  const { openId } = state.view;
  return openId === null ? [] : [openId, selectPlace(state, openId).marked, selectThreadItems(state, openId)];
}

/** Oldest first; those that are not loaded any more, or gone, are left out. */
export function selectMarked(state: AppState): readonly MessageItem[] {
  const { openId } = state.view;
  return openId === null || selectPlace(state, openId).marked === undefined ? none : itemsOf(state);
}

/** The stack of overlays: the last one has the keyboard. */
import type { Millis } from '../../protocol/types.ts';
import { wordsOf } from '../../text/search/find.ts';
import type { AppState, MessageSearchOverlay, Overlay } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchView } from './view.ts';

/** Keys within this time of a question's opening were meant for something else (a question about a deletion). */
export const confirmGraceMs = 300;

export type Confirm = Extract<Overlay, { readonly kind: 'confirm' }>;

export const topOverlay = (state: AppState): Overlay | null => state.view.overlays.at(-1) ?? null;

const fields: ReadonlySet<Overlay['kind']> = new Set([
  'react',
  'new-conversation',
  'message-search',
  'switcher',
  'name',
  'token',
]);

/** Whether the top overlay has a text field, for which typing has to be kept. */
export function hasTextField(state: AppState): boolean {
  const kind = topOverlay(state)?.kind;
  return kind !== undefined && fields.has(kind);
}

export const pushOverlay =
  (overlay: Overlay): Transition =>
  (state) =>
    patchView(state, { overlays: [...state.view.overlays, overlay] });

export const popOverlay: Transition = (state) =>
  state.view.overlays.length === 0 ? state : patchView(state, { overlays: state.view.overlays.slice(0, -1) });

export const replaceOverlay =
  (overlay: Overlay): Transition =>
  (state) =>
    topOverlay(state) === overlay
      ? state
      : patchView(state, { overlays: [...state.view.overlays.slice(0, -1), overlay] });

/** The text being typed in the top overlay; a new text selects the first match. */
export const setQuery =
  (query: string): Transition =>
  (state) => {
    const top = topOverlay(state);
    if (top?.kind === 'token' || top?.kind === 'name')
      return top.value === query ? state : replaceOverlay({ ...top, value: query })(state);
    if (top?.kind === 'message-search') return top.query === query ? state : replaceOverlay(asked(top, query))(state);
    if (top?.kind !== 'react') return state;
    return top.query === query ? state : replaceOverlay({ ...top, query, selected: 0 })(state);
  };

/** What was found stays in sight until the new words have been searched for; without a word there is nothing to find. */
const asked = (top: MessageSearchOverlay, query: string): MessageSearchOverlay => ({
  ...top,
  query,
  selected: 0,
  result: wordsOf(query).length === 0 ? null : top.result,
});

/** Moves the choice among `count` rows. */
export const moveChoice =
  (by: number, count: number): Transition =>
  (state) => {
    const top = topOverlay(state);
    if (top === null || !('selected' in top)) return state;
    const selected = Math.max(0, Math.min(top.selected + by, count - 1));
    if (selected === top.selected) return state;
    return replaceOverlay('isMoved' in top ? { ...top, selected, isMoved: true } : { ...top, selected })(state);
  };

/** Chooses a row that can be seen. */
export const chooseRow =
  (row: number): Transition =>
  (state) => {
    const top = topOverlay(state);
    return top === null || !('selected' in top) ? state : moveChoice(row - top.selected, row + 1)(state);
  };

/** Scrolls the help to a row between 0 and `last`. */
export const scrollHelp =
  (by: number, last: number): Transition =>
  (state) => {
    const top = topOverlay(state);
    if (top?.kind !== 'help') return state;
    const scroll = Math.max(0, Math.min(top.scroll + by, last));
    return scroll === top.scroll ? state : replaceOverlay({ ...top, scroll })(state);
  };

export const isTooSoon = ({ openedAt }: { readonly openedAt: Millis }, now: Millis): boolean =>
  now - openedAt < confirmGraceMs;

/** Whether a question may be answered: not at once, and only while what it asks about is as it was. */
export function answerTo(confirm: Confirm, textNow: string | null, now: Millis): 'too-soon' | 'changed' | 'valid' {
  if (isTooSoon(confirm, now)) return 'too-soon';
  return confirm.textThen === textNow ? 'valid' : 'changed';
}

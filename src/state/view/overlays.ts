/**
 * Transitions of the stack of overlays, of which the last one has the keyboard, and of the settings while the settings
 * screen tries values. A question takes no answer that comes too soon.
 */
import type { Millis } from '../../protocol/types.ts';
import type { AppState, Overlay } from '../model/app-state.ts';
import type { Settings } from '../model/settings.ts';
import { selectIsTooSmall } from '../select/pane-columns.ts';
import type { Transition } from '../store.ts';
import { endRefusal } from './notices.ts';
import { patchScreen, withSettings } from './view.ts';

export type Confirm = Extract<Overlay, { readonly kind: 'confirm' }>;

/** Those that are drawn: on a screen that is too small none is, and they are there again once it has grown. */
export const shownOverlays = (state: AppState): readonly Overlay[] =>
  selectIsTooSmall(state) ? noOverlays : state.screen.overlays;
const noOverlays: readonly Overlay[] = [];

export const topOverlay = (state: AppState): Overlay | null => state.screen.overlays.at(-1) ?? null;

/** Whether the top overlay has a text field, so that keys without a command are typed into it. */
export function hasTextField(state: AppState): boolean {
  const top = topOverlay(state);
  return top !== null && 'typed' in top;
}

/** The reason of a refused key says nothing about the overlay, over which it would stand. */
export const pushOverlay =
  (overlay: Overlay): Transition =>
  (state) =>
    patchScreen(endRefusal(state), { overlays: [...state.screen.overlays, overlay] });

/** Values of settings that were tried and not written do not outlive the settings screen. */
export const popOverlay: Transition = (state) => {
  const top = topOverlay(state);
  if (top === null) return state;
  const popped = patchScreen(state, { overlays: state.screen.overlays.slice(0, -1) });
  return top.kind === 'settings' && Object.keys(top.before).length > 0 ? withSettings(popped, top.before) : popped;
};

/** Closes each overlay as `popOverlay` does. */
export const closeOverlays: Transition = (state) => state.screen.overlays.reduce(popOverlay, state);

/**
 * Takes over settings that were changed elsewhere. Those that the settings screen has changed for a try wait for its end.
 */
export const takeSettings =
  (changed: Partial<Settings>): Transition =>
  (state) => {
    const isTried = (name: string): boolean =>
      state.screen.overlays.some((one) => one.kind === 'settings' && name in one.before);
    const named = Object.entries(changed);
    const now = Object.fromEntries(named.filter(([name]) => !isTried(name)));
    const later = Object.fromEntries(named.filter(([name]) => isTried(name)));
    const overlays = state.screen.overlays.map((one) =>
      one.kind === 'settings' ? { ...one, before: { ...one.before, ...later } } : one,
    );
    return patchScreen(withSettings(state, now), { overlays });
  };

export const replaceOverlay =
  (overlay: Overlay): Transition =>
  (state) =>
    topOverlay(state) === overlay
      ? state
      : patchScreen(state, { overlays: [...state.screen.overlays.slice(0, -1), overlay] });

/** Sets the text of the top overlay's field and selects the first row. */
export const setTyped =
  (typed: string): Transition =>
  (state) => {
    const top = topOverlay(state);
    if (top === null || !('typed' in top) || top.typed === typed) return state;
    return replaceOverlay('selected' in top ? { ...top, typed, selected: 0 } : { ...top, typed })(state);
  };

/** Moves the selection in the top overlay, which has `count` rows. */
export const moveChoice =
  (by: number, count: number): Transition =>
  (state) => {
    const top = topOverlay(state);
    if (top === null || !('selected' in top)) return state;
    const selected = Math.max(0, Math.min(top.selected + by, count - 1));
    if (selected === top.selected) return state;
    return replaceOverlay('isMoved' in top ? { ...top, selected, isMoved: true } : { ...top, selected })(state);
  };

/** Selects a row of the top overlay that is on the screen. */
export const chooseRow =
  (row: number): Transition =>
  (state) => {
    const top = topOverlay(state);
    return top === null || !('selected' in top) ? state : moveChoice(row - top.selected, row + 1)(state);
  };

/** Scrolls the top overlay by so many rows, to a row between 0 and `last`. */
export const scrollOverlay =
  (by: number, last: number): Transition =>
  (state) => {
    const top = topOverlay(state);
    if (top === null || !('scroll' in top)) return state;
    const scroll = Math.max(0, Math.min(top.scroll + by, last));
    return scroll === top.scroll ? state : replaceOverlay({ ...top, scroll })(state);
  };

/**
 * Keys that come within this time of one another are typing. A question takes no answer so soon after it has opened or
 * after another key.
 */
export const typingMs = 400;

/** Whether less than `ms` have passed. When the clock was set back meanwhile, it counts as more. */
export const isWithin = (ms: number, then: Millis, now: Millis): boolean => now >= then && now - then < ms;

export const isTooSoon = ({ openedAt }: { readonly openedAt: Millis }, now: Millis): boolean =>
  isWithin(typingMs, openedAt, now);

/** Whether a question may be answered: not within the first moments, and only while its message has not changed. */
export function answerTo(confirm: Confirm, textNow: string | null, now: Millis): 'too-soon' | 'changed' | 'valid' {
  if (isTooSoon(confirm, now)) return 'too-soon';
  return confirm.textThen === textNow ? 'valid' : 'changed';
}

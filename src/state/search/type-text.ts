/** Typing in the text field of the top overlay, of whichever kind. */
import type { Overlay } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { setTyped, topOverlay } from '../view/overlays.ts';
import { typeInMessageSearch } from './message-search.ts';
import { typeInNamePrompt } from './name-prompt.ts';

/** Overlays in which a new text changes more than the text: those that search. */
const searching: Readonly<Partial<Record<Overlay['kind'], (typed: string) => Transition>>> = {
  switcher: typeInNamePrompt,
  'new-conversation': typeInNamePrompt,
  forward: typeInNamePrompt,
  'message-search': typeInMessageSearch,
};

/** @param typed the whole new text of the field */
export const typeText =
  (typed: string): Transition =>
  (state) => {
    const top = topOverlay(state);
    if (top === null || !('typed' in top) || top.typed === typed) return state;
    return (searching[top.kind] ?? setTyped)(typed)(state);
  };

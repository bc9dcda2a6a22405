/** Editing the text field that has the keyboard: that of the top overlay, of whichever kind, or the filter of the list. */
import { fieldDraft } from '../composer/text-field.ts';
import type { AppState, Draft, Overlay } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { replaceOverlay, setTyped, topOverlay } from '../view/overlays.ts';
import { filterList } from './list-search.ts';
import { typeInMessageSearch } from './message-search.ts';
import { typeInNamePrompt } from './name-prompt.ts';

/** The draft of the field; null where no field has the keyboard. */
export function selectField(state: AppState): Draft | null {
  const top = topOverlay(state);
  if (top !== null) return 'typed' in top ? fieldDraft(top.typed, top.field) : null;
  const { filter, field, isFiltering } = state.view.list;
  return state.screen.focus === 'list' && isFiltering === true ? fieldDraft(filter, field) : null;
}

/** Changes the field; a new text is searched for where the field belongs to a search. */
export const editField =
  (change: (draft: Draft) => Draft): Transition =>
  (state) => {
    const before = selectField(state);
    const after = before === null ? null : change(before);
    if (after === null || after === before) return state;
    return topOverlay(state) === null ? editFilter(state, after) : editTyped(state, after);
  };

function editTyped(state: AppState, field: Draft): AppState {
  const typed = typeText(field.text)(state);
  const top = topOverlay(typed);
  return top !== null && 'typed' in top ? replaceOverlay({ ...top, field })(typed) : typed;
}

function editFilter(state: AppState, field: Draft): AppState {
  const filtered = filterList(field.text)(state);
  return { ...filtered, view: { ...filtered.view, list: { ...filtered.view.list, field } } };
}

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

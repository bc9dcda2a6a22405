/**
 * What Esc does: it closes exactly one layer. The layers from the top: overlay, a search far back, lasting notice; then, in
 * the list, the filter; in the messages, the marks; in the composer, the selection, the editing of a message, the marks.
 * Where nothing of these is left, the list and the messages give the keyboard to the composer.
 */

import { clearSelection } from '../composer/draft-move.ts';
import { draftOf, dropEditing, updateDraft } from '../composer/drafts.ts';
import type { AppState } from '../model/app-state.ts';
import { twoPaneColumns } from '../select/pane-columns.ts';
import { stopSeeking } from './jumps.ts';
import { clearFilter } from './list-place.ts';
import { dropNotice } from './notices.ts';
import { popOverlay } from './overlays.ts';
import { selectMessage, unmark } from './thread-place.ts';
import { setFocus } from './view.ts';

export function leaveLayer(state: AppState): AppState {
  const { overlays, notices, focus } = state.screen;
  const { openId, list } = state.view;
  if (overlays.length > 0) return popOverlay(state);
  if (state.view.seeking) return stopSeeking(state);
  const lasting = notices.at(-1);
  if (lasting?.until === null) return dropNotice(lasting.about)(state);
  if (focus === 'list') {
    const isFiltered = list.filter !== '' || list.isFiltering === true;
    return isFiltered ? clearFilter(state) : setFocus('composer')(state);
  }
  if (openId === null) return setFocus('list')(state);
  const { marked = [] } = state.view.places.get(openId) ?? {};
  if (focus === 'messages') {
    if (marked.length > 0) return unmark(openId, null)(state);
    return setFocus(state.view.isArchive === true ? 'list' : 'composer')(selectMessage(openId, null)(state));
  }
  const draft = draftOf(state, openId);
  if (draft.anchor !== null) return updateDraft(openId, clearSelection)(state);
  if (draft.editing !== null) return updateDraft(openId, dropEditing)(state);
  if (marked.length > 0) return unmark(openId, null)(state);
  // Where one pane shows at a time, the list is a layer below the composer.
  return state.screen.size.columns < twoPaneColumns ? setFocus('list')(state) : state;
}

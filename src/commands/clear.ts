/** Carries out the first press of Ctrl-C: it clears the composer, or closes or cancels what is open. */
import { clear, isBlank } from '../state/composer/draft.ts';
import { draftOf, updateDraft, withKilledMessage } from '../state/composer/drafts.ts';
import type { CommandContext } from './context.ts';
import { closeLayer } from './leave-layer.ts';

/** `text`: the composer was cleared, and undo or yanking brings it back; `layer`: something was closed or cancelled. */
export function clearLayer(context: CommandContext): 'text' | 'layer' | null {
  const state = context.get();
  const { overlays, focus } = state.screen;
  const { openId, list } = state.view;
  if (overlays.length === 0 && focus === 'composer' && openId !== null) {
    const draft = draftOf(state, openId);
    if (draft.editing === null && (draft.text !== '' || !isBlank(draft))) {
      context.update(updateDraft(openId, (now) => withKilledMessage(clear(now), now)));
      return 'text';
    }
    if (draft.editing === null) return null;
  }
  const isLayer = overlays.length > 0 || focus !== 'list' || list.filter !== '' || list.isFiltering === true;
  if (!isLayer) return null;
  closeLayer(context);
  return 'layer';
}

/**
 * Leaves the program: on `Ctrl-Q` at once, on `Ctrl-C` when it is pressed twice with no other key, paste or click
 * between. The first press clears the composer, or closes or cancels what is open, as Esc does.
 */
import { clear, isEmpty, undo } from '../state/composer/draft.ts';
import { draftOf, updateDraft, withKilledMessage } from '../state/composer/drafts.ts';
import { countLostOnQuit } from '../state/local/unsent-text.ts';
import { selectIsTooSmall } from '../state/select/pane-columns.ts';
import { dropNotice } from '../state/view/notices.ts';
import { popOverlay, topOverlay } from '../state/view/overlays.ts';
import { patchView } from '../state/view/view.ts';
import { answer } from './answer-question.ts';
import { closeLayer } from './close-layer.ts';
import type { CommandContext } from './context.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { ask } from './questions.ts';

const quitWithinMs = 1_000;
const leaving = 'quit';
/** The id of the conversation whose text was cleared follows this text. */
const leavingCleared = 'quit, text cleared in ';

const isAboutLeaving = (about: string): boolean => about === leaving || about.startsWith(leavingCleared);

const isLeaving = (context: CommandContext): boolean => {
  const top = topOverlay(context.get());
  return top?.kind === 'confirm' && top.id === 'app.quit';
};

/**
 * Quits. Where nothing is kept on disk, texts that were not sent would be lost, so it asks first; a second press says yes.
 */
export function quit(context: CommandContext): void {
  if (isLeaving(context)) answer(context);
  else if (countLostOnQuit(context.get()) === 0) context.quit();
  else ask(context, 'app.quit');
}

/**
 * Clears or cancels first, unless that could not be seen; a second press within a second quits, and then what the first one
 * cleared stays a draft.
 */
export function clearOrQuit(context: CommandContext): void {
  if (isLeaving(context)) {
    context.update(popOverlay);
    return;
  }
  const { screen, view } = context.get();
  const firstPress = screen.notices.find(({ about, until }) => isAboutLeaving(about) && (until ?? 0) > context.now());
  if (firstPress !== undefined) {
    if (firstPress.about.startsWith(leavingCleared))
      context.update(updateDraft(firstPress.about.slice(leavingCleared.length), undo));
    quit(context);
    return;
  }
  const cleared = selectIsTooSmall(context.get()) ? null : clearLayer(context);
  const about = cleared === 'text' ? `${leavingCleared}${view.openId}` : leaving;
  const again = withKey(context, 'app.clear', (key) => `Press ${key} again to quit`) || 'Clear again to quit';
  notify(context, again, { about, forMs: quitWithinMs });
}

/** To be called when another key was pressed, or a paste or a click came: the next press of `app.clear` is a first one again. */
export function forgetFirstPress(context: CommandContext): void {
  const firstPress = context.get().screen.notices.find(({ about }) => isAboutLeaving(about));
  if (firstPress !== undefined) context.update(dropNotice(firstPress.about));
}

/**
 * @returns `text`: the composer was cleared, and undo or yanking brings it back; `layer`: something was closed or
 * cancelled; null: there was nothing to clear
 */
function clearLayer(context: CommandContext): 'text' | 'layer' | null {
  const state = context.get();
  const { overlays, focus } = state.screen;
  const { openId, list } = state.view;
  if (overlays.length === 0 && focus === 'composer' && openId !== null) {
    const draft = draftOf(state, openId);
    if (draft.editing === null && !isEmpty(draft)) {
      context.update(updateDraft(openId, (now) => withKilledMessage(clear(now), now)));
      context.update((held) => patchView(held, { closedQuery: '' }));
      return 'text';
    }
    if (draft.editing === null) return null;
  }
  const isLayer = overlays.length > 0 || focus !== 'list' || list.filter !== '' || list.isFiltering === true;
  if (!isLayer) return null;
  closeLayer(context);
  return 'layer';
}

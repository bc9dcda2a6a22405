/** Says what became of a file that a prompt has asked for. */
import type { Overlay } from '../state/model/app-state.ts';
import { pushOverlay } from '../state/view/overlays.ts';
import type { CommandContext, SaveResult } from './context.ts';
import { notify } from './notify.ts';

const shownMs = 10_000;

/** The prompt comes back with what was typed where the file could not be written, unless another dialog is open by then. */
export function tellSaved(context: CommandContext, result: SaveResult, prompt: Overlay): void {
  if ('said' in result) {
    notify(context, result.said, { forMs: shownMs });
    return;
  }
  notify(context, result.problem, { tone: 'warning', forMs: shownMs });
  if (context.get().screen.overlays.length === 0) context.update(pushOverlay(prompt));
}

/** Closes what is open, as `Esc` does, and keeps a sentence that was typed into the field of a search. */
import type { AppState, Overlay } from '../state/model/app-state.ts';
import { leaveLayer } from '../state/view/escape.ts';
import { topOverlay } from '../state/view/overlays.ts';
import { patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';

const searches: ReadonlySet<Overlay['kind']> = new Set([
  'switcher',
  'new-conversation',
  'message-search',
  'forward',
  'sent-texts',
  'help',
  'settings',
]);

/** Closes one layer. A sentence in the field of a search, which may have been meant for the composer, is kept. */
export function closeLayer(context: CommandContext): void {
  const words = sentenceIn(context.get());
  context.update(leaveLayer);
  if (words === null) return;
  context.update((state) => patchView(state, { closedQuery: words }));
  notify(
    context,
    `Closed${withKey(context, 'text.yank', (key) => `. ${key} in the composer puts in the words that you typed`)}`,
  );
}

/** Two words at least in the field of a search; null for a single word and for the name of a command. */
function sentenceIn(state: AppState): string | null {
  const top = topOverlay(state);
  if (top === null || !searches.has(top.kind) || !('typed' in top)) return null;
  const words = top.typed.trim();
  return /\s/.test(words) && !words.startsWith('>') ? words : null;
}

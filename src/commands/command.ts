/** One row of the command table, and which contexts are in force. */

import type { AppState, Overlay } from '../state/model/app-state.ts';
import { topOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';

/**
 * Where a key counts. `always`: even under an overlay; `global`: in every pane; the others are panes and overlays.
 * `picker`: a prompt with rows to choose from; `find`: the one whose rows are messages; `prompt`: one without.
 */
export type Context =
  | 'always'
  | 'global'
  | 'list'
  | 'filter'
  | 'messages'
  | 'composer'
  | 'help'
  | 'confirm'
  | 'picker'
  | 'message-search'
  | 'prompt'
  | 'unsure'
  | 'links';

export type CommandGroup = 'Anywhere' | 'Conversations' | 'Messages' | 'Composer' | 'Text editing' | 'Dialogs';

export interface Command {
  /** `noun.verb`; stable, as it stands in users' configurations. */
  readonly id: string;
  readonly title: string;
  readonly where: readonly Context[];
  readonly keys: readonly string[];
  readonly group: CommandGroup;
  /** One word or two for the footer; without it the command is not offered there. */
  readonly hint?: string | ((state: AppState) => string);
  /** The innermost contexts in which the hint is worth its room; all of them when left out. */
  readonly hintIn?: readonly Context[];
  /** While it can be used it is what helps: its hint comes before all others. */
  readonly isRemedy?: true;
  /** Why it cannot run now, for people; null when it can. */
  readonly disabled?: (state: AppState) => string | null;
  /** `nth`: position, from 0, of the key that was pressed among the command's keys. */
  readonly run: (context: CommandContext, nth: number) => void;
}

const overlayContexts: Readonly<Record<Overlay['kind'], Context>> = {
  help: 'help',
  confirm: 'confirm',
  react: 'picker',
  'new-conversation': 'picker',
  'message-search': 'message-search',
  switcher: 'picker',
  token: 'prompt',
  'same-account': 'confirm',
  name: 'prompt',
  unsure: 'unsure',
  links: 'links',
};

/** Innermost first. An overlay hides every pane and all but the few keys that are needed always. */
export function contextsOf(state: AppState): readonly Context[] {
  const top = topOverlay(state);
  if (top?.kind === 'message-search') return ['message-search', 'picker', 'always'];
  if (top !== null) return [overlayContexts[top.kind], 'always'];
  if (state.view.focus === 'list' && state.view.list.isFiltering === true) return ['filter', 'global', 'always'];
  return [state.view.focus, 'global', 'always'];
}

const typeable: ReadonlySet<Context> = new Set(['composer', 'filter', 'picker', 'message-search', 'prompt']);

/** A context that takes text: there a bare character is text and never a command. */
export const takesText = (context: Context | undefined): boolean => context !== undefined && typeable.has(context);

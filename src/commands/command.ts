/** The type of a row of the command table, and the contexts in which keys count. */

import { calledSnippet } from '../state/composer/snippet.ts';
import type { AppState, Focus, Overlay } from '../state/model/app-state.ts';
import type { KnownSetting } from '../state/model/setting-entry.ts';
import { selectIsTooSmall } from '../state/select/pane-columns.ts';
import { heldCompletion } from '../state/view/composer.ts';
import { topOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import type { Parameters, ValuesOf } from './parameters.ts';

/**
 * Where a key counts: a pane by its name, an overlay by its kind, or
 * `always`: everywhere, even under an overlay; `global`: in every pane;
 * `too-small`: while the screen has no room for anything, and texts go nowhere;
 * `filter`: while the filter of the list is typed;
 * `picker`: in overlays with a text field and rows to choose from; `prompt`: in those with a text field alone;
 * `dialog`: in overlays that are to be answered or left, see `contextsOf`;
 * `snippet`: in the composer, after `;name` and while a snippet is filled in;
 * `completion`: in the composer, while names, emoji or commands are offered for a word;
 * `completion-row`: while one of these is chosen.
 */
export type Context =
  | 'always'
  | 'too-small'
  | 'global'
  | 'filter'
  | Focus
  | Overlay['kind']
  | 'picker'
  | 'prompt'
  | 'dialog'
  | 'snippet'
  | 'completion'
  | 'completion-row';

export type CommandGroup =
  | 'Anywhere'
  | 'Conversations'
  | 'Messages'
  | 'Composer'
  | 'Text editing'
  | 'Settings'
  | 'Dialogs';

export interface Command {
  /** `noun.verb`. It does not change, since the documentation and `msg-tui keys` name it. */
  readonly id: string;
  readonly title: string;
  readonly where: readonly Context[];
  readonly keys: readonly string[];
  readonly group: CommandGroup;
  /** One word or two for the footer; without it, or while it is empty, the command is not offered there. */
  readonly hint?: string | ((state: AppState) => string);
  /** The hint while the first keys of a sequence are held; without it, `hint` or the beginning of the title. */
  readonly brief?: string;
  /** The hint is shown also where there is no room for all of them. */
  readonly keepsHint?: true;
  /** The hint is shown only while one of these contexts is in force; without it, in all. */
  readonly hintIn?: readonly Context[];
  /** The command ends a trouble: while it can run, its hint comes before all others. */
  readonly isRemedy?: true;
  /** It moves a selection: its keys are pressed fast, and together with no other they are never a sentence. */
  readonly isMove?: true;
  /** Goes to the place with the number typed before the keys, from 1; without `runNth` it runs that many times. */
  readonly runNth?: (context: CommandContext, nth: number) => void;
  /** The command that repeats the last action may run it again on another message or conversation. */
  readonly isRepeatable?: true;
  /**
   * Nothing takes the command back (in this state): a letter runs it only after a while in which nothing else was
   * typed.
   */
  readonly isFinal?: true | ((state: AppState) => boolean);
  /** Why it cannot run now, in a sentence for the user; null when it can. */
  readonly disabled?: (state: AppState) => string | null;
  /** The values that it takes, in this order; see `withParameters`. */
  readonly parameters?: Parameters;
  /** What its nth key, from 0, says for the first parameter; null where it says nothing. */
  readonly wordOfKey?: (nth: number) => string | null;
  /** It is no command of the table but the row of this setting in the help and the palette. */
  readonly setting?: KnownSetting;
  /** The command's name as a slash command: `mute` for `/mute`. */
  readonly slash?: string;
  /** Whose newest message the slash command acts on while none is selected; without it, on the newest of anybody. */
  readonly slashMessage?: 'own' | 'others';
  run(context: CommandContext, values: Readonly<Record<string, unknown>>): void;
}

/** The title without the explanation after its first punctuation mark. */
export const beginningOfTitle = ({ title }: Command): string => title.split(/[:;,(]/, 1)[0]?.trim() ?? title;

/** A row whose `run` is given the values of its parameters, with their types. */
export const withParameters = <P extends Parameters>(
  row: Omit<Command, 'parameters' | 'run'> & {
    readonly parameters: P;
    readonly run: (context: CommandContext, values: ValuesOf<P>) => void;
  },
): Command => row;

/**
 * Returns the contexts, innermost first. An overlay hides every pane and all keys but the few of `always`; a screen on which
 * nothing can be seen hides these as well.
 */
export function contextsOf(state: AppState): readonly Context[] {
  if (selectIsTooSmall(state)) return unseenContext;
  const top = topOverlay(state);
  if (top !== null) return [top.kind, ...sharedContexts(top), 'always'];
  if (state.screen.focus === 'list' && state.view.list.isFiltering === true) return ['filter', 'global', 'always'];
  const pane = hasSnippetKeys(state) ? snippetContexts : [state.screen.focus];
  const completion = heldCompletion(state);
  if (completion === null) return [...pane, 'global', 'always'];
  // The list that is shown has its keys also in a place of a snippet.
  return [...(completion.selected === null ? [] : rowContext), 'completion', ...pane, 'global', 'always'];
}

/** Whether Tab is for a snippet: its name is before the cursor, or it has places that are still to be filled in. */
function hasSnippetKeys({ screen, view, local }: AppState): boolean {
  const draft = screen.focus === 'composer' && view.openId !== null ? local.drafts.get(view.openId) : undefined;
  return draft !== undefined && (draft.stops !== undefined || calledSnippet(draft) !== null);
}
const rowContext: readonly Context[] = ['completion-row'];
const snippetContexts: readonly Context[] = ['snippet', 'composer'];
const unseenContext: readonly Context[] = ['too-small'];

/** The parts of an overlay decide which keys it shares with others, so that a new one needs no row here. */
function sharedContexts(overlay: Overlay): readonly Context[] {
  if ('scroll' in overlay) return [];
  if ('openedAt' in overlay && overlay.kind !== 'confirm') return ['confirm', 'dialog'];
  if (!('typed' in overlay)) return ['dialog'];
  return ['selected' in overlay ? 'picker' : 'prompt', 'dialog'];
}

const textContexts: ReadonlySet<Context> = new Set(['composer', 'filter', 'picker', 'prompt', 'too-small']);

/** Whether a text is typed in one of the contexts: there a bare character is text and never a command. */
export const takesText = (contexts: readonly Context[]): boolean => contexts.some((one) => textContexts.has(one));

/** Whether a question is asked, which takes single characters as answers. */
export const isQuestion = (contexts: readonly Context[]): boolean =>
  contexts.includes('dialog') && contexts[0] !== 'menu' && !takesText(contexts);

/**
 * Makes the list of commands to search, which the help (F1) and the palette (Ctrl-K and `>`) draw: the order of the
 * commands, why one cannot run now, and running it.
 */

import { memoBy, memoLast, sameList } from '../state/collections/memo.ts';
import { noteUse, usedCommands } from '../state/local/uses.ts';
import type { AppState, Focus, Overlay } from '../state/model/app-state.ts';
import { type CommandQuery, helpQuery } from '../state/search/command-query.ts';
import { parseQuery } from '../state/search/switcher-row.ts';
import { endFilterTyping, selectInList } from '../state/view/list-place.ts';
import { closeOverlays, popOverlay } from '../state/view/overlays.ts';
import { setFocus } from '../state/view/view.ts';
import { coach } from './coach.ts';
import { type Command, type Context, contextsOf } from './command.ts';
import { type ListedCommand, listCommand, type RankedCommand, rankCommands } from './command-rank.ts';
import type { CommandContext } from './context.ts';
import { whyDisabled } from './disabled.ts';
import { invoke } from './invoke.ts';
import type { Keymap } from './keymap.ts';
import { notify } from './notify.ts';
import { parseWords } from './parameters.ts';
import { vimQuits } from './profiles/vim.ts';
import { nothingOpen } from './selection.ts';

export interface PaletteRow extends RankedCommand {
  /** Why the command cannot run now; null when it can. */
  readonly reason: string | null;
}

/** Returns the commands that match what is typed in the help or the palette; none where neither is open. */
export type Palette = (state: AppState) => readonly PaletteRow[];

const none: readonly PaletteRow[] = [];
const panes: readonly Focus[] = ['composer', 'list', 'messages'];
const offered: ReadonlySet<Context> = new Set(['always', 'global', ...panes]);

const isOffered = ({ where }: Command): boolean => where.some((context) => offered.has(context));

/**
 * @param keymapOf called when the palette is drawn first, as the palette is itself a part of the table of commands
 * @param withSettings adds the rows that open a setting
 */
export function createPalette(
  keymapOf: (state: AppState) => Keymap,
  withSettings: (commands: readonly Command[], state: AppState) => readonly Command[],
): Palette {
  const listed = memoLast((keymap: Keymap, commands: readonly Command[], isWhole: boolean): readonly ListedCommand[] =>
    listCommands(keymap, isWhole ? commands : commands.filter(isOffered)),
  );
  const ranked = memoLast(
    (
      query: CommandQuery,
      typed: string,
      commands: readonly ListedCommand[],
      contexts: string,
      used: readonly string[],
    ): readonly RankedCommand[] =>
      rankCommands({ commands, query, typed, contexts: contexts.split(' ') as Context[], used }),
  );
  // Of commands that match equally well, those that can run come first. The order stays while the rows are the same.
  let orderOf: readonly RankedCommand[] = [];
  let order: readonly number[] = [];
  const withReasons = memoLast(
    (found: readonly RankedCommand[], reasons: readonly (string | null)[]): readonly PaletteRow[] => {
      const rows = found.map((row, index) => ({ ...row, reason: reasons[index] ?? null }));
      if (orderOf !== found) order = runnableFirst(rows);
      orderOf = found;
      return order.flatMap((index) => rows[index] ?? []);
    },
  );
  const reasonsBelow = memoBy(inputsOfReasons, ({ list }) => reasonsIn(list.below));
  let held: readonly (string | null)[] = [];
  // The key runner, the view and the footer all need the rows of one state.
  return memoLast((state: AppState) => {
    const list = openList(state);
    if (list === null) return none;
    const contexts = contextsOf(list.below).join(' ');
    const keymap = keymapOf(state);
    const found = ranked(
      list.query,
      list.typed,
      listed(keymap, withSettings(keymap.commands, state), list.isWhole),
      contexts,
      usedCommands(state.local.commandUses),
    );
    const reasonOf = reasonsBelow({ state, list });
    const reasons = found.map(({ command, words = [] }) => reasonOf(command) ?? problemOf(command, words));
    // The array stays the same while nothing changes, so that it is not drawn again.
    if (!sameList(held, reasons)) held = reasons;
    return withReasons(found, held);
  });
}

function listCommands({ keysOf }: Keymap, commands: readonly Command[]): readonly ListedCommand[] {
  const isVim = keysOf('palette.open').includes(':');
  return commands.map((command) =>
    listCommand(command, keysOf(command.id), isVim && command.id === 'app.quit' ? vimQuits : []),
  );
}

/** The places of the rows, in their new order; the groups of a list without a search stay as they are. */
const runnableFirst = (rows: readonly PaletteRow[]): readonly number[] =>
  rows
    .map(({ level, reason }, index) => ({ index, level, canRun: level === 0 || reason === null }))
    .sort((a, b) => b.level - a.level || Number(b.canRun) - Number(a.canRun))
    .map(({ index }) => index);

interface OpenList {
  /** The list's place among the overlays. */
  readonly at: number;
  readonly query: CommandQuery;
  /** What is typed for it, without the character that makes the switcher the palette. */
  readonly typed: string;
  /** Whether the list has also the keys of dialogs, which can only be read there. */
  readonly isWhole: boolean;
  /** The state without the list, in which its commands run. */
  readonly below: AppState;
}

/** The topmost help or palette. */
function openList(state: AppState): OpenList | null {
  const { overlays } = state.screen;
  const at = overlays.findLastIndex(isList);
  const list = overlays[at];
  if (list === undefined || !('typed' in list)) return null;
  const below = overlays.slice(at).reduce(popOverlay, state);
  if (list.kind === 'help') return { at, query: helpQuery(list.typed), typed: list.typed, isWhole: true, below };
  const query = parseQuery(list.typed);
  const typed = list.typed.trimStart().slice(1);
  return query.scope === 'commands' ? { at, query, typed, isWhole: false, below } : null;
}

const isList = ({ kind }: Overlay): boolean => kind === 'help' || kind === 'switcher';

/** All of the state but the list and what is above it: what is typed there changes no reason. */
const inputsOfReasons = ({ state, list }: { state: AppState; list: OpenList }): readonly unknown[] => [
  ...Object.values({ ...state, screen: null }),
  ...Object.values({ ...state.screen, overlays: null }),
  ...state.screen.overlays.slice(0, list.at),
];

/** Returns a function that determines the reason of a command when it is called for it first, and remembers it. */
function reasonsIn(below: AppState): (command: Command) => string | null {
  const contexts = contextsOf(below);
  const inPane = new Map<Focus, AppState>();
  const known = new Map<Command, string | null>();
  const find = (command: Command): string | null => {
    const { where } = command;
    const pane = paneFor(where, contexts);
    if (pane === null)
      return isOffered(command) || isIn(where, contexts) ? whyDisabled(command, below) : elsewhere(where);
    if (pane !== 'list' && below.view.openId === null) return nothingOpen;
    const there = inPane.get(pane) ?? goThere(pane)(below);
    inPane.set(pane, there);
    return whyDisabled(command, there);
  };
  return (command) => {
    const reason = known.get(command);
    if (reason !== undefined) return reason;
    const found = find(command);
    known.set(command, found);
    return found;
  };
}

/** What is wrong with the values; without one, the command itself says or asks what is missing. */
function problemOf({ parameters = {} }: Command, words: readonly string[]): string | null {
  const parsed = words.length === 0 ? null : parseWords(parameters, words);
  return parsed !== null && 'problem' in parsed ? parsed.problem : null;
}

/** Why a command can be run by its keys alone: it acts on what is open while the key is pressed. */
function elsewhere(where: readonly Context[]): string {
  if (where.includes('completion') || where.includes('completion-row')) return 'Only while a word can be completed';
  if (where.includes('snippet')) return 'Only while a snippet is filled in';
  return where.includes('filter') ? 'Only while the list is filtered' : 'Only in a dialog';
}

const isIn = (where: readonly Context[], contexts: readonly Context[]): boolean =>
  where.some((context) => contexts.includes(context));

/** Returns the pane whose keys the command belongs to; null where it can run already. */
const paneFor = (where: readonly Context[], contexts: readonly Context[]): Focus | null =>
  isIn(where, contexts) ? null : (panes.find((pane) => where.includes(pane)) ?? null);

/** Moves the focus to the pane. In the list, the open conversation is selected when the focus comes from another pane. */
const goThere =
  (pane: Focus) =>
  (state: AppState): AppState => {
    const { openId } = state.view;
    const next = setFocus(pane)(endFilterTyping(state));
    return pane === 'list' && state.screen.focus !== 'list' && openId !== null ? selectInList(openId)(next) : next;
  };

/**
 * Closes the overlay, and those below it that the command does not belong to, and runs the command in its pane; where it
 * cannot run, a notice says why and the overlay stays.
 */
export function runFromPalette(context: CommandContext, { command, words, reason }: PaletteRow): void {
  if (reason !== null) {
    notify(context, reason, { isRefusal: true });
    return;
  }
  context.update((state) => noteUse('commandUses', command.id, context.now())(popOverlay(state)));
  if (!isIn(command.where, contextsOf(context.get()))) context.update(closeOverlays);
  const before = context.get();
  const pane = paneFor(command.where, contextsOf(before));
  if (pane !== null) context.update(goThere(pane));
  if (invoke(context, command, words)) coach(context, command, 'palette', before);
}

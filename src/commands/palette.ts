/** The commands of the one table by their titles, in the "go to" overlay: why one cannot run now, and running it. */

import { memoLast } from '../state/collections/memo.ts';
import type { AppState, Focus } from '../state/model/app-state.ts';
import { selectSwitcher } from '../state/search/switcher.ts';
import { parseQuery, type Query, rankTitle } from '../state/search/switcher-row.ts';
import { endFilterTyping, selectInList } from '../state/view/list-place.ts';
import { popOverlay } from '../state/view/overlays.ts';
import { setFocus } from '../state/view/view.ts';
import { type Command, type Context, contextsOf } from './command.ts';
import type { CommandContext } from './context.ts';
import { invoke } from './invoke.ts';
import { notify } from './notify.ts';

export interface PaletteRow {
  readonly command: Command;
  /** Why it cannot run now; null when it can. */
  readonly reason: string | null;
}

/** Returns the commands whose titles match what is typed in the overlay on top. */
export type Palette = (state: AppState) => readonly PaletteRow[];

const none: readonly PaletteRow[] = [];
const panes: readonly Focus[] = ['composer', 'list', 'messages'];
const offered: ReadonlySet<Context> = new Set(['always', 'global', ...panes]);

/** @param table asked when it is drawn first, as the palette is itself a part of it */
export function createPalette(table: (state: AppState) => readonly Command[]): Palette {
  const matches = memoLast((query: Query, all: readonly Command[]): readonly Command[] =>
    all
      .filter(({ where }) => where.some((context) => offered.has(context)))
      .map((command) => ({ command, level: rankTitle(command.title, query) }))
      .filter(({ level }) => level > 0)
      .sort((a, b) => b.level - a.level)
      .map(({ command }) => command),
  );
  const rows = memoLast((state: AppState, found: readonly Command[]): readonly PaletteRow[] => {
    const reasonOf = reasonsIn(state);
    return found.map((command) => ({ command, reason: reasonOf(command) }));
  });
  return (state) => {
    const query = parseQuery(selectSwitcher(state)?.typed ?? '');
    return query.scope === 'commands' ? rows(state, matches(query, table(state))) : none;
  };
}

function reasonsIn(state: AppState): (command: Command) => string | null {
  const below = popOverlay(state);
  const contexts = contextsOf(below);
  const inPane = new Map<Focus, AppState>();
  return ({ where, disabled }) => {
    const pane = paneFor(where, contexts);
    if (pane === null) return disabled?.(below) ?? null;
    if (pane !== 'list' && below.view.openId === null) return 'Open a conversation first';
    const there = inPane.get(pane) ?? goThere(pane)(below);
    inPane.set(pane, there);
    return disabled?.(there) ?? null;
  };
}

/** Returns the pane whose keys the command belongs to; null where it can run already. */
const paneFor = (where: readonly Context[], contexts: readonly Context[]): Focus | null =>
  where.some((context) => contexts.includes(context)) ? null : (panes.find((pane) => where.includes(pane)) ?? null);

/** In the list the open conversation is meant when the focus comes from another pane. */
const goThere =
  (pane: Focus) =>
  (state: AppState): AppState => {
    const { openId } = state.view;
    const next = setFocus(pane)(endFilterTyping(state));
    return pane === 'list' && state.screen.focus !== 'list' && openId !== null ? selectInList(openId)(next) : next;
  };

/** Closes the overlay and runs it in its pane; says why where it cannot run, and leaves the overlay open. */
export function runFromPalette(context: CommandContext, { command, reason }: PaletteRow): void {
  if (reason !== null) {
    notify(context, reason);
    return;
  }
  context.update(popOverlay);
  const pane = paneFor(command.where, contextsOf(context.get()));
  if (pane !== null) context.update(goThere(pane));
  invoke(context, command);
}

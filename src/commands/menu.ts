/** The type of a menu: a short list of actions on one message or conversation. `menus.ts` has all menus. */
import type { AppState, Overlay } from '../state/model/app-state.ts';
import { pushOverlay } from '../state/view/overlays.ts';
import { boundKeys } from './bindings.ts';
import { coach } from './coach.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { whyDisabled } from './disabled.ts';
import { invoke } from './invoke.ts';
import { keyLabel } from './label.ts';

export type MenuOverlay = Extract<Overlay, { kind: 'menu' }>;
export type MenuAbout = Pick<MenuOverlay, 'conversationId' | 'itemId'>;

export interface MenuRow {
  readonly id: string;
  /** The label is raw text; it is sanitised when it is drawn. */
  readonly label: string;
  /** The key that is shown: a character takes the row at once, others work in the pane. '' for none. */
  readonly key: string;
  /** Another character that takes it, which is not shown. */
  readonly otherKey?: string;
  /** Nothing takes back what the row does; see `Command.isFinal`. */
  readonly isFinal?: true;
  /** Why the row cannot be taken now; null when it can. */
  readonly reason: string | null;
  /** Runs after the menu was closed. */
  readonly run: (context: CommandContext) => void;
}

export interface Menu {
  readonly title: (state: AppState, about: MenuAbout) => string;
  readonly rows: (state: AppState, about: MenuAbout) => readonly MenuRow[];
}

export const openMenu = (context: CommandContext, id: string, about: MenuAbout): void =>
  context.update(pushOverlay({ kind: 'menu', id, ...about, selected: 0 }));

/** The digit that takes the row at this place of a menu, counted from 0; '' for the rows after the ninth. */
export const digitOf = (place: number): string => (place < 9 ? `${place + 1}` : '');

const isCharacter = (key: string): boolean => [...key].length === 1;

/**
 * The command's own key where it is a character. Another one is shown as it works in the pane, such as `g r`, and the
 * command's standard character takes the row here.
 */
function menuKeys(keys: readonly string[], standard: readonly string[]): Pick<MenuRow, 'key' | 'otherKey'> {
  const own = keys.find(isCharacter);
  const [first] = keys;
  if (own !== undefined || first === undefined) return { key: own ?? '' };
  const letter = standard.find(isCharacter);
  return { key: keyLabel(first), ...(letter !== undefined && { otherKey: letter }) };
}

/** A row that runs a command of the pane below; `below` is the state without the menu. */
export const menuRowOf = (command: Command, below: AppState): MenuRow => ({
  id: command.id,
  label: command.title,
  ...menuKeys(boundKeys(below.settings.keys, command), command.keys),
  reason: whyDisabled(command, below),
  run: (context) => {
    const before = context.get();
    if (invoke(context, command)) coach(context, command, 'menu', before);
  },
});

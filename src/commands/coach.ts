/**
 * The coach: after the third time that a command was run by a longer way than its key, a notice names the key, once and
 * never again. A user who has pressed the key needs no notice.
 */
import { detoursOf, lastDetour, noteDetour } from '../state/local/detours.ts';
import type { AppState } from '../state/model/app-state.ts';
import { extendNotice } from '../state/view/notices.ts';
import { beginningOfTitle, type Command, contextsOf } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';

/** The longer ways. The palette is the help as well. */
export type Detour = 'palette' | 'menu' | 'slash' | 'click';

/**
 * How many key presses such a way takes at least: a menu is opened and a row chosen. A click counts as two, as it moves
 * a hand to the mouse.
 */
const presses: Readonly<Record<Detour, number>> = { palette: 4, slash: 4, menu: 3, click: 2 };

const tipMs = 10_000;

/**
 * To be called after the command has run.
 * @param before the state in which the user chose this way, without the palette or the menu
 */
export function coach(context: CommandContext, command: Command, way: Detour, before: AppState): void {
  if (!context.get().settings.coach || isRefused(before, context.get())) return;
  const key = context.keyOf(command.id);
  const place = placeOf(command, key);
  if (key === '' || place === null || pressesOf(command, key, before) >= presses[way]) return;
  const count = detoursOf(context.get(), command.id);
  if (count >= lastDetour) return;
  const isKnown = context.get().screen.usedKeys?.has(command.id) === true;
  context.update(noteDetour(command.id));
  if (count + 1 < lastDetour || isKnown) return;
  show(context, before, `Tip: ${key} is "${beginningOfTitle(command)}"${place}`);
}

/** Whether the command has answered with a warning or an error. */
function isRefused(before: AppState, after: AppState): boolean {
  const newest = after.screen.notices.at(-1);
  return newest !== undefined && newest.tone !== 'info' && !before.screen.notices.includes(newest);
}

/** How many presses the key takes, including the one that goes to the pane where it works. */
function pressesOf({ where }: Command, key: string, before: AppState): number {
  const contexts = contextsOf(before);
  return key.split(' ').length + (where.some((context) => contexts.includes(context)) ? 0 : 1);
}

/** Where the key works, as the end of a sentence; '' for everywhere, null for dialogs alone, which show their keys. */
function placeOf({ where }: Command, key: string): string | null {
  if (where.includes('global') || where.includes('always')) return /^.( |$)/u.test(key) ? ' outside the composer' : '';
  if (where.includes('list')) return where.includes('messages') ? ' in the list and the messages' : ' in the list';
  if (where.includes('messages')) return ' in the messages';
  return where.includes('composer') ? ' in the composer' : null;
}

/** Adds the tip to the notice with which the command has answered; without such a notice, the tip becomes one. */
function show(context: CommandContext, before: AppState, tip: string): void {
  const newest = context.get().screen.notices.at(-1);
  const isAnswer = newest !== undefined && newest.until !== null && !before.screen.notices.includes(newest);
  if (isAnswer) context.update(extendNotice(newest, tip, context.now() + tipMs));
  else notify(context, tip, { about: 'tip', forMs: tipMs });
}

/** Commands of the overlays: help, questions, pickers, prompts. */

import { opByUuid } from '../state/local/outbox.ts';
import type { AppState, Op, Overlay } from '../state/model/app-state.ts';
import { mostSettingsRows } from '../state/search/setting-rows.ts';
import { moveChoice, popOverlay, topOverlay } from '../state/view/overlays.ts';
import { accept, rowIds } from './accept.ts';
import { answer, decline } from './answer-question.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { linkCommands } from './copy.ts';
import { destinationsOf } from './forwarding.ts';
import { helpCommands } from './help-list.ts';
import { moveInMenu } from './menus.ts';
import type { Palette } from './palette.ts';
import { discard, discardReason, editPending, letPass, passReason, resendReason } from './pending.ts';
import { isPalette } from './switcher.ts';

const dialog = (id: string, title: string, keys: readonly string[], run: Command['run'], hint?: string): Command => ({
  id,
  title,
  keys,
  run,
  where: ['confirm'],
  group: 'Dialogs',
  ...(hint === undefined ? {} : { hint }),
});

const picker = (id: string, title: string, keys: readonly string[], run: Command['run']): Command => ({
  ...dialog(id, title, keys, run),
  where: ['picker', 'menu'],
});

/** A command of every overlay with rows, also of those without a text field. */
const chooser = (id: string, title: string, keys: readonly string[], run: Command['run']): Command => ({
  ...dialog(id, title, keys, run),
  where: ['picker', 'menu', 'links'],
});

const unsureOp = (state: AppState): Op | null => {
  const top = topOverlay(state);
  return top?.kind === 'unsure' ? (opByUuid(state, top.uuid) ?? null) : null;
};

/** Makes a `run` that closes the dialog and acts on the message that it is about. */
const onUnsure =
  (act: (context: CommandContext, op: Op) => void): Command['run'] =>
  (context) => {
    const op = unsureOp(context.get());
    context.update(popOverlay);
    if (op !== null) act(context, op);
  };

/** Where nothing was found, no key can choose a row. */
const nextHint =
  (palette: Palette) =>
  (state: AppState): string =>
    rowIds(state, palette).length === 0 ? '' : 'next';

const choiceHint =
  (palette: Palette) =>
  (state: AppState): string => {
    const top = topOverlay(state);
    // Those that were chosen before get the message also where nothing is found now.
    if (top?.kind === 'forward') return destinationsOf(top).length === 0 ? '' : 'forward';
    if (rowIds(state, palette).length === 0) return '';
    if (top?.kind === 'settings') return 'save';
    const runs = top?.kind === 'help' || (top?.kind === 'switcher' && isPalette(top));
    return runs ? 'run' : 'choose';
  };

const choose = (by: number, palette: Palette) => (context: CommandContext) =>
  context.update(moveInMenu((state) => moveChoice(by, rowIds(state, palette).length)(state)));

interface Page {
  /** Rows of the dialog at most. */
  readonly most: number;
  /** Rows that are no choices: the frame, the title, the field, two notes, the keys. */
  readonly other: number;
}

const usualPage: Page = { most: 20, other: 7 };
const pages: Readonly<Partial<Record<Overlay['kind'], Page>>> = {
  help: { most: Number.POSITIVE_INFINITY, other: 7 },
  settings: { most: mostSettingsRows, other: 12 },
};

/** A page is not longer than what the dialog shows at once. */
const choosePage = (pagesBy: number, palette: Palette) => (context: CommandContext) => {
  const state = context.get();
  const { most, other } = pages[topOverlay(state)?.kind ?? 'menu'] ?? usualPage;
  choose(pagesBy * Math.max(1, Math.min(state.screen.size.rows - 1, most) - other), palette)(context);
};

const unsureCommands: readonly Command[] = [
  {
    ...dialog(
      'unsure.resend',
      'Send it again',
      ['r'],
      onUnsure((context, op) => context.retryOp(op.uuid)),
      'send again',
    ),
    where: ['unsure'],
    isFinal: true,
    disabled: (state) => resendReason(unsureOp(state)),
  },
  {
    ...dialog('unsure.edit', 'Take the text back into the composer', ['e'], onUnsure(editPending), 'edit'),
    where: ['unsure'],
    isFinal: true,
    disabled: (state) => discardReason(unsureOp(state)),
  },
  {
    ...dialog('unsure.discard', 'Discard it', ['d'], onUnsure(discard), 'discard'),
    where: ['unsure'],
    isFinal: true,
    disabled: (state) => discardReason(unsureOp(state)),
  },
  {
    ...dialog('unsure.pass', 'Let later messages go before it', ['l'], onUnsure(letPass), 'let later ones go'),
    where: ['unsure'],
    isFinal: true,
    disabled: (state) => passReason(unsureOp(state)),
  },
];

export const overlayCommands = (palette: Palette): readonly Command[] => [
  { ...dialog('confirm.yes', 'Yes, do it', ['enter', 'y'], answer, 'yes'), isFinal: true },
  dialog('confirm.no', 'No, leave it', ['n'], decline, 'no'),
  { ...chooser('choice.next', 'Next choice', ['down', 'ctrl+n'], choose(1, palette)), hint: nextHint(palette) },
  chooser('choice.previous', 'Previous choice', ['up', 'ctrl+p'], choose(-1, palette)),
  chooser('choice.pageDown', 'A page of choices down', ['pagedown'], choosePage(1, palette)),
  chooser('choice.pageUp', 'A page of choices up', ['pageup'], choosePage(-1, palette)),
  chooser('choice.first', 'First choice', ['ctrl+home'], choose(Number.NEGATIVE_INFINITY, palette)),
  chooser('choice.last', 'Last choice', ['ctrl+end'], choose(Number.POSITIVE_INFINITY, palette)),
  {
    ...picker('choice.accept', 'Take the choice', ['enter'], (context) => accept(context, palette)),
    hint: choiceHint(palette),
    keepsHint: true,
  },
  { ...dialog('prompt.accept', 'Done', ['enter'], (context) => accept(context, palette), 'done'), where: ['prompt'] },
  ...unsureCommands,
  ...linkCommands,
  ...helpCommands(palette),
];

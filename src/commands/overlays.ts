/** Commands of the overlays: help, questions, pickers, prompts. */

import type { AppState, Op } from '../state/model/app-state.ts';
import { moveChoice, popOverlay, scrollOverlay, topOverlay } from '../state/view/overlays.ts';
import { accept, rowIds } from './accept.ts';
import { answer, decline } from './answer.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { linkCommands } from './copy.ts';
import type { Palette } from './palette.ts';
import { discard, discardReason, editPending, letPass, opByUuid, passReason, resendReason } from './pending.ts';

/** Rows of the screen that the help's frame takes. */
export const helpFrameRows = 4;

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
  return top?.kind === 'unsure' ? opByUuid(state, top.uuid) : null;
};

/** Closes the dialog and acts on the message that it is about. */
const onUnsure =
  (act: (context: CommandContext, op: Op) => void): Command['run'] =>
  (context) => {
    const op = unsureOp(context.get());
    context.update(popOverlay);
    if (op !== null) act(context, op);
  };

const choose = (by: number, palette: Palette) => (context: CommandContext) =>
  context.update((state) => moveChoice(by, rowIds(state, palette).length)(state));

/** @param lineCount the number of lines of the help on the screen, asked when it is scrolled */
function helpCommands(lineCount: (state: AppState) => number): readonly Command[] {
  const scroll = (id: string, title: string, keys: readonly string[], by: (page: number) => number): Command => ({
    ...dialog(id, title, keys, (context) => {
      const { rows } = context.get().screen.size;
      const page = Math.max(1, rows - helpFrameRows);
      context.update(scrollOverlay(by(page), Math.max(0, lineCount(context.get()) - page)));
    }),
    where: ['help'],
  });
  return [
    scroll('help.down', 'Scroll the help down', ['down', 'j'], () => 1),
    scroll('help.up', 'Scroll the help up', ['up', 'k'], () => -1),
    {
      ...scroll('help.pageDown', 'Scroll the help down by a page', ['pagedown', 'space'], (page) => page),
      hint: 'scroll',
    },
    scroll('help.pageUp', 'Scroll the help up by a page', ['pageup'], (page) => -page),
    scroll('help.top', 'Top of the help', ['home', 'g'], () => Number.NEGATIVE_INFINITY),
    scroll('help.bottom', 'End of the help', ['end', 'G'], () => Number.POSITIVE_INFINITY),
    {
      ...dialog('help.close', 'Close the help', ['f1', '?', 'q'], (context) => context.update(popOverlay), 'close'),
      where: ['help'],
    },
  ];
}

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

export const overlayCommands = (lineCount: (state: AppState) => number, palette: Palette): readonly Command[] => [
  { ...dialog('confirm.yes', 'Yes, do it', ['enter', 'y'], answer, 'yes'), isFinal: true },
  dialog('confirm.no', 'No, leave it', ['n'], decline, 'no'),
  { ...chooser('choice.next', 'Next choice', ['down', 'ctrl+n'], choose(1, palette)), hint: 'next' },
  chooser('choice.previous', 'Previous choice', ['up', 'ctrl+p'], choose(-1, palette)),
  { ...picker('choice.accept', 'Take the choice', ['enter'], (context) => accept(context, palette)), hint: 'choose' },
  { ...dialog('prompt.accept', 'Done', ['enter'], (context) => accept(context, palette), 'done'), where: ['prompt'] },
  ...unsureCommands,
  ...linkCommands,
  ...helpCommands(lineCount),
];

/** The help (F1): all commands with their keys, to search, to run, and to give other keys. */
import type { AppState } from '../state/model/app-state.ts';
import { moveChoice, popOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { type Palette, runFromPalette } from './palette.ts';
import { askForKey } from './rebind.ts';

/** Rows of the help that are no commands: the frame, the title, the field, two notes, the keys. */
export const helpOtherRows = 7;

const selectedRow = (state: AppState, palette: Palette) => {
  const top = state.screen.overlays.at(-1);
  return top?.kind === 'help' ? palette(state)[top.selected] : undefined;
};

export const helpList = {
  rowIds: (state: AppState, _: unknown, palette: Palette): readonly string[] =>
    palette(state).map(({ command }) => command.id),
  accept(context: CommandContext, _: unknown, palette: Palette): void {
    const row = selectedRow(context.get(), palette);
    if (row !== undefined) runFromPalette(context, row);
  },
};

const inHelp = { group: 'Dialogs', where: ['help'] } as const;

export function helpCommands(palette: Palette): readonly Command[] {
  const byPages = (pages: 1 | -1) => (context: CommandContext) =>
    context.update((state) => {
      const page = Math.max(1, state.screen.size.rows - 1 - helpOtherRows);
      return moveChoice(pages * page, palette(state).length)(state);
    });
  return [
    { ...inHelp, id: 'help.pageDown', title: 'A page down in the help', keys: ['pagedown'], run: byPages(1) },
    { ...inHelp, id: 'help.pageUp', title: 'A page up in the help', keys: ['pageup'], run: byPages(-1) },
    {
      ...inHelp,
      id: 'help.changeKey',
      title: 'Give the selected command another key',
      keys: ['f2'],
      hint: 'change key',
      run: (context) => {
        const row = selectedRow(context.get(), palette);
        if (row !== undefined) askForKey(context, row.command);
      },
    },
    {
      ...inHelp,
      id: 'help.close',
      title: 'Close the help',
      keys: ['f1'],
      run: (context) => context.update(popOverlay),
    },
  ];
}

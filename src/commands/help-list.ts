/** The help (F1): all commands with their keys, to search, to run, and to give other keys. */
import type { AppState } from '../state/model/app-state.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { type Palette, runFromPalette } from './palette.ts';
import { askForKey } from './rebind.ts';

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
  return [
    {
      ...inHelp,
      id: 'help.changeKey',
      title: 'Give the selected command another key',
      keys: ['f2'],
      hint: (state) => (selectedRow(state, palette) === undefined ? '' : 'change key'),
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

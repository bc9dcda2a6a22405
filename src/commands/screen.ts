/** Commands that change how the screen is used: the mouse, the width of the list. */
import { setListWidth } from '../state/local/list-layout.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectPaneColumns } from '../state/select/pane-columns.ts';
import { withSettings } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { withKey } from './key-advice.ts';
import { notify } from './notify.ts';

const widthStep = 4;

function toggleMouse(context: CommandContext): void {
  const isOn = !context.get().settings.mouse;
  context.update((state) => withSettings(state, { mouse: isOn }));
  notify(
    context,
    isOn
      ? 'The mouse is on. Hold Shift to select text with the terminal'
      : `The mouse is off: the terminal itself selects text${withKey(context, 'mouse.toggle', (key) => `; ${key} turns it on`)}`,
  );
}

const listColumns = (state: AppState): number => selectPaneColumns(state).list;

const needsBoth = (state: AppState): string | null =>
  listColumns(state) === 0 ? 'Only one pane fits on this screen' : null;

const widen =
  (by: number): Command['run'] =>
  (context) =>
    context.update((state) => setListWidth(listColumns(state) + by)(state));

export const screenCommands: readonly Command[] = [
  {
    id: 'mouse.toggle',
    group: 'Anywhere',
    where: ['always'],
    title: 'Mouse off or on; Shift bypasses it',
    keys: ['alt+m'],
    run: toggleMouse,
  },
  {
    id: 'list.narrower',
    group: 'Anywhere',
    where: ['global'],
    title: 'Make the list narrower',
    keys: ['alt+-'],
    disabled: needsBoth,
    run: widen(-widthStep),
  },
  {
    id: 'list.wider',
    group: 'Anywhere',
    where: ['global'],
    title: 'Make the list wider',
    keys: ['alt+='],
    disabled: needsBoth,
    run: widen(widthStep),
  },
];

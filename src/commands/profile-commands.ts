/** Commands that the profiles vim and emacs have keys for; of these, the profile standard has the keys of half a screen only. */
import { rowsOfDensity, selectDensity } from '../state/local/list-layout.ts';
import { setFocus } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { stepList } from './list-moves.ts';
import { needsOpen, stepSelection } from './selection.ts';
import { goToNamed } from './switcher.ts';

/** The rows of a message, as a guess: its real ones depend on its text. */
const rowsOfMessage = 3;

/** Moves by about half a screen. */
function moveByHalf(context: CommandContext, direction: 'next' | 'previous'): void {
  const state = context.get();
  const isList = state.screen.focus === 'list';
  const rowsEach = isList ? rowsOfDensity(selectDensity(state)) : rowsOfMessage;
  const steps = Math.max(1, Math.floor(state.screen.size.rows / 2 / rowsEach));
  for (let i = 0; i < steps; i++) (isList ? stepList : stepSelection)(context, direction);
}

export const profileCommands: readonly Command[] = [
  {
    id: 'palette.open',
    title: 'Run a command by its title',
    group: 'Anywhere',
    where: ['global'],
    keys: [],
    run: (context) => goToNamed(context, '>'),
  },
  {
    id: 'conversation.close',
    brief: 'close',
    title: 'Close the conversation; its draft is kept',
    group: 'Anywhere',
    where: ['global'],
    keys: [],
    disabled: needsOpen,
    run: (context) => context.closeConversation(),
  },
  {
    id: 'focus.composer',
    title: 'To the composer',
    group: 'Anywhere',
    where: ['list', 'messages'],
    keys: [],
    disabled: needsOpen,
    run: (context) => context.update(setFocus('composer')),
  },
  {
    id: 'pane.halfDown',
    title: 'Down by half a screen',
    group: 'Anywhere',
    where: ['list', 'messages'],
    keys: ['ctrl+d'],
    isMove: true,
    run: (context) => moveByHalf(context, 'next'),
  },
  {
    id: 'pane.halfUp',
    title: 'Up by half a screen',
    group: 'Anywhere',
    where: ['list', 'messages'],
    keys: ['ctrl+u'],
    isMove: true,
    run: (context) => moveByHalf(context, 'previous'),
  },
];

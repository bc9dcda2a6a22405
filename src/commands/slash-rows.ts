/** Slash commands: the commands of the table that have a slash name, and what each of them acts on. */
import type { AppState, CompletionRow } from '../state/model/app-state.ts';
import {
  selectConversation,
  selectSelectedItem,
  selectThreadItems,
  type ThreadItem,
} from '../state/select/selectors.ts';
import { selectInList } from '../state/view/list-place.ts';
import { selectMessage } from '../state/view/thread-place.ts';
import { patchView, setFocus } from '../state/view/view.ts';
import type { Command } from './command.ts';
import { whyDisabled } from './disabled.ts';

export const slashNamed = (commands: readonly Command[], name: string): Command | undefined =>
  commands.find(({ slash }) => slash === name);

/** The rows of commands whose names begin with what was typed, also of those that cannot run now. */
export function slashRows(state: AppState, typed: string, commands: readonly Command[]): readonly CompletionRow[] {
  const wanted = typed.slice(1).toLowerCase();
  return commands.flatMap((command): readonly CompletionRow[] => {
    const { slash, title, parameters = {} } = command;
    if (slash?.startsWith(wanted) !== true) return [];
    const takes = Object.keys(parameters).map((name) => ` [${name}]`);
    const reason = whyDisabled(command, slashState(state, command));
    return [
      {
        text: takes.length === 0 ? `/${slash}` : `/${slash} `,
        label: `/${slash}${takes.join('')}`,
        note: reason === null ? title : `not now: ${reason}`,
        ...(reason === null ? {} : { isDisabled: true }),
      },
    ];
  });
}

/** The pane whose selected conversation or message the command acts on; null for none. */
export const paneOf = ({ where }: Command): 'list' | 'messages' | null =>
  where.includes('list') ? 'list' : where.includes('messages') ? 'messages' : null;

/** The state in which the command acts on the open conversation, or on a message in it. */
export function slashState(state: AppState, command: Command): AppState {
  const pane = paneOf(command);
  const { openId } = state.view;
  if (pane === null || openId === null) return state;
  if (pane === 'list') return inList(state, openId);
  const target = slashTarget(state, command);
  const there = setFocus('messages')(state);
  return target === null ? there : selectMessage(openId, target.id)(there);
}

/** Selects the open conversation in the list, in a view of the list that shows it. */
function inList(state: AppState, openId: string): AppState {
  const view = (selectConversation(state, openId)?.archivedAt ?? null) === null ? 'all' : 'archived';
  const list = { ...state.view.list, view, filter: '', search: null } as const;
  return selectInList(openId)(setFocus('list')(patchView(state, { list })));
}

/** The selected message, else the newest of those that the command is for. */
export function slashTarget(state: AppState, { slashMessage }: Command): ThreadItem | null {
  const { openId } = state.view;
  const selected = selectSelectedItem(state);
  if (openId === null || selected !== null) return selected;
  const items = selectThreadItems(state, openId);
  const isWanted = ({ isOwn }: ThreadItem): boolean => isOwn === (slashMessage === 'own');
  const wanted = slashMessage === undefined ? undefined : items.findLast(isWanted);
  return wanted ?? (slashMessage === 'own' ? null : (items.at(-1) ?? null));
}

/** Commands of the composer alone: new lines, and moves between its rows. Enter is in `enter.ts`. */
import { newline } from '../state/composer/draft-edit.ts';
import { type Direction, moveVertical } from '../state/composer/draft-move.ts';
import type { Draft } from '../state/model/app-state.ts';
import { selectComposer, selectThreadItems } from '../state/select/selectors.ts';
import { setFocus } from '../state/view/view.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { needsOpen, select } from './selection.ts';
import { changeDraft } from './text-editing.ts';

const row = (id: string, title: string, keys: readonly string[], run: Command['run']): Command => ({
  id,
  title,
  keys,
  run,
  where: ['composer'],
  group: 'Text editing',
});

/** A move that needs to know how wide the composer's rows are. */
const moveOnRows = (
  id: string,
  title: string,
  keys: readonly string[],
  apply: (draft: Draft, columns: number) => Draft,
): Command =>
  row(id, title, keys, (context) => {
    const columns = context.composerColumns();
    changeDraft(context, (draft) => apply(draft, columns));
  });

/** In an empty composer, up leads to the newest message; anywhere else it stays in the text. */
function up(context: CommandContext): void {
  const state = context.get();
  const id = state.view.openId;
  if (id === null) return;
  const draft = selectComposer(state);
  const newest = draft.text === '' && draft.editing === null ? selectThreadItems(state, id).at(-1) : undefined;
  if (newest === undefined) {
    const columns = context.composerColumns();
    changeDraft(context, (now) => moveVertical(now, -1, columns));
    return;
  }
  context.update(setFocus('messages'));
  select(context, id, newest.id);
}

const vertical = (direction: Direction, extend: boolean) => (draft: Draft, columns: number) =>
  moveVertical(draft, direction, columns, extend);

export const composerCommands: readonly Command[] = [
  {
    id: 'text.newline',
    title: 'New line',
    hint: 'new line',
    // Some terminals keep Alt-Enter, and most send Shift-Enter as Enter; Ctrl-J arrives in all of them.
    keys: ['alt+enter', 'ctrl+j', 'shift+enter'],
    where: ['composer'],
    group: 'Composer',
    disabled: needsOpen,
    run: (context) => changeDraft(context, newline),
  },
  { ...row('cursor.up', 'Up a row; where empty, select the newest message', ['up'], up), group: 'Composer' },
  moveOnRows('cursor.down', 'Down a row', ['down'], vertical(1, false)),
  moveOnRows('selection.up', 'Select up', ['shift+up'], vertical(-1, true)),
  moveOnRows('selection.down', 'Select down', ['shift+down'], vertical(1, true)),
];

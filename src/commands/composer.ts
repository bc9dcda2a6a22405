/** Commands of the composer: sending, and the readline set of moves and edits. */
import { redo, undo } from '../state/composer/draft.ts';
import {
  deleteBack,
  deleteForward,
  killToEnd,
  killToStart,
  killWordBack,
  killWordForward,
  newline,
  paste,
  yank,
} from '../state/composer/draft-edit.ts';
import {
  type Direction,
  moveByCluster,
  moveByWord,
  moveEnd,
  moveHome,
  moveToEnd,
  moveToStart,
  moveVertical,
} from '../state/composer/draft-move.ts';
import { offered, updateDraft } from '../state/composer/drafts.ts';
import type { AppState, Draft } from '../state/model/app-state.ts';
import { selectComposer, selectThreadItems } from '../state/select/selectors.ts';
import { patchView, setFocus } from '../state/view/view.ts';
import { fixedReason } from './attach.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { select } from './selection.ts';
import { send } from './send.ts';

const needsConversation = ({ view }: AppState): string | null =>
  view.openId === null ? 'Open a conversation first' : null;

function change(context: CommandContext, apply: (draft: Draft) => Draft): void {
  const { openId } = context.get().view;
  if (openId !== null) context.update(updateDraft(openId, apply));
}

const row = (id: string, title: string, keys: readonly string[], run: Command['run']): Command => ({
  id,
  title,
  keys,
  run,
  where: ['composer'],
  group: 'Text editing',
});

const edit = (id: string, title: string, keys: readonly string[], apply: (draft: Draft) => Draft): Command =>
  row(id, title, keys, (context) => change(context, apply));

/** A move that needs to know how wide the composer's rows are. */
const moveOnRows = (
  id: string,
  title: string,
  keys: readonly string[],
  apply: (draft: Draft, columns: number) => Draft,
): Command =>
  row(id, title, keys, (context) => {
    const columns = context.composerColumns();
    change(context, (draft) => apply(draft, columns));
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
    change(context, (now) => moveVertical(now, -1, columns));
    return;
  }
  context.update(setFocus('messages'));
  select(context, id, newest.id);
}

const holdsNothing = ({ kill, killedFiles }: Draft): boolean => kill === '' && killedFiles === undefined;

function putBack(context: CommandContext): void {
  const { discarded, strayWords = '' } = context.get().view;
  if (strayWords !== '') {
    change(context, (draft) => paste(draft, strayWords));
    context.update((state) => patchView(state, { strayWords: '' }));
    return;
  }
  change(context, (draft) => yank(holdsNothing(draft) && discarded !== undefined ? offered(draft, discarded) : draft));
}

function erase(context: CommandContext): void {
  const before = selectComposer(context.get());
  change(context, deleteBack);
  const isAtStart = before.cursor === 0 && selectComposer(context.get()) === before;
  const reason = isAtStart ? fixedReason(context.get()) : null;
  if (reason !== null) notify(context, reason);
}

const vertical = (direction: Direction, extend: boolean) => (draft: Draft, columns: number) =>
  moveVertical(draft, direction, columns, extend);

export const composerCommands: readonly Command[] = [
  {
    id: 'message.send',
    title: 'Send; when editing, save',
    hint: (state) => (selectComposer(state).editing === null ? 'send' : 'save'),
    keys: ['enter'],
    where: ['composer'],
    group: 'Composer',
    disabled: needsConversation,
    run: send,
  },
  {
    id: 'text.newline',
    title: 'New line',
    hint: 'new line',
    keys: ['alt+enter', 'shift+enter', 'ctrl+j'],
    where: ['composer'],
    group: 'Composer',
    disabled: needsConversation,
    run: (context) => change(context, newline),
  },
  { ...row('cursor.up', 'Up a row; where empty, select the newest message', ['up'], up), group: 'Composer' },
  moveOnRows('cursor.down', 'Down a row', ['down'], vertical(1, false)),
  edit('cursor.left', 'Left', ['left', 'ctrl+b'], (draft) => moveByCluster(draft, -1)),
  edit('cursor.right', 'Right', ['right'], (draft) => moveByCluster(draft, 1)),
  edit('cursor.wordLeft', 'Left by a word', ['alt+b', 'ctrl+left', 'alt+left'], (draft) => moveByWord(draft, -1)),
  edit('cursor.wordRight', 'Right by a word', ['alt+f', 'ctrl+right', 'alt+right'], (draft) => moveByWord(draft, 1)),
  moveOnRows('cursor.home', 'Start of the row, then of the text', ['home', 'ctrl+a'], (draft, columns) =>
    moveHome(draft, columns),
  ),
  moveOnRows('cursor.end', 'End of the row, then of the text', ['end', 'ctrl+e'], (draft, columns) =>
    moveEnd(draft, columns),
  ),
  edit('cursor.textStart', 'Start of the text', ['ctrl+home'], (draft) => moveToStart(draft)),
  edit('cursor.textEnd', 'End of the text', ['ctrl+end'], (draft) => moveToEnd(draft)),
  edit('selection.left', 'Select to the left', ['shift+left'], (draft) => moveByCluster(draft, -1, true)),
  edit('selection.right', 'Select to the right', ['shift+right'], (draft) => moveByCluster(draft, 1, true)),
  moveOnRows('selection.up', 'Select up', ['shift+up'], vertical(-1, true)),
  moveOnRows('selection.down', 'Select down', ['shift+down'], vertical(1, true)),
  edit('selection.wordLeft', 'Select a word to the left', ['ctrl+shift+left'], (draft) => moveByWord(draft, -1, true)),
  edit('selection.wordRight', 'Select a word to the right', ['ctrl+shift+right'], (draft) =>
    moveByWord(draft, 1, true),
  ),
  moveOnRows('selection.home', 'Select to the start of the row', ['shift+home'], (draft, columns) =>
    moveHome(draft, columns, true),
  ),
  moveOnRows('selection.end', 'Select to the end of the row', ['shift+end'], (draft, columns) =>
    moveEnd(draft, columns, true),
  ),
  row('text.deleteBack', 'Delete to the left, or the last attachment', ['backspace', 'ctrl+h'], erase),
  edit('text.deleteForward', 'Delete to the right', ['delete', 'ctrl+d'], deleteForward),
  edit('text.killWordBack', 'Cut a word to the left', ['ctrl+w', 'alt+backspace'], killWordBack),
  edit('text.killWordForward', 'Cut a word to the right', ['alt+d', 'alt+delete', 'ctrl+delete'], killWordForward),
  edit('text.killToStart', 'Cut to the start of the line', ['ctrl+u'], killToStart),
  edit('text.killToEnd', 'Cut to the end of the line', ['alt+k'], killToEnd),
  row('text.yank', 'Put back what was cut, or discarded last', ['ctrl+y'], putBack),
  edit('text.undo', 'Undo', ['ctrl+_', 'ctrl+/'], undo),
  edit('text.redo', 'Redo', ['alt+_', 'ctrl+Z'], redo),
];

/** Commands that move and edit as readline does: in the composer, and in every text field, which is a draft of one line. */
import { redo, undo } from '../state/composer/draft.ts';
import {
  deleteBack,
  deleteForward,
  killToEnd,
  killToStart,
  killWordBack,
  killWordForward,
  paste,
  yank,
  yankEarlier,
} from '../state/composer/draft-edit.ts';
import { moveByCluster, moveByWord, moveEnd, moveHome, moveToEnd, moveToStart } from '../state/composer/draft-move.ts';
import { capitalWord, lowerWord, swapCharacters, swapWords, upperWord } from '../state/composer/draft-words.ts';
import { updateDraft, withKilledMessage } from '../state/composer/drafts.ts';
import type { Draft } from '../state/model/app-state.ts';
import { editField, selectField } from '../state/search/edit-field.ts';
import { selectComposer } from '../state/select/selectors.ts';
import { patchView } from '../state/view/view.ts';
import { fixedReason } from './attach.ts';
import type { Command, Context } from './command.ts';
import type { CommandContext } from './context.ts';
import { goToNewest } from './jump-to.ts';
import { notify } from './notify.ts';

type Edit = (draft: Draft) => Draft;

interface TextEdit {
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
  readonly edit: Edit;
  /** Takes the place of `edit` in the composer, where the edit depends on the width of the rows. */
  readonly onRows?: (draft: Draft, columns: number) => Draft;
}

const row = (
  id: string,
  title: string,
  keys: readonly string[],
  edit: Edit,
  onRows?: TextEdit['onRows'],
): TextEdit => ({
  id,
  title,
  keys,
  edit,
  ...(onRows && { onRows }),
});

const textEdits: readonly TextEdit[] = [
  row('cursor.left', 'Left', ['left', 'ctrl+b'], (draft) => moveByCluster(draft, -1)),
  row('cursor.right', 'Right', ['right'], (draft) => moveByCluster(draft, 1)),
  row('cursor.wordLeft', 'Left by a word', ['alt+b', 'ctrl+left', 'alt+left'], (draft) => moveByWord(draft, -1)),
  row('cursor.wordRight', 'Right by a word', ['alt+f', 'ctrl+right', 'alt+right'], (draft) => moveByWord(draft, 1)),
  row('cursor.home', 'Start of the row, then of the text', ['home', 'ctrl+a'], (draft) => moveToStart(draft), moveHome),
  row(
    'cursor.end',
    'End of the row, of the text; or newest message',
    ['end', 'ctrl+e'],
    (draft) => moveToEnd(draft),
    moveEnd,
  ),
  row('cursor.textStart', 'Start of the text', ['ctrl+home'], (draft) => moveToStart(draft)),
  row('cursor.textEnd', 'End of the text; or newest message', ['ctrl+end'], (draft) => moveToEnd(draft)),
  row('selection.left', 'Select to the left', ['shift+left'], (draft) => moveByCluster(draft, -1, true)),
  row('selection.right', 'Select to the right', ['shift+right'], (draft) => moveByCluster(draft, 1, true)),
  row('selection.wordLeft', 'Select a word to the left', ['ctrl+shift+left'], (draft) => moveByWord(draft, -1, true)),
  row('selection.wordRight', 'Select a word to the right', ['ctrl+shift+right'], (draft) => moveByWord(draft, 1, true)),
  row(
    'selection.home',
    'Select to the start of the row',
    ['shift+home'],
    (draft) => moveToStart(draft, true),
    (draft, columns) => moveHome(draft, columns, true),
  ),
  row(
    'selection.end',
    'Select to the end of the row',
    ['shift+end'],
    (draft) => moveToEnd(draft, true),
    (draft, columns) => moveEnd(draft, columns, true),
  ),
  row('text.deleteBack', 'Delete to the left, or the last attachment', ['backspace', 'ctrl+h'], deleteBack),
  row('text.deleteForward', 'Delete to the right', ['delete', 'ctrl+d'], deleteForward),
  row('text.killWordBack', 'Cut a word to the left', ['ctrl+w', 'alt+backspace', 'ctrl+backspace'], killWordBack),
  row('text.killWordForward', 'Cut a word to the right', ['alt+d', 'alt+delete', 'ctrl+delete'], killWordForward),
  row('text.killToStart', 'Cut to the start of the line', ['ctrl+u'], killToStart),
  row('text.killToEnd', 'Cut to the end of the line', ['alt+k'], killToEnd),
  row('text.yank', 'Put back what was cut, or discarded last', ['ctrl+y'], yank),
  row('text.yankEarlier', 'What was cut before, in the place of what was put back', [], yankEarlier),
  row('text.swapCharacters', 'Swap the characters around the cursor', [], swapCharacters),
  row('text.swapWords', 'Swap the word with the next one', [], swapWords),
  row('text.upperWord', 'Word in upper case', [], upperWord),
  row('text.lowerWord', 'Word in lower case', [], lowerWord),
  row('text.capitalWord', 'Word with a capital letter', [], capitalWord),
  row('text.undo', 'Undo', ['ctrl+_', 'ctrl+/'], undo),
  row('text.redo', 'Redo', ['alt+_', 'ctrl+Z'], redo),
];

/** What a key does in a text field of the welcome screen, which has no command table; null where it does nothing. */
export const editOfKey = (key: string): Edit | null => textEdits.find(({ keys }) => keys.includes(key))?.edit ?? null;

/** Changes the draft of the open conversation. */
export function changeDraft(context: CommandContext, apply: Edit): void {
  const { openId } = context.get().view;
  if (openId !== null) context.update(updateDraft(openId, apply));
}

function putBack(context: CommandContext): void {
  const { putAside, strayWords = '', closedQuery = '' } = context.get().view;
  const words = strayWords === '' ? closedQuery : strayWords;
  if (words !== '') {
    changeDraft(context, (draft) => paste(draft, words));
    context.update((state) => patchView(state, strayWords === '' ? { closedQuery: '' } : { strayWords: '' }));
    return;
  }
  changeDraft(context, (draft) =>
    yank(hasNothingCut(draft) && putAside !== undefined ? withKilledMessage(draft, putAside) : draft),
  );
}

const hasNothingCut = ({ kill, killedFiles }: Draft): boolean => kill === '' && killedFiles === undefined;

function erase(context: CommandContext): void {
  const before = selectComposer(context.get());
  changeDraft(context, deleteBack);
  const isAtStart = before.cursor === 0 && selectComposer(context.get()) === before;
  const reason = isAtStart ? fixedReason(context.get()) : null;
  if (reason !== null) notify(context, reason);
}

function run(context: CommandContext, { id, edit, onRows }: TextEdit): void {
  if (selectField(context.get()) !== null) {
    context.update(editField(edit));
  } else if (id === 'text.yank') {
    putBack(context);
  } else if (id === 'text.deleteBack') {
    erase(context);
  } else if ((id === 'cursor.end' || id === 'cursor.textEnd') && selectComposer(context.get()).text === '') {
    // An empty composer has no end to go to.
    goToNewest(context);
  } else {
    const columns = context.composerColumns();
    changeDraft(context, (draft) => onRows?.(draft, columns) ?? edit(draft));
    // Yank must bring back the text that was cut last, and not a query that was closed before.
    if (id.startsWith('text.kill')) context.update((state) => patchView(state, { closedQuery: '' }));
  }
}

const fields: readonly Context[] = ['composer', 'picker', 'prompt', 'filter'];

/** Where not all of `fields` are meant. */
const fieldsOf: Readonly<Record<string, readonly Context[]>> = {
  // An empty filter is closed by the same key: see `filter.deleteBack`.
  'text.deleteBack': fields.filter((context) => context !== 'filter'),
  // These keys go to the first and to the last choice there: see `choice.first`.
  'cursor.textStart': fields.filter((context) => context !== 'picker'),
  'cursor.textEnd': fields.filter((context) => context !== 'picker'),
};

export const textCommands: readonly Command[] = textEdits.map((one) => ({
  id: one.id,
  title: one.title,
  keys: one.keys,
  where: fieldsOf[one.id] ?? fields,
  group: 'Text editing',
  run: (context) => run(context, one),
}));

/** Commands that work while the filter of the conversation list is typed. */
import { deleteBack } from '../state/composer/draft-edit.ts';
import { editField } from '../state/search/edit-field.ts';
import { clearFilter, endFilterTyping } from '../state/view/list-place.ts';
import type { Command } from './command.ts';
import { stepList } from './list-moves.ts';
import { openSelected } from './open-conversation.ts';
import { selectedConversation } from './selection.ts';

const inFilter = { group: 'Conversations', where: ['filter'] } as const;

export const filterCommands: readonly Command[] = [
  {
    ...inFilter,
    id: 'filter.open',
    title: 'Open the selected match',
    hint: 'open',
    keys: ['enter'],
    disabled: (state) => (selectedConversation(state) === null ? 'No conversation matches' : null),
    run: openSelected,
  },
  { ...inFilter, id: 'filter.next', title: 'Next match', keys: ['down'], run: (context) => stepList(context, 'next') },
  {
    ...inFilter,
    id: 'filter.previous',
    title: 'Previous match',
    keys: ['up'],
    run: (context) => stepList(context, 'previous'),
  },
  {
    ...inFilter,
    id: 'filter.keep',
    title: 'Keep the filter and go back to the list',
    hint: 'keep filter',
    keys: ['tab'],
    run: (context) => context.update(endFilterTyping),
  },
  {
    ...inFilter,
    id: 'filter.deleteBack',
    title: 'Delete to the left; where empty, close the filter',
    keys: ['backspace', 'ctrl+h'],
    run: (context) =>
      context.update((state) => (state.view.list.filter === '' ? clearFilter : editField(deleteBack))(state)),
  },
];

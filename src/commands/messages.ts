/** Commands that act on the selected message. */

import { isAddressable } from '../protocol/fields.ts';
import type { MessageId } from '../protocol/types.ts';
import { startEditing, updateDraft } from '../state/composer/drafts.ts';
import { toWireText } from '../state/local/capabilities.ts';
import { ownership } from '../state/local/identity.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectMarked } from '../state/select/marked.ts';
import { type MessageItem, selectComposer, selectOpen, selectSelectedItem } from '../state/select/selectors.ts';
import { toggleRaw } from '../state/view/thread-place.ts';
import { setFocus } from '../state/view/view.ts';
import { type Command, withParameters } from './command.ts';
import type { CommandContext } from './context.ts';
import { foldCommands } from './fold.ts';
import { undoAdvice } from './key-advice.ts';
import { deleteMarkedReason, deleteMarkedText, unlessMarked } from './marks.ts';
import { openMenu } from './menu.ts';
import { notify } from './notify.ts';
import { positionKeys } from './parameters.ts';
import {
  discard,
  discardReason,
  editUnsent,
  retryHint,
  retryReason,
  retrySelected,
  selectedOp,
  takeBackMessage,
} from './pending.ts';
import { ask } from './questions.ts';
import { goToQuotedRow, reply } from './quoted.ts';
import { numberOrNone, react, reaction, reactNth } from './react.ts';
import { needsItem, noMessageSelected } from './selection.ts';
import { rememberUndo, undo } from './undo.ts';

const inMessages = { group: 'Messages', where: ['messages'] } as const;

function needsMessage(state: AppState): string | null {
  const item = selectSelectedItem(state);
  if (item === null) return noMessageSelected;
  if (item.kind === 'pending') return 'This message has not been sent yet';
  return isAddressable(item.id) ? null : 'The id of this message cannot be used in a request';
}

/** Why the message cannot be changed; null where the user wrote it, or may have: the server decides then. */
function needsOwn(state: AppState, what: string): string | null {
  const reason = needsMessage(state);
  const item = selectSelectedItem(state);
  if (reason !== null || item?.kind !== 'message') return reason ?? noMessageSelected;
  return ownership(item.message, state) === 'other' ? `Only your own messages can be ${what}` : null;
}

function editReason(state: AppState): string | null {
  const item = selectSelectedItem(state);
  if (item?.kind === 'pending') return discardReason(item.op);
  const reason = needsOwn(state, 'edited') ?? unsavedReason(state, item?.id ?? null);
  if (reason !== null) return reason;
  return item?.message?.isTruncated === true
    ? 'Only the beginning of this message is held; editing would cut it'
    : null;
}

const saveFirst = 'Save the edited message first, or press Esc';

/** The composer holds one edit: words of another one that are not saved must not be lost. */
function unsavedReason(state: AppState, id: MessageId | null): string | null {
  const { editing, text } = selectComposer(state);
  if (editing === null || editing.messageId === id) return null;
  return text === editing.base || text === toWireText(state, editing.base) ? null : saveFirst;
}

function replyReason(state: AppState): string | null {
  return needsMessage(state) ?? (selectComposer(state).editing === null ? null : saveFirst);
}

/** Goes on with the edit of this message where it has been begun. */
function edit(context: CommandContext): void {
  const item = selectSelectedItem(context.get());
  const { openId } = context.get().view;
  if (item === null || openId === null) return;
  if (selectComposer(context.get()).editing?.messageId === item.id) {
    context.update(setFocus('composer'));
    return;
  }
  if (editUnsent(context, item) || item.kind !== 'message') return;
  context.update((state) =>
    setFocus('composer')(
      updateDraft(openId, (draft) =>
        startEditing(draft, item.id, item.message.text, toWireText(state, item.message.text)),
      )(state),
    ),
  );
}

function showRaw(context: CommandContext): void {
  const item = selectSelectedItem(context.get());
  const { openId } = context.get().view;
  if (item !== null && openId !== null) context.update(toggleRaw(openId, item.id));
}

/** Runs on the selected message; `disabled` has made sure that there is one. */
const onMessage =
  (act: (context: CommandContext, item: MessageItem, conversationId: string) => void): Command['run'] =>
  (context) => {
    const item = selectSelectedItem(context.get());
    const { openId } = context.get().view;
    if (item?.kind === 'message' && openId !== null) act(context, item, openId);
  };

const askToDelete = onMessage((context, { id, message }, conversationId) =>
  ask(context, 'message.delete', { conversationId, messageId: id, textThen: message.text }),
);

/** Commands that change how the selected message is shown. */
export const showActions: readonly Command[] = [
  ...foldCommands,
  {
    ...inMessages,
    id: 'message.raw',
    brief: 'as typed',
    title: 'Show the text as it was typed, or formatted again',
    keys: ['\\'],
    disabled: needsItem,
    run: showRaw,
  },
];

/** Commands that act on the selected message; its menu shows them in this order. */
export const messageActions: readonly Command[] = [
  {
    ...inMessages,
    id: 'message.reply',
    slash: 'reply',
    slashMessage: 'others',
    title: 'Reply with a quote',
    brief: 'reply',
    hint: unlessMarked('reply'),
    keys: ['r'],
    disabled: replyReason,
    run: reply,
  },
  goToQuotedRow,
  withParameters({
    ...inMessages,
    id: 'message.react',
    slash: 'react',
    slashMessage: 'others',
    title: 'Choose a reaction',
    brief: 'react',
    hint: unlessMarked('react'),
    keys: ['a', ':'],
    disabled: needsMessage,
    parameters: { reaction },
    run: react,
  }),
  {
    ...inMessages,
    id: 'message.like',
    title: 'Give or take back 👍',
    keys: ['+'],
    disabled: needsMessage,
    run: (context) => react(context, { reaction: '+1' }),
  },
  withParameters({
    ...inMessages,
    id: 'message.reactNth',
    brief: 'reaction',
    title: 'Give or take back its reactions, then quick ones',
    keys: positionKeys,
    disabled: needsMessage,
    parameters: { position: numberOrNone },
    wordOfKey: (nth) => `${nth + 1}`,
    run: reactNth,
  }),
  {
    ...inMessages,
    id: 'message.edit',
    slash: 'edit',
    slashMessage: 'own',
    // A message that has not been sent goes back into the composer, and nothing puts it into its place again.
    isFinal: (state) => selectSelectedItem(state)?.kind === 'pending',
    title: 'Edit your message',
    brief: 'edit',
    hint: unlessMarked('edit'),
    keys: ['e'],
    disabled: editReason,
    run: edit,
  },
  {
    ...inMessages,
    id: 'message.delete',
    isRepeatable: true,
    slash: 'delete',
    slashMessage: 'own',
    title: 'Delete your message or marked ones (asks first)',
    hint: 'delete',
    keys: ['d'],
    disabled: (state) => (selectMarked(state).length > 0 ? deleteMarkedReason(state) : needsOwn(state, 'deleted')),
    run: (context) => {
      if (selectMarked(context.get()).length > 0)
        ask(context, 'message.deleteMarked', { textThen: deleteMarkedText(context.get()) });
      else askToDelete(context, {});
    },
  },
  {
    ...inMessages,
    id: 'message.pin',
    isRepeatable: true,
    slash: 'pin-message',
    title: 'Pin to the top of the conversation, or unpin',
    brief: 'pin',
    hint: unlessMarked('pin'),
    keys: ['p'],
    disabled: needsMessage,
    run: onMessage((context, { id }, conversationId) => {
      const before = context.get();
      const pinned = selectOpen(before)?.pinnedMessageId ?? null;
      const to = pinned === id ? null : id;
      if (!context.enqueue({ kind: 'conversation.pinMessage', conversationId, messageId: to })) return;
      rememberUndo(
        context,
        conversationId,
        { kind: 'conversation.pinMessage', conversationId, messageId: pinned },
        before,
      );
      const what = to === null ? 'No longer pinned' : pinned === null ? 'Pinned' : 'Pinned in place of another message';
      notify(context, `${what}; ${undoAdvice(context)}`);
    }),
  },
  {
    ...inMessages,
    id: 'message.retry',
    isFinal: true,
    title: 'Retry a refused message; decide about an unsure one',
    hint: retryHint,
    keys: ['R'],
    disabled: retryReason,
    run: retrySelected,
  },
  {
    ...inMessages,
    id: 'message.discard',
    isFinal: true,
    title: 'Discard a message that was not sent',
    hint: 'discard',
    keys: ['D'],
    disabled: (state) => discardReason(selectedOp(state)),
    run: (context) => {
      const op = selectedOp(context.get());
      if (op !== null) discard(context, op);
    },
  },
];

export const messageCommands: readonly Command[] = [
  ...showActions,
  ...messageActions,
  {
    ...inMessages,
    id: 'message.menu',
    title: 'What can be done with the message',
    keys: ['enter'],
    disabled: needsItem,
    run: (context) => {
      const item = selectSelectedItem(context.get());
      const { openId } = context.get().view;
      if (item !== null && openId !== null) openMenu(context, 'message', { conversationId: openId, itemId: item.id });
    },
  },
  {
    ...inMessages,
    id: 'message.takeBack',
    brief: 'undo',
    title: 'Take back a message that waits, or undo',
    keys: ['z'],
    run: (context) => {
      if (!takeBackMessage(context)) undo(context);
    },
  },
];

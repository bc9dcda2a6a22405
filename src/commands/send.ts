/** Puts what the composer holds into the outbox: a new message, or the new text of one that is being edited. */
import type { ConversationId } from '../protocol/types.ts';
import { isBlank } from '../state/composer/draft.ts';
import { draftOf, stopEditing, updateDraft } from '../state/composer/drafts.ts';
import { isLongMessage } from '../state/composer/long-text.ts';
import { afterSending } from '../state/composer/recall.ts';
import { toWireText } from '../state/local/capabilities.ts';
import { rememberSent } from '../state/local/sent-texts.ts';
import type { Draft, DraftEditing } from '../state/model/app-state.ts';
import { selectMessage } from '../state/view/thread-place.ts';
import { withInsertMode } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { asksAfterChange } from './send-after-change.ts';

/**
 * The composer is emptied only after the text is on disk; where that fails it keeps everything.
 * @param text what goes as a new message in the place of what the composer holds
 */
export function send(context: CommandContext, text?: string): void {
  const id = context.get().view.openId;
  if (id === null) return;
  const draft = draftOf(context.get(), id);
  const { editing } = draft;
  // While editing, the attachments wait for the message that is written after it.
  const isEmpty = editing === null ? isBlank(draft) : draft.text.trim() === '';
  if (isEmpty || asksAfterChange(context, id)) return;
  const isDone =
    editing === null
      ? sendNew(context, id, { ...draft, text: text ?? draft.text })
      : saveEdit(context, id, draft, editing);
  // The next message begins in insert mode.
  if (draftOf(context.get(), id) !== draft) context.update(withInsertMode);
  if (isDone && isLongMessage(draft.text)) {
    notify(context, `A long message (${draft.text.length} characters): the server may refuse it`, { tone: 'warning' });
  }
}

function sendNew(context: CommandContext, conversationId: ConversationId, draft: Draft): boolean {
  const { text, attachments } = draft;
  const files = attachments === undefined || attachments.length === 0 ? {} : { attachments };
  const action = { kind: 'message.send', conversationId, text: text.trim() === '' ? '' : text, ...files } as const;
  // The draft that the composer held before a sent text was recalled stays after the message is sent.
  if (!context.enqueue(action, conversationId, 0, afterSending(draft) ?? undefined)) return false;
  context.update(rememberSent(conversationId, text, context.now()));
  // Writing in a conversation marks it as read.
  if (context.get().view.isPeeking) context.openConversation(conversationId);
  context.update(selectMessage(conversationId, null));
  context.scrollThread('bottom');
  return true;
}

function saveEdit(
  context: CommandContext,
  conversationId: ConversationId,
  draft: Draft,
  { messageId, base }: DraftEditing,
): boolean {
  const { text } = draft;
  const action = { kind: 'message.edit', conversationId, messageId, base, text } as const;
  const isChanged = text !== base && text !== toWireText(context.get(), base);
  // The draft that the composer held before the edit stays after it.
  if (isChanged) return context.enqueue(action, conversationId, 0, stopEditing(draft));
  context.update(updateDraft(conversationId, stopEditing));
  return false;
}

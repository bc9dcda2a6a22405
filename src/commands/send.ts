/**
 * Puts what the composer holds into the outbox: a new message, or the new text of one that is being edited. Asks for a
 * second Enter where the text may be a mistyped command, or meant for the conversation shown before.
 */
import type { ConversationId } from '../protocol/types.ts';
import { isBlank } from '../state/composer/draft.ts';
import { draftOf, stopEditing, updateDraft } from '../state/composer/drafts.ts';
import { isLongMessage } from '../state/composer/long-text.ts';
import { afterSending } from '../state/composer/recall.ts';
import { toWireText } from '../state/local/capabilities.ts';
import { rememberSent } from '../state/local/sent-texts.ts';
import type { Draft, DraftEditing } from '../state/model/app-state.ts';
import { selectConversationName } from '../state/select/names.ts';
import { selectComposer, selectUnread } from '../state/select/selectors.ts';
import { dropNotice } from '../state/view/notices.ts';
import { isWithin, typingMs } from '../state/view/overlays.ts';
import { selectMessage } from '../state/view/thread-place.ts';
import { clearChangedByItself, patchView, withInsertMode } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { asSent } from './entered.ts';
import { sendAgain, withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { tellOfDraft } from './sent-texts.ts';

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
  if (isEmpty && editing !== null) notify(context, emptyEdit(context), { isRefusal: true });
  if (isEmpty || asksAfterChange(context, id)) return;
  const isDone =
    editing === null
      ? sendNew(context, id, { ...draft, text: withoutBlankEnd(text ?? draft.text) })
      : saveEdit(context, id, draft, editing);
  // The next message begins in insert mode.
  if (draftOf(context.get(), id) !== draft) context.update(withInsertMode);
  if (isDone && isLongMessage(draft.text)) {
    notify(context, `A long message (${draft.text.length} characters): the server may refuse it`, { tone: 'warning' });
  }
}

/** As `send`, but a new message goes without the second slash that keeps it from being a command. */
export const sendTyped = (context: CommandContext): void => send(context, asSent(selectComposer(context.get()).text));

const emptyEdit = (context: CommandContext): string =>
  `A message cannot be changed into an empty one${withKey(context, 'layer.back', (key) => `; ${key} leaves it as it was`)}`;

/** The text without line breaks at its end, which would be shown as empty rows. */
export function withoutBlankEnd(text: string): string {
  const end = text.trimEnd();
  return text.slice(end.length).includes('\n') ? end : text;
}

function sendNew(context: CommandContext, conversationId: ConversationId, draft: Draft): boolean {
  const { text, attachments } = draft;
  const files = attachments === undefined || attachments.length === 0 ? {} : { attachments };
  const action = { kind: 'message.send', conversationId, text: text.trim() === '' ? '' : text, ...files } as const;
  // The draft that the composer held before a sent text was recalled stays after the message is sent.
  const left = afterSending(draft);
  if (!context.enqueue(action, { draftOf: conversationId, left: left ?? undefined })) return false;
  if (left !== null) tellOfDraft(context);
  // What was cut from the draft goes with it, and can still be put back.
  if (draft.kill !== '') context.update((state) => patchView(state, { putAside: { text: draft.kill } }));
  context.update(rememberSent(conversationId, text, context.now()));
  // Writing in a conversation marks it as read, also if it is a peek or was marked as unread.
  if (context.get().view.isPeeking || selectUnread(context.get(), conversationId) > 0)
    context.openConversation(conversationId);
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
  if (isChanged) return context.enqueue(action, { draftOf: conversationId, left: stopEditing(draft) });
  context.update(updateDraft(conversationId, stopEditing));
  return false;
}

const prefix = 'send as text in ';

/** The notice that asks whether a text that looks like a slash command is to be sent as text. */
const questionOf = (context: CommandContext) =>
  context.get().screen.notices.find(({ about }) => about.startsWith(prefix)) ?? null;

/**
 * For a text that looks like a slash command but is none: asks at the first Enter, and returns true at the next one. An
 * Enter that comes as fast as a held key does neither.
 * @returns whether the text may be sent now
 */
export function mayGoAsText(context: CommandContext, question: string): boolean {
  const now = context.now();
  const asked = questionOf(context);
  const about = `${prefix}${context.get().view.openId}`;
  if (asked?.about !== about || (asked.until ?? 0) <= now) {
    notify(context, question, { tone: 'warning', about });
    return false;
  }
  if (isWithin(typingMs, asked.at, now)) return false;
  forgetQuestion(context);
  return true;
}

/** Forgets the question. To be called at each other key and paste, as the text may be another one then. */
export function forgetQuestion(context: CommandContext): void {
  const asked = questionOf(context);
  if (asked !== null) context.update(dropNotice(asked.about));
}

/** Enter pressed this soon after the program changed what the keys act on was meant for what was there before. */
const meantForFormerMs = 400;

/**
 * Whether this Enter only says where the text would go: a conversation that opened by itself just before may not be the
 * one that the text was meant for, and where the selected message was just deleted, Enter was meant for that. The next Enter
 * sends it.
 */
export function asksAfterChange(context: CommandContext, id: ConversationId): boolean {
  const changedAt = context.get().view.changedByItselfAt ?? null;
  if (changedAt === null) return false;
  context.update(clearChangedByItself);
  if (context.now() - changedAt > meantForFormerMs) return false;
  const name = selectConversationName(context.get(), id);
  notify(context, `The screen changed just now. ${sendAgain(context)} sends this to ${name}`, {
    tone: 'warning',
  });
  return true;
}

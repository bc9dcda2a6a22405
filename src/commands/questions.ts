/**
 * The questions that are asked before something that cannot be undone. A question is one row here; `ask` opens its
 * dialog, which `ui/overlays/confirm-dialog.tsx` draws, and `answer-question.ts` carries it out.
 */
import { draftOf, dropEditingOf } from '../state/composer/drafts.ts';
import { changedLines, parseSubstitution, substitute } from '../state/composer/substitution.ts';
import { toWireText } from '../state/local/capabilities.ts';
import { partnerOf } from '../state/local/own-names.ts';
import { forgetSent } from '../state/local/sent-texts.ts';
import { lostOnQuitText } from '../state/local/unsent-text.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectConversation, selectListOrder } from '../state/select/selectors.ts';
import { type Confirm, pushOverlay } from '../state/view/overlays.ts';
import { leaveRemoved } from '../state/view/thread-place.ts';
import type { CommandContext } from './context.ts';
import { enqueueReaction } from './enqueue-reaction.ts';
import { destinationNames, forward, selectForwardPrompt } from './forwarding.ts';
import { deleteMarked, deleteMarkedSubject, deleteMarkedText } from './marks.ts';
import { itemOf, leaveConversation } from './selection.ts';
import { sendTyped, withoutBlankEnd } from './send.ts';

type Diff = ReturnType<typeof changedLines>;

interface Question {
  readonly id: string;
  readonly title: string | ((state: AppState, about: Confirm) => string);
  /** The line above the advice; without it, the message or the conversation that the question is about. */
  readonly subject?: (state: AppState) => string;
  readonly advice: string;
  /** Lines of a message that would change, shown instead of the subject. */
  readonly diff?: (state: AppState, about: Confirm) => Diff | null;
  /**
   * What the question is about, where that is not the text of one message: a yes counts only while it is the same.
   */
  readonly textNow?: (state: AppState, about: Pick<Confirm, 'conversationId'>) => string;
  /** What "yes" does. */
  readonly carryOut: (context: CommandContext, about: Confirm) => void;
}

/**
 * The contact or group of the conversation as JSON, to be compared with a later one: a server may give the id of a
 * conversation to another contact.
 */
export function partnerText(state: AppState, { conversationId }: Pick<Confirm, 'conversationId'>): string {
  const conversation = selectConversation(state, conversationId);
  return JSON.stringify(conversation === null ? 'gone' : partnerOf(conversation));
}

const questions = [
  {
    id: 'message.delete',
    title: 'Delete this message for everybody?',
    advice: 'It cannot be brought back.',
    carryOut: (context, { conversationId, messageId, textThen }) => {
      if (messageId === null || !context.enqueue({ kind: 'message.delete', conversationId, messageId })) return;
      if (textThen !== null) context.update(forgetSent(conversationId, textThen));
      context.update(leaveRemoved(conversationId, [messageId]));
      context.update(dropEditingOf(conversationId, messageId));
    },
  },
  {
    id: 'message.deleteMarked',
    title: 'Delete these messages for everybody?',
    subject: deleteMarkedSubject,
    advice: 'They cannot be brought back.',
    textNow: deleteMarkedText,
    carryOut: deleteMarked,
  },
  {
    id: 'message.forward',
    title: 'Forward to all of these?',
    subject: (state) => {
      const prompt = selectForwardPrompt(state);
      return prompt === null ? '' : destinationNames(state, prompt);
    },
    advice: 'Each of them gets a separate message.',
    carryOut: forward,
  },
  {
    id: 'conversation.delete',
    title: 'Delete this conversation and all its messages?',
    advice: 'It cannot be brought back. Archive it instead if you may need it again.',
    textNow: partnerText,
    carryOut: (context, { conversationId }) => {
      const before = context.get();
      if (!context.enqueue({ kind: 'conversation.delete', conversationId })) return;
      context.update(forgetSent(conversationId));
      if (before.view.openId === conversationId) context.closeConversation();
      leaveConversation(context, selectListOrder(before), conversationId);
    },
  },
  {
    id: 'react.unknown-rule',
    title: 'React? This may remove what others added',
    advice:
      'It is not known yet whether this server keeps the texts, files and reactions of others. msg-tui restores what is lost if the server allows it.',
    carryOut: (context, { conversationId, messageId, reaction }) => {
      const item = messageId === null ? null : itemOf(context.get(), conversationId, messageId);
      if (item?.kind === 'message' && reaction !== undefined)
        enqueueReaction(context, { conversationId, item, reaction, isConfirmed: true });
    },
  },
  {
    id: 'message.sendLong',
    title: (state, { conversationId }) => {
      const { text, editing } = draftOf(state, conversationId);
      const size = sizeOf(withoutBlankEnd(text));
      return editing === null ? `Send ${size} as one message?` : `Save ${size} as the new text of the message?`;
    },
    advice: 'A long text was pasted. No leaves it in the composer.',
    carryOut: (context, { conversationId }) => {
      if (context.get().view.openId === conversationId) sendTyped(context);
    },
  },
  {
    id: 'message.substitute',
    title: 'Change your last message?',
    advice: 'No leaves what you typed in the composer.',
    diff: (state, { conversationId, textThen }) => {
      const substitution = parseSubstitution(draftOf(state, conversationId).text);
      return substitution === null || textThen === null ? null : changedLines(textThen, substitution);
    },
    carryOut: (context, { conversationId, messageId, textThen: base }) => {
      const substitution = parseSubstitution(draftOf(context.get(), conversationId).text);
      if (substitution === null || messageId === null || base === null) return;
      const text = substitute(toWireText(context.get(), base), substitution);
      if (text === null) return;
      const action = { kind: 'message.edit', conversationId, messageId, base, text } as const;
      context.enqueue(action, { draftOf: conversationId });
    },
  },
  {
    id: 'app.quit',
    title: 'Quit and lose what was not sent?',
    subject: lostOnQuitText,
    advice: 'It cannot be brought back.',
    carryOut: (context) => context.quit(),
  },
] as const satisfies readonly Question[];

function sizeOf(text: string): string {
  const lines = text.split('\n').length;
  return lines > 1 ? `${lines} lines` : `${text.length} characters`;
}

export type QuestionId = (typeof questions)[number]['id'];

/** The row of an open question; undefined for an id that no row has. */
export const questionOf = ({ id }: Confirm): Question | undefined => questions.find((question) => question.id === id);

/** @param about the message or conversation, where the question is about one */
export const ask = (
  context: CommandContext,
  id: QuestionId,
  about: Partial<Pick<Confirm, 'conversationId' | 'messageId' | 'textThen' | 'reaction'>> = {},
): void =>
  context.update(
    pushOverlay({
      kind: 'confirm',
      id,
      conversationId: '',
      messageId: null,
      textThen: null,
      ...about,
      openedAt: context.now(),
    }),
  );

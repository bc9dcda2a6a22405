/** Shows messages and conversations of the cache as they will be once the writes of the outbox are carried out. */
import { countOf } from '../../protocol/reactions.ts';
import type { Conversation, Message, MessageId, Reaction } from '../../protocol/types.ts';
import { conversationOf } from '../cache/conversations.ts';
import type { Op } from '../model/app-state.ts';

/** What is pending on a message. Failed ops are among it, though their effect is not shown. */
export interface MessageMarks {
  readonly edit: Op | null;
  readonly deletion: Op | null;
  readonly reactions: readonly Op[];
  /** A deletion is on its way: the message is not to be shown. */
  readonly isHidden: boolean;
}

/** A message as the user should see it; without `marks` it is the cached object itself. */
export type ShownMessage = Message & { readonly marks?: MessageMarks };

const isEffective = (op: Op): boolean => op.state !== 'failed';

/** The conversation with pending pins, mutes and archivings in place; null when its deletion is pending. */
export function shownConversation(conversation: Conversation, ops: readonly Op[]): Conversation | null {
  let shown: Conversation = conversation;
  for (const op of ops) {
    const { action } = op;
    if (!isEffective(op) || conversationOf(op) !== conversation.id) continue;
    if (action.kind === 'conversation.delete') return null;
    if (action.kind === 'conversation.pin') shown = { ...shown, isPinned: action.value };
    if (action.kind === 'conversation.mute') shown = { ...shown, isMuted: action.value };
    if (action.kind === 'conversation.archive') shown = { ...shown, archivedAt: action.at };
    if (action.kind === 'conversation.pinMessage') shown = { ...shown, pinnedMessageId: action.messageId };
  }
  return shown;
}

/**
 * The message with pending edits, reactions and deletion in place; the same object when none is pending.
 * `mine`: the strings that name the user in reactions (`ownReactionIds`); the first one is added.
 */
export function shownMessage(message: Message, ops: readonly Op[], mine: readonly string[] = []): ShownMessage {
  let edit: Op | null = null;
  let deletion: Op | null = null;
  const reactions: Op[] = [];
  let text = message.text;
  let shownReactions = message.reactions;
  for (const op of ops) {
    const { action } = op;
    if (messageOf(op) !== message.id) continue;
    if (action.kind === 'message.edit') {
      edit = op;
      if (isEffective(op)) text = action.text;
    } else if (action.kind === 'message.delete') {
      deletion = op;
    } else if (action.kind === 'message.react') {
      reactions.push(op);
      if (isEffective(op)) shownReactions = react(shownReactions, action.name, action.present, mine);
    }
  }
  if (edit === null && deletion === null && reactions.length === 0) return message;
  const marks = { edit, deletion, reactions, isHidden: deletion !== null && isEffective(deletion) };
  return { ...message, text, reactions: shownReactions, marks };
}

function messageOf({ action }: Op): MessageId | null {
  if (action.kind === 'message.edit' || action.kind === 'message.delete' || action.kind === 'message.react')
    return action.messageId;
  return null;
}

function react(
  reactions: readonly Reaction[],
  name: string,
  present: boolean,
  mine: readonly string[],
): readonly Reaction[] {
  const isMine = (by: string): boolean => by === '' || mine.includes(by);
  const held = reactions.find((reaction) => reaction.name === name);
  if (!present) {
    return reactions
      .map((reaction) =>
        reaction.name === name ? { ...reaction, by: reaction.by.filter((by) => !isMine(by)) } : reaction,
      )
      .filter((reaction) => countOf(reaction) > 0);
  }
  if (held?.by.some(isMine)) return reactions;
  const own = mine[0] ?? '';
  if (held === undefined) return [...reactions, { name, by: [own] }];
  return reactions.map((reaction) => (reaction === held ? { ...held, by: [...held.by, own] } : reaction));
}

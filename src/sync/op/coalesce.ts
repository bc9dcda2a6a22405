/** Finds the queued changes that a newer one replaces or takes back; they never reach the server. */
import { ownReactionIds } from '../../state/local/identity.ts';
import type { AppState, Op, OpAction } from '../../state/model/app-state.ts';
import { isAmbiguous } from './outcome.ts';

export interface Coalesced {
  /** The ops that the new one makes pointless. */
  readonly drop: readonly Op[];
  /** Once those are gone, the server already has what the new one asks for: it need not be sent either. */
  readonly isMoot: boolean;
}

/**
 * Only ops that are not under way are dropped. Where one of them may have been applied, the new one is sent in any
 * case, so that it undoes that.
 */
export function coalesce(state: AppState, action: OpAction): Coalesced {
  const target = targetOf(action);
  if (target === null) return { drop: [], isMoot: false };
  const same = state.local.outbox.filter((op) => targetOf(op.action) === target);
  // An op that still has to repair a message is carried out as well.
  const drop = same.filter((op) => (op.state === 'queued' || op.state === 'failed') && op.pendingRepair === undefined);
  const isAll = drop.length > 0 && drop.length === same.length && !drop.some((op) => isAmbiguous(op.attempts));
  return { drop, isMoot: isAll && isAlreadySo(state, action) };
}

function targetOf(action: OpAction): string | null {
  switch (action.kind) {
    case 'conversation.pin':
    case 'conversation.mute':
    case 'conversation.archive':
    case 'conversation.pinMessage':
      return `${action.kind} ${action.conversationId}`;
    case 'message.react':
      return `${action.kind} ${action.messageId} ${action.name}`;
    case 'message.send':
    case 'message.edit':
    case 'message.delete':
    case 'conversation.delete':
    case 'conversation.create':
      return null;
  }
}

/** Whether the last known state of the server is what the action wants. */
function isAlreadySo(state: AppState, action: OpAction): boolean {
  if (action.kind === 'conversation.create') return false;
  const conversation = state.cache.conversations.get(action.conversationId);
  if (action.kind === 'message.react') return hasReaction(state, action) === action.present;
  if (conversation === undefined) return false;
  if (action.kind === 'conversation.pin') return conversation.isPinned === action.value;
  if (action.kind === 'conversation.mute') return conversation.isMuted === action.value;
  if (action.kind === 'conversation.archive') return (conversation.archivedAt === null) === (action.at === null);
  if (action.kind === 'conversation.pinMessage') return conversation.pinnedMessageId === action.messageId;
  return false;
}

function hasReaction(state: AppState, action: Extract<OpAction, { kind: 'message.react' }>): boolean {
  const mine = ownReactionIds(state, action.conversationId);
  const messages = state.cache.threads.get(action.conversationId)?.messages ?? [];
  const reactions = messages.find((message) => message.id === action.messageId)?.reactions ?? [];
  return reactions.some(({ name, by }) => name === action.name && by.some((one) => mine.includes(one)));
}

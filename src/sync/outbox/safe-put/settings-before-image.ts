/** A conversation's settings as they were before a change that may reset them: kept in the op on disk until it leaves. */
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import type { Op, OpKind, Settings } from '../../../state/model/app-state.ts';
import { updateOpBestEffort } from '../../op/update-op.ts';
import { type Services, stateOf } from '../../services/services.ts';

export const settingsOf = ({ isPinned, isMuted, pinnedMessageId, archivedAt }: Conversation): Settings => ({
  isPinned,
  isMuted,
  pinnedMessageId,
  archivedAt,
});

/** On disk when it returns; what puts the others back may be refused, or never come to be sent. */
export function saveSettings(context: Services, before: Conversation): void {
  const op = pendingChangeOf(context, before.id);
  if (op === undefined || op.settings !== undefined) return;
  const keeping = (held: Op): Op => ({ ...held, settings: settingsOf(before) });
  updateOpBestEffort(context, op, 'What a change may reset was not recorded.', keeping);
}

/** With what an attempt that broke off may have reset. */
export function withSavedSettings(context: Services, now: Conversation): Conversation {
  const kept = pendingChangeOf(context, now.id)?.settings;
  if (kept === undefined) return now;
  return {
    ...now,
    isPinned: now.isPinned || kept.isPinned,
    isMuted: now.isMuted || kept.isMuted,
    pinnedMessageId: now.pinnedMessageId ?? kept.pinnedMessageId,
    archivedAt: now.archivedAt ?? kept.archivedAt,
  };
}

/** The op that changes a setting of the conversation just now. */
export const pendingChangeOf = (context: Services, id: ConversationId): Op | undefined =>
  stateOf(context).local.outbox.find(
    ({ state, action }) =>
      state === 'sending' && action.kind in settingKinds && 'conversationId' in action && action.conversationId === id,
  );

const settingKinds: Readonly<Partial<Record<OpKind, true>>> = {
  'conversation.pin': true,
  'conversation.mute': true,
  'conversation.archive': true,
  'conversation.pinMessage': true,
};

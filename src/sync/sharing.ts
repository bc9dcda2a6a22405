/** Several processes of one profile: what the others write is taken over, and one of them at a time sends (R-LOCK). */

import type { ConversationId } from '../protocol/types.ts';
import { setUnread } from '../state/cache.ts';
import { sameValue } from '../state/equal.ts';
import { eachChange } from '../state/sharded-map.ts';
import type { AppState } from '../state/state.ts';
import type { Transition } from '../state/store.ts';
import { durably, notice, type SyncContext, stateOf, update } from './context.ts';
import type { LocalKeeper } from './keep-local.ts';

/*
 *     reader ── the sender has gone: the lock is free at the next poll ──► sender
 *       │                                                                    │
 *       └────────── both: another process wrote ──► load, merge ◄────────────┘
 */
export interface Sharing {
  isSender(): boolean;
  /** To be called at every poll and whenever the outbox's directory changes. */
  look(): void;
  reload(): void;
}

export interface SharingEvents {
  readonly onMerged: (before: AppState) => void;
  /** The role is ours now: what the last sender left is to be judged. */
  readonly onSender: () => void;
}

export function createSharing(
  context: () => SyncContext,
  keeper: () => LocalKeeper | null,
  events: SharingEvents,
): Sharing {
  let isSender = context().settings.isSender !== false;

  const reload = (): void => {
    const before = stateOf(context());
    keeper()?.takeOver(isSender);
    if (stateOf(context()).local === before.local) return;
    update(context(), recounted(context(), before));
    events.onMerged(before);
  };

  /** A disk that fails now is asked again at the next poll; what it refuses to take is told where it is written. */
  const isChanged = (): boolean => {
    try {
      return context().outbox.hasForeignChanges();
    } catch {
      return false;
    }
  };

  const become = (): void => {
    isSender = true;
    reload();
    events.onSender();
    const text = 'The other msg-tui of this profile has ended; this one sends now.';
    update(context(), notice(context(), 'info', 'sender', text));
  };

  return {
    isSender: () => isSender,
    reload,
    look() {
      if (isChanged()) reload();
      if (isSender) return;
      let isFree = false;
      const couldAsk = durably(context(), 'sender', 'The sender role could not be taken.', () => {
        isFree = context().takeSenderRole?.() === true;
      });
      if (couldAsk && isFree) become();
    },
  };
}

/** Read lines that another process moved change what counts as unread. */
function recounted(context: SyncContext, before: AppState): Transition {
  const { local } = stateOf(context);
  if (local.readLines === before.local.readLines) return (state) => state;
  const moved: ConversationId[] = [];
  eachChange(before.local.readLines, local.readLines, (id, line, held) => {
    if (!sameValue(line, held)) moved.push(id);
  });
  const counts = new Map(context.cache.listOf(moved, local.readLines, local.me).unread);
  return (state) => moved.reduce((next, id) => setUnread(id, counts.get(id) ?? 0)(next), state);
}

/** Conversations whose sends another process has brought to their end. */
export function sentMeanwhile(before: AppState, now: AppState): readonly ConversationId[] {
  const left = new Set(now.local.outbox.map((op) => op.uuid));
  return before.local.outbox.flatMap(({ uuid, action }) =>
    action.kind === 'message.send' && !left.has(uuid) ? [action.conversationId] : [],
  );
}

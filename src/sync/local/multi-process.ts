/** Several processes of one profile: what the others write is taken over, and one of them at a time sends (R-LOCK). */

import type { ConversationId } from '../../protocol/types.ts';
import { setUnread } from '../../state/cache/conversations.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { eachChange } from '../../state/collections/sharded-map.ts';
import type { AppState, OtherSender } from '../../state/model/app-state.ts';
import type { Transition } from '../../state/store.ts';
import { dropNotice, setOtherSender } from '../../state/view/connection.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { notice } from '../services/notices.ts';
import { type Services, stateOf, update } from '../services/services.ts';

/*
 *     reader ── the sender has gone: the lock is free at the next poll ──► sender
 *       │                                                                    │
 *       └────────── both: another process wrote ──► load, merge ◄────────────┘
 */
export interface MultiProcess {
  isSender(): boolean;
  /** To be called at every poll and whenever the outbox's directory changes. */
  refresh(): void;
  reload(): void;
}

export interface MultiProcessEvents {
  readonly onMerged: (before: AppState) => void;
  /** The role is ours now: what the last sender left is to be judged. */
  readonly onSender: () => void;
}

export function createMultiProcess(
  context: Services,
  takeOver: (isSender: boolean) => void,
  events: MultiProcessEvents,
): MultiProcess {
  let isSender = context.settings.isSender !== false;

  const reload = (): void => {
    const before = stateOf(context);
    takeOver(isSender);
    if (stateOf(context).local === before.local) return;
    update(context, recounted(context, before));
    events.onMerged(before);
  };

  /** A disk that fails now is asked again at the next poll; what it refuses to take is told where it is written. */
  const isChanged = (): boolean => {
    try {
      return context.outbox.hasForeignChanges();
    } catch {
      return false;
    }
  };

  const becomeLeader = (): void => {
    isSender = true;
    reload();
    events.onSender();
    const text = 'The other msg-tui of this profile has ended; this one sends now.';
    update(context, (state) =>
      setOtherSender(null)(dropNotice(waiting)(notice(context, 'info', 'sender', text)(state))),
    );
  };

  /** Whoever writes here is told why nothing leaves, and which process to look for. */
  const reportOtherSender = (): void => {
    const other = context.otherSender?.() ?? null;
    const text = other === null ? null : whyItWaits(stateOf(context), other, context.clock.now());
    const told = text === null ? dropNotice(waiting) : notice(context, 'warning', waiting, text, { isLasting: true });
    update(context, (state) => told(setOtherSender(other)(state)));
  };

  return {
    isSender: () => isSender,
    reload,
    refresh() {
      if (isChanged()) reload();
      if (isSender) return;
      let isFree = false;
      const couldAsk = writeToDisk(context, 'sender', 'The sender role could not be taken.', () => {
        isFree = context.takeSenderRole?.() === true;
      });
      if (couldAsk && isFree) becomeLeader();
      else reportOtherSender();
    },
  };
}

/** What the notice is about. */
const waiting = 'sender waits';
/** So long a message may wait for the other program, which looks every few seconds, before that is worth a word. */
const patienceMs = 30_000;

export const nameOf = ({ pid }: OtherSender): string =>
  pid === null ? 'Another msg-tui' : `Another msg-tui (process ${pid})`;

/** null: nothing waits, or there is another reason for it. */
function whyItWaits({ local, view }: AppState, other: OtherSender, now: number): string | null {
  const isHeldUp = local.outbox.some((op) => op.state === 'sending' || op.state === 'unsure');
  const queued = local.outbox.filter((op) => op.state === 'queued');
  const since = Math.min(...queued.map((op) => Math.max(op.created, op.notBefore)));
  if (other.isStopped && queued.length > 0)
    return `${nameOf(other)} sends for this profile and is stopped: what waits here leaves when it is continued (fg, or kill -CONT ${other.pid}). Once it has ended this one sends.`;
  if (view.connection.status !== 'online' || isHeldUp || now - since < patienceMs) return null;
  return `${nameOf(other)} sends for this profile, and has not sent what waits here. Once it has ended this one sends.`;
}

/** Read lines that another process moved change what counts as unread. */
function recounted(context: Services, before: AppState): Transition {
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

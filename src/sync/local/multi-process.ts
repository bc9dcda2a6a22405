/** Several processes of one profile: what the others write is taken over, and one of them at a time sends (R-LOCK). */

import type { ConversationId } from '../../protocol/types.ts';
import { setUnread } from '../../state/cache/conversations.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { eachChange } from '../../state/collections/sharded-map.ts';
import type { AppState, OpAction, OtherSender } from '../../state/model/app-state.ts';
import { noticeNames } from '../../state/model/screen-state.ts';
import type { Transition } from '../../state/store.ts';
import { setOtherSender } from '../../state/view/connection.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { writeToDisk } from '../services/durable-write.ts';
import { notice } from '../services/notices.ts';
import { type Services, stateOf, update } from '../services/services.ts';

interface MultiProcessEvents {
  /** Reads the outbox again and brings it into the state. */
  readonly takeOver: (isSender: boolean) => void;
  /** What other processes wrote is in the state by now. */
  readonly onMerged: (before: AppState) => void;
  /** This process has become the sender: what the last sender left is to be judged. */
  readonly onSender: () => void;
}

/**
 *     reader ── the sender has gone: the lock is free at the next poll ──► sender
 *       │                                                                    │
 *       └────────── both: another process wrote ──► load, merge ◄────────────┘
 */
export class MultiProcess {
  readonly #context: Services;
  readonly #events: MultiProcessEvents;
  #isSender: boolean;

  constructor(context: Services, events: MultiProcessEvents) {
    this.#context = context;
    this.#events = events;
    this.#isSender = context.beginsAsSender !== false;
  }

  isSender(): boolean {
    return this.#isSender;
  }

  /** Takes over what other processes have written. */
  merge(): void {
    if (this.#isChanged()) this.reload();
  }

  /** To be called at every poll and whenever the outbox's directory changes. */
  refresh(): void {
    this.merge();
    if (this.#isSender) return;
    let isFree = false;
    const couldAsk = writeToDisk(this.#context, noticeNames.sender, 'The lock for sending could not be taken.', () => {
      isFree = this.#context.takeSenderRole?.() === true;
    });
    if (couldAsk && isFree) this.#becomeSender();
    else this.#reportOtherSender();
  }

  reload(): void {
    const before = stateOf(this.#context);
    this.#events.takeOver(this.#isSender);
    if (stateOf(this.#context).local === before.local) return;
    update(this.#context, unreadAfterMovedLines(this.#context, before));
    this.#events.onMerged(before);
  }

  /** An error of the disk counts as no change: the next poll asks again, and a failed write is reported by its caller. */
  #isChanged(): boolean {
    try {
      return this.#context.outbox.hasForeignChanges();
    } catch {
      return false;
    }
  }

  #becomeSender(): void {
    // Still as a reader: the disk says how the attempts of the last sender have ended, of which this process had seen the start.
    this.reload();
    this.#isSender = true;
    this.#events.onSender();
    const text = 'The other msg-tui of this profile has ended; this one sends now.';
    const noticed = notice(this.#context, 'info', noticeNames.sender, text);
    update(this.#context, (state) => setOtherSender(null)(dropNotice(waiting)(noticed(state))));
  }

  /** A notice says why nothing leaves, and which process to look for. */
  #reportOtherSender(): void {
    const context = this.#context;
    const other = context.otherSender?.() ?? null;
    const text = other === null ? null : whyItWaits(stateOf(context), other, context.clock.now());
    const noticed =
      text === null ? dropNotice(waiting) : notice(context, 'warning', waiting, text, { isLasting: true });
    update(context, (state) => noticed(setOtherSender(other)(state)));
  }
}

/** Names the notice that messages wait for another process, so that a later one replaces it. */
const waiting = 'sender waits';
/** A message that waits longer than this is reported: the other process reads the outbox every few seconds. */
const reportedAfterMs = 30_000;

export const senderName = ({ pid }: OtherSender): string =>
  pid === null ? 'Another msg-tui' : `Another msg-tui (process ${pid})`;

/** The text of the notice; null when nothing waits, or there is another reason for it. */
function whyItWaits({ local, view }: AppState, other: OtherSender, now: number): string | null {
  const isHeldUp = local.outbox.some((op) => op.state === 'sending' || op.state === 'unsure');
  const queued = local.outbox.filter((op) => op.state === 'queued');
  const since = Math.min(...queued.map((op) => Math.max(op.created, op.notBefore)));
  if (other.isStopped && queued.length > 0)
    return `${senderName(other)} sends for this profile and is stopped: what waits here leaves when it is continued (fg, or kill -CONT ${other.pid}). Once it has ended this one sends.`;
  if (view.connection.status !== 'online' || isHeldUp || now - since < reportedAfterMs) return null;
  return `${senderName(other)} sends for this profile, and has not sent what waits here. Once it has ended this one sends.`;
}

/** Counts the unread messages of the conversations whose read line another process has moved. */
function unreadAfterMovedLines(context: Services, before: AppState): Transition {
  const { local } = stateOf(context);
  if (local.readLines === before.local.readLines) return (state) => state;
  const moved: ConversationId[] = [];
  eachChange(before.local.readLines, local.readLines, (id, line, held) => {
    if (!sameValue(line, held)) moved.push(id);
  });
  const counts = new Map(context.cache.listOf(moved, local.readLines, local.me).unread);
  return (state) => moved.reduce((next, id) => setUnread(id, counts.get(id) ?? 0)(next), state);
}

/** The actions of the ops that have left the outbox between the two states. */
export function doneMeanwhile(before: AppState, now: AppState): readonly OpAction[] {
  const left = new Set(now.local.outbox.map((op) => op.uuid));
  return before.local.outbox.flatMap(({ uuid, action }) => (left.has(uuid) ? [] : [action]));
}

/** Whether another process has put an op into the outbox between the two states. */
export function hasNewOp(before: AppState, now: AppState): boolean {
  const known = new Set(before.local.outbox.map((op) => op.uuid));
  return now.local.outbox.some((op) => op.state === 'queued' && !known.has(op.uuid));
}

/** The states of an op: which event leads from which state to which, and what else of the op changes with it. */
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import type { Attempt, Op, Recipient } from './op.ts';

/*
 *   (createOp) ────────────────────────────► queued     a new change of the user
 *   queued ── start ───────────────────────► sending    its request leaves
 *   queued ── rejected, held-back ─────────► failed     a check before the attempt forbids it
 *   queued ── settled ─────────────────────► (leaves)   the history shows it before it is sent again
 *   sending ── settled ────────────────────► (leaves)   its result enters the cache in the same update
 *   sending ── created ────────────────────► queued     its conversation is there, and its first message goes on
 *   sending ── not-applied ────────────────► queued     and is tried again later
 *   sending ── rejected ───────────────────► failed     the user retries, edits or discards it
 *   sending ── ambiguous, interrupted ─────► unsure     the history is searched for it
 *   unsure ── settled ─────────────────────► (leaves)   the history shows it
 *   unsure ── send-again ──────────────────► queued     the history does not show it
 *   failed ── retried ─────────────────────► queued
 *   failed ── settled ─────────────────────► (leaves)   an edit that was given up is found made after all
 *   unsure, failed ── held-back ───────────► failed     the user sends it again, but the conversation has another recipient now
 *   queued, unsure, failed ── discarded ───► (leaves)
 *
 * `postponed` and `retried` leave an op queued, and `interrupted` leaves one unsure. Two kinds of ops take another way:
 * - Only a sent message becomes `unsure`, because only it cannot be repeated safely. The others go back to `queued`, and
 *   what the server has is read before they are repeated.
 * - Only what holds text of the user becomes `failed`. The others leave the outbox, and a notice says why.
 */

export type OpState = Op['state'];

/** How an attempt, or a preparation for one, ended. */
interface End {
  readonly at: Millis;
  /** For the user; raw text, not sanitised. */
  readonly reason: string;
  /** The status or error code that decided it. */
  readonly evidence: string;
  /** What the server calls the request. */
  readonly request?: string;
  /** When this run tries it again; another run tries it at once. 0 or left out: at once. */
  readonly notBefore?: Millis;
}

/**
 * `start`: an attempt begins; the request leaves after this is on disk.
 * `postponed`: something that has to be known before the attempt could not be read.
 * `not-applied`: the server has certainly not carried it out, and it may be repeated.
 * `rejected`: the server, or a check made before the attempt, refuses it for good.
 * `ambiguous`: the server may have carried it out. `answeredId`: the message that the answer named all the same.
 * `interrupted`: the process that made the attempt ended before the answer came.
 * `held-back`: its conversation has another contact or group now, `warnedOf`, than when the user asked for the change.
 * `retried`: the user wants it tried, or tried at once.
 * `send-again`: the user, or `automatic` the settings, has an unsure message sent again.
 * `created`: a conversation was created, and the op becomes the sending of the first message to it.
 * `settled`: its result is known. `discarded`: the user takes it back, or a newer op makes it pointless.
 */
export type OpEvent =
  | { readonly kind: 'start'; readonly at: Millis }
  | ({ readonly kind: 'postponed' } & End)
  | ({ readonly kind: 'not-applied' } & End)
  | ({ readonly kind: 'rejected' } & End)
  | ({ readonly kind: 'ambiguous'; readonly answeredId?: MessageId } & End)
  | { readonly kind: 'interrupted'; readonly at: Millis }
  | { readonly kind: 'held-back'; readonly reason: string; readonly warnedOf?: Recipient }
  | { readonly kind: 'retried' }
  | { readonly kind: 'send-again'; readonly automatic?: { readonly reason: string } }
  | { readonly kind: 'created'; readonly conversationId: ConversationId }
  | { readonly kind: 'settled' }
  | { readonly kind: 'discarded' };

export type OpEventKind = OpEvent['kind'];

/** `left`: the op is not in the outbox any more. */
type NextState = OpState | 'left';

const nextStates: Readonly<Record<OpState, Readonly<Partial<Record<OpEventKind, NextState>>>>> = {
  queued: {
    start: 'sending',
    postponed: 'queued',
    rejected: 'failed',
    'held-back': 'failed',
    retried: 'queued',
    settled: 'left',
    discarded: 'left',
  },
  sending: {
    settled: 'left',
    created: 'queued',
    'not-applied': 'queued',
    rejected: 'failed',
    ambiguous: 'unsure',
    interrupted: 'unsure',
  },
  unsure: { settled: 'left', 'send-again': 'queued', interrupted: 'unsure', 'held-back': 'failed', discarded: 'left' },
  failed: { settled: 'left', retried: 'queued', 'held-back': 'failed', discarded: 'left' },
};

/** An event that cannot happen to an op in its state: a mistake in this program. */
export class ImpossibleOpEvent extends Error {
  override readonly name = 'ImpossibleOpEvent';
  constructor({ uuid, state, action }: Op, event: OpEventKind) {
    super(`The event "${event}" cannot happen to a ${action.kind} (${uuid}) that is ${state}.`);
  }
}

/** Whether the op holds a text of the user, which must stay where the user can send or discard it. */
export const keepsUserText = ({ action }: Pick<Op, 'action'>): boolean =>
  action.kind === 'message.send' ||
  action.kind === 'message.edit' ||
  (action.kind === 'conversation.create' && action.first !== undefined);

/** Whether the server may have carried out what was asked in this attempt. */
export const mayHaveArrived = ({ outcome }: Attempt): boolean => outcome !== 'not-applied' && outcome !== 'rejected';

/** Whether the op is queued once more though it may have arrived. */
export const isToRepeat = ({ state, attempts }: Pick<Op, 'state' | 'attempts'>): boolean =>
  state === 'queued' && attempts.some(mayHaveArrived);

/**
 * Whether the event can happen to the op. To be asked first, of the op as it is on disk, wherever another process may
 * have changed it meanwhile: that is no mistake, and `transition` would throw.
 */
export const accepts = (op: Pick<Op, 'state' | 'action' | 'attempts'>, event: OpEventKind): boolean =>
  nextStates[op.state][event] !== undefined &&
  (event !== 'settled' || op.state !== 'queued' || isToRepeat(op)) &&
  (event !== 'created' || (op.action.kind === 'conversation.create' && keepsUserText(op)));

/** Throws `ImpossibleOpEvent`. */
function stateAfter(op: Op, event: OpEventKind): NextState {
  const next = nextStates[op.state][event];
  if (next === undefined || !accepts(op, event)) throw new ImpossibleOpEvent(op, event);
  if (next === 'unsure' && op.action.kind !== 'message.send') return 'queued';
  return next === 'failed' && !keepsUserText(op) ? 'left' : next;
}

/** Events after which an op is always still in the outbox. */
type StayingEvent = Exclude<OpEvent, { readonly kind: 'rejected' | 'held-back' | 'settled' | 'discarded' }>;

/** The op after the event; null when it leaves the outbox by it. Throws `ImpossibleOpEvent`. */
export function transition(op: Op, event: StayingEvent): Op;
export function transition(op: Op, event: OpEvent): Op | null;
export function transition(op: Op, event: OpEvent): Op | null {
  const state = stateAfter(op, event.kind);
  return state === 'left' ? null : { ...changed(op, event), state };
}

/** No history scan was made since the last attempt. */
const notSearched = { scans: 0, lastScan: null, hasPossibleCopy: false } as const;

/** A new op. It may leave after `holdMs` milliseconds, in which its author can still take it back. */
export const createOp = (
  uuid: string,
  action: Op['action'],
  { now, holdMs }: { readonly now: Millis; readonly holdMs: number },
): Omit<Op, 'seq'> => ({
  uuid,
  action,
  state: 'queued',
  created: now,
  notBefore: holdMs > 0 ? now + holdMs : 0,
  reason: null,
  attempts: [],
  baseline: null,
  ...notSearched,
});

function changed(op: Op, event: OpEvent): Op {
  switch (event.kind) {
    case 'start':
      return { ...op, reason: null, attempts: withNewAttempt(op.attempts, event.at), ...notSearched };
    case 'postponed':
      return { ...op, reason: event.reason, notBefore: event.notBefore ?? 0 };
    case 'not-applied':
    case 'rejected':
    case 'ambiguous':
      return { ...op, reason: event.reason, notBefore: event.notBefore ?? 0, attempts: withEnd(op.attempts, event) };
    case 'interrupted':
      return interrupted(op, event.at);
    case 'held-back':
      return { ...op, reason: event.reason, notBefore: 0, ...(event.warnedOf && { warnedOf: event.warnedOf }) };
    case 'retried':
      return tryAgain(op);
    case 'send-again':
      return event.automatic === undefined
        ? tryAgain(op)
        : { ...tryAgain(op), autoResent: true, reason: event.automatic.reason };
    case 'created':
      return withFirstMessage(op, event.conversationId);
    case 'settled':
    case 'discarded':
      return op;
  }
}

/** One change of one record on disk, so that the message is neither lost nor queued twice. */
function withFirstMessage(op: Op, conversationId: ConversationId): Op {
  const { action, uuid, seq, created } = op;
  if (action.kind !== 'conversation.create' || action.first === undefined) return op;
  const { contactId, groupId } = action;
  const recipient = contactId !== null ? { contactId } : groupId !== null ? { groupId } : null;
  return {
    ...createOp(uuid, { kind: 'message.send', conversationId, ...action.first }, { now: created, holdMs: 0 }),
    seq,
    ...(recipient === null ? {} : { recipient }),
  };
}

/** The older attempts of an op are forgotten, except for the last one that may have arrived. */
const attemptsKept = 20;

function withNewAttempt(attempts: readonly Attempt[], started: Millis): readonly Attempt[] {
  const newest = attempts.slice(1 - attemptsKept);
  const inDoubt = attempts.findLast(mayHaveArrived);
  const isLeftOut = inDoubt !== undefined && !newest.includes(inDoubt);
  const kept = isLeftOut ? [inDoubt, ...newest.slice(1)] : newest;
  return [...kept, { started, ended: null, outcome: null, evidence: '' }];
}

/** The attempts with the last one ended, unless it has been ended before. */
const withLastEnded = (
  attempts: readonly Attempt[],
  end: Omit<Attempt, 'started' | 'ended'> & { readonly ended: Millis },
): readonly Attempt[] =>
  attempts.map((attempt, index) =>
    index === attempts.length - 1 && attempt.ended === null ? { ...attempt, ...end } : attempt,
  );

function withEnd(
  attempts: readonly Attempt[],
  event: Extract<OpEvent, { readonly kind: 'not-applied' | 'rejected' | 'ambiguous' }>,
): readonly Attempt[] {
  const { kind, at, evidence, request } = event;
  const named = kind === 'ambiguous' && event.answeredId !== undefined ? { answeredId: event.answeredId } : {};
  const asked = request === undefined ? {} : { request };
  return withLastEnded(attempts, { ended: at, outcome: kind, evidence, ...asked, ...named });
}

/** An op that is `unsure` keeps the scans that were made for it: only its attempt is ended, where that is still open. */
function interrupted(op: Op, at: Millis): Op {
  const evidence = op.attempts.at(-1)?.evidence || 'process ended';
  const end = { ended: at, outcome: 'ambiguous', evidence } as const;
  if (op.state === 'unsure') return { ...op, attempts: withLastEnded(op.attempts, end) };
  const isOpen = op.attempts.at(-1)?.ended === null;
  const attempts = isOpen ? op.attempts : withNewAttempt(op.attempts, op.created);
  return {
    ...op,
    ...notSearched,
    attempts: withLastEnded(attempts, { ...end, evidence: 'process ended' }),
    reason: 'msg-tui ended before the answer came.',
  };
}

/** Later messages wait for the op again: `skippedInOrder` held for the attempt that is given up. */
function tryAgain(op: Op): Op {
  const { skippedInOrder: _, ...rest } = op;
  // A creation that may have been carried out is only looked for; that the user wants it again ends the search.
  const attempts = op.action.kind === 'conversation.create' ? [] : op.attempts;
  return { ...rest, attempts, reason: null, notBefore: 0 };
}

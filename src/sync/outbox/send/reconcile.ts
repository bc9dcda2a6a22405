/** Finds out from the history whether messages whose answer never came have arrived (R-SEND-1). */
import { compareContent, type compareText, isSame } from '../../../protocol/same-text.ts';
import { policyOf } from '../../../protocol/server-policy.ts';
import type { ConversationId, Message, Millis } from '../../../protocol/types.ts';
import { compareMessages } from '../../../state/cache/thread-order.ts';
import { isOwn, ownership, setIdentity } from '../../../state/local/identity.ts';
import { opsOf, replaceOp } from '../../../state/local/outbox.ts';
import { isUpdated, reactedOnly } from '../../../state/local/reacted-only.ts';
import { mayRepeatByItself } from '../../../state/local/resend-rule.ts';
import type { AppState, Attempt, Baseline, Op } from '../../../state/model/app-state.ts';
import { isToRepeat, mayHaveArrived, transition } from '../../../state/model/op-state.ts';
import { settleOp } from '../../../state/settle-op.ts';
import type { Transition } from '../../../state/store.ts';
import { changeOpOnDisk } from '../../op/update-op.ts';
import { isRecycledId } from '../../quirks/recycled-ids.ts';
import { writeToDisk } from '../../services/durable-write.ts';
import { notice } from '../../services/notices.ts';
import type { PageObserver } from '../../services/page-observer.ts';
import { learnTextChange } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';

/*
 * An unsure op is settled when the history shows a message of the user with its text and files that is new since the attempt and
 * that no other op has claimed.
 *
 * A scan of the history that reaches back to the attempt and finds none is counted. After two of them, the last one at
 * least 30 s after the attempt, the user may have the message sent again; after a 500 or 503 the settings may do so in
 * the user's place, once. A scan that does not reach back so far proves nothing. Where the sender of a message is
 * unknown, or its text differs, the user decides whether it is the one.
 */

const isSend = (op: Op): boolean => op.action.kind === 'message.send';

/** Sends of unknown outcome in the order entered. */
export const unsureSends = (state: AppState, id: ConversationId): readonly Op[] =>
  opsOf(state, id).filter((op) => op.state === 'unsure' && isSend(op));

/** The same, and those that the user has had sent again: they may have arrived before their next request leaves. */
const sendsInDoubt = (state: AppState, id: ConversationId): readonly Op[] =>
  opsOf(state, id).filter((op) => isSend(op) && (op.state === 'unsure' || isToRepeat(op)));

/**
 * The history at the start of an attempt. One that is repeated in doubt keeps the baseline, so that both copies are new.
 * After attempts that certainly did not arrive it is taken anew: the text may be another one, and what came since is not
 * this message.
 */
export function takeBaseline(
  state: AppState,
  op: Op,
  messages: readonly Message[],
  from: Millis | undefined,
): Baseline {
  if (op.baseline !== null && op.attempts.some(mayHaveArrived)) return op.baseline;
  const same = messages.filter((message) => mayBeOwn(message, state) && changeOf(op, message) !== 'other');
  const newest = messages.slice(-50).map((message) => message.id);
  return { sameText: same.map((message) => message.id), newest, ...(from === undefined ? {} : { from }) };
}

const changeOf = (op: Op, message: Message): ReturnType<typeof compareText> =>
  op.action.kind === 'message.send' ? compareContent(op.action, message) : 'other';

const isSameText = (op: Op, message: Message): boolean => isSame(changeOf(op, message));

const isCandidate = (state: AppState, op: Op, message: Message): boolean =>
  isNew(state, op, message) && isSameText(op, message);

function isNew(state: AppState, op: Op, message: Message): boolean {
  if (op.baseline === null || op.baseline.sameText.includes(message.id)) return false;
  return mayBeOwn(message, state);
}

/** While the user's contact is unknown, the conversation may be the one with oneself. */
const mayBeOwn = (message: Message, state: AppState): boolean =>
  state.local.me === null || ownership(message, state) !== 'other';

/** When the server is known to change texts, any message of the user that has come since may be the one of this op. */
const mayBeRewritten = (state: AppState, message: Message): boolean =>
  policyOf(state.local.capabilities).textOnWire.mayShowAnyText && isOwn(message, state);

/** Whether an answer named this message and it was not there before: then it is the op's, whatever its text is. */
const isAnswer = ({ attempts, baseline }: Op, { id }: Message): boolean =>
  attempts.some(({ answeredId }) => answeredId === id) && baseline?.newest.includes(id) === false;

/**
 * Whether the message may have had any text before it was seen here. One that was seen as it was sent, and has this text still,
 * has got a reaction.
 */
const mayBeEdited = (state: AppState, id: ConversationId, message: Message): boolean =>
  isUpdated(message) && !reactedOnly(state, id).includes(message.id);

/** Whether the message was known before the first attempt. */
const isInBaseline = ({ baseline }: Op, { id }: Message): boolean => baseline?.newest.includes(id) === true;

/** The place of the first row that was known before the first attempt; -1 where there is none. */
const firstKnown = (op: Op, sorted: readonly Message[]): number =>
  sorted.findIndex((message) => isInBaseline(op, message));

/**
 * The rows that may be newer than the baseline: those after the first message of it that is among them, and, because
 * the server's clock may have been set back, those in the part of the history that was known without gaps. A page may
 * also hold old rows that had never been read; these are left out.
 */
function sinceBaseline(op: Op, sorted: readonly Message[]): readonly Message[] {
  const from = op.baseline?.from;
  const first = firstKnown(op, sorted);
  const isInKnownPart = ({ createdAt }: Message): boolean =>
    from !== undefined && (from === 0 || (createdAt !== null && createdAt > from));
  return sorted.filter((message, index) => index > first || isInKnownPart(message));
}

/** Whether a row may be the message of a request under way, which would be shown twice before the answer. */
function isHeldBack(state: AppState, id: ConversationId, message: Message): boolean {
  if (state.cache.threads.get(id)?.messages.some((held) => held.id === message.id) === true) return false;
  return opsOf(state, id).some((op) => op.state === 'sending' && isSend(op) && isCandidate(state, op, message));
}

/**
 * Looks in every newest page for sends of unknown outcome. The page has to reach back to what was known before the first
 * attempt, whatever is known by now. A process that does not send leaves the decision to the one that does.
 */
export const reconcileSends: PageObserver = (context, id) => {
  const waiting = context.isSender() ? sendsInDoubt(stateOf(context), id) : [];
  const baseline = waiting.find((op) => op.baseline !== null)?.baseline;
  return {
    needsRows: waiting.length > 0,
    reachBackTo: baseline?.newest,
    holdsBack: (row) => isHeldBack(stateOf(context), id, row),
    also: ({ rows, aliases, isWhole }) => {
      const free = rows.filter((row) => !aliases.possible.has(row.id));
      return reconcile(context, id, free, waiting, isWhole);
    },
  };
};

/**
 * Claims what `rows` hold for the ops that were unsure before the rows were asked for, and counts the scan for the others,
 * all on disk; the returned transition brings it into the state.
 */
function reconcile(
  context: Services,
  id: ConversationId,
  rows: readonly Message[],
  waiting: readonly Op[],
  isCompleteScan: boolean,
): Transition {
  const transitions: Transition[] = [];
  const sorted = [...rows].sort(compareMessages);
  for (const { uuid } of waiting) {
    const op = sendsInDoubt(stateOf(context), id).find((candidate) => candidate.uuid === uuid);
    if (op === undefined) continue;
    // Where the disk refuses, nothing was decided: the message is looked for again with the next poll.
    writeToDisk(context, uuid, 'What history shows of a message was not recorded.', () => {
      transitions.push(judgeOp(context, id, op, sorted, isCompleteScan));
    });
  }
  return (state) => transitions.reduce((next, transition) => transition(next), state);
}

function judgeOp(
  context: Services,
  id: ConversationId,
  op: Op,
  sorted: readonly Message[],
  isCompleteScan: boolean,
): Transition {
  const state = stateOf(context);
  const claims = context.outbox.claims(id);
  const isFree = (message: Message): boolean => !claims.has(message.id) || isRecycledId(context, id, message);
  const fresh = sinceBaseline(op, sorted).filter((message) => isNew(state, op, message) && isFree(message));
  const candidates = fresh.filter((message) => isSameText(op, message));
  const answered = fresh.filter((message) => isAnswer(op, message));
  const mine = (answered.length > 0 ? answered : candidates).filter((message) => isOwn(message, state));
  const later = sorted.slice(firstKnown(op, sorted) + 1);
  const arrived = fresh.filter((row) => !isInBaseline(op, row) && later.includes(row));
  const isLike =
    fresh.some((row) => changeOf(op, row) === 'changed') || arrived.some((row) => mayBeRewritten(state, row));
  const isEdited = arrived.some((row) => mayBeEdited(state, id, row));
  const otherText = answered.length > 0 || isLike ? changedText : isEdited ? editedText : null;
  const doubt = candidates.length > 0 ? unknownSender : otherText;
  return claim(context, id, op, mine) ?? count(context, op, isCompleteScan, doubt);
}

function claim(context: Services, id: ConversationId, op: Op, mine: readonly Message[]): Transition | null {
  const taken = mine.find((message) => context.outbox.settle(op.uuid, message.id, isRecycledId(context, id, message)));
  if (taken === undefined) return null;
  if (op.action.kind === 'message.send') learnTextChange(context, op.action.text, taken.text, 'GET /v1/messages');
  const sender = taken.contact;
  const known: Transition =
    sender === null ? (state) => state : setIdentity({ contactId: sender.id, username: sender.username });
  const left = settleOp(op, taken.id, context.clock.now());
  // Where it was sent again, `duplicate-watch.ts` asks about the second copy.
  if (mine.length < 2 || op.attempts.length > 1) return (state) => known(left(state));
  const text = 'This message was sent twice. Delete one of the copies if you like.';
  const noticed = notice(context, 'warning', op.uuid, text);
  return (state) => known(noticed(left(state)));
}

const unknownSender = 'A message with this text is in the history; nobody knows yet whether it is yours.';
const changedText =
  'A new message much like this one is in the history. If it is this one, changed by the server, discard what is here.';
/** Whatever the text is now: another program may have edited the message before it was found here. */
const editedText =
  'A new message in the history was changed after it was sent. If it is this one, edited elsewhere, discard what is here.';

function notFound(scans: number, op: Op): string {
  const again = op.autoResent === true ? ' It was sent again by itself.' : '';
  const checks = `${scans} ${scans === 1 ? 'check' : 'checks'}`;
  return `${answered(evidenceOf(op))} Not in the history after ${checks}. It may still arrive.${again}`;
}

/** `evidence`: of the last attempt, a status where there was one. */
function answered(evidence: string): string {
  if (!/^\d{3}$/.test(evidence)) return 'No answer from the server.';
  return evidence.startsWith('2')
    ? `The server said OK (${evidence}) without this message.`
    : `The server answered ${evidence}.`;
}

/** `doubt`: what the history holds that may be it. */
function count(context: Services, op: Op, isCompleteScan: boolean, doubt: string | null): Transition {
  if (!isCompleteScan || op.state !== 'unsure') return (state) => state;
  const now = context.clock.now();
  // Another process may have had the message sent again or discarded meanwhile.
  const counted = changeOpOnDisk(context, op.uuid, (held) => {
    if (held.state !== 'unsure') return null;
    const scans = held.scans + 1;
    const reason = doubt ?? notFound(scans, held);
    const hasPossibleCopy = doubt !== null;
    const attempts = endedBy(held.attempts, now);
    const lastScan = scanTime(context, { ...held, attempts }, now);
    const searched: Op = { ...held, attempts, scans, lastScan, hasPossibleCopy, reason };
    const isAllowed = stateOf(context).settings.resend === 'auto-after-check' && !hasPossibleCopy;
    return isAllowed && mayRepeatByItself(searched, now) ? sentAgain(searched) : searched;
  });
  if (counted.state === 'unsure') return replaceOp(counted);
  const noticed = notice(context, 'info', op.uuid, `A message that is not in the history was ${counted.reason}`);
  return (state) => noticed(replaceOp(counted)(state));
}

const sentAgain = (op: Op): Op =>
  transition(op, { kind: 'send-again', automatic: { reason: `sent again by itself after ${evidenceOf(op)}` } });

const evidenceOf = (op: Op): string => op.attempts.at(-1)?.evidence ?? '';

/**
 * The time of a scan made now, which is compared with the end of the attempt. A clock that was set forward in between does
 * not make the wait shorter.
 */
function scanTime({ unsureSince, clock }: Services, { uuid, attempts }: Op, now: Millis): Millis {
  const [since, ended] = [unsureSince.get(uuid), attempts.at(-1)?.ended ?? null];
  return since === undefined || ended === null ? now : Math.min(now, ended + clock.monotonic() - since);
}

/** Where the clock was set back to before the end of the attempt, the wait starts again from now. */
function endedBy(attempts: readonly Attempt[], now: number): readonly Attempt[] {
  const last = attempts.at(-1);
  if (last === undefined || last.ended === null || last.ended <= now) return attempts;
  return [...attempts.slice(0, -1), { ...last, ended: now }];
}

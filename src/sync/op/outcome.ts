/** The outcomes of an attempt to carry out an op, and how an error of the API decides them (R-CLASS). */
import type { ApiError } from '../../api/errors.ts';
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { Attempt, Op } from '../../state/model/app-state.ts';
import type { Transition } from '../../state/store.ts';

/**
 * `settled`: it was applied, and the op leaves the outbox. `rejected`: the server refuses it for good; messages and edits
 * stay as failed ops, everything else leaves with a notice. `later`: it was not applied, or is safe to repeat, and the
 * op is queued again. `unsure`: it may have been applied and must not be repeated; the history decides.
 */
export type Outcome =
  | {
      readonly kind: 'settled';
      /** The message of the server that the op became; null when it became none. */
      readonly claim: MessageId | null;
      /** It is a new message: what was known by its id before, if anything was, is another one. */
      readonly isRecycled?: boolean;
      /** The conversation that was created; where the op has a first message, it stays and sends that. */
      readonly created?: ConversationId;
      /** Brings the result into the cache and, together with `done`, in one update into the state. */
      readonly apply: (done: Transition) => void;
    }
  | ({ readonly kind: 'rejected'; readonly reason: string } & Proof)
  | Later
  | ({
      readonly kind: 'unsure';
      readonly reason: string;
      /** The message that the answer named, though it does not show the text that was sent. */
      readonly answeredId?: MessageId;
    } & Proof);

/** The parts of the attempt that are stored. */
type Proof = Pick<Attempt, 'evidence' | 'request'>;

interface Later extends Proof {
  readonly kind: 'later';
  readonly reason: string;
  /** The next attempt waits longer. False where the op is not at fault, as with a pause of the server. */
  readonly countsAsFailure: boolean;
  /** The request has left, and the server may have applied it. */
  readonly isInDoubt?: boolean;
}

/** @param answer the refusal of the server, if it was one */
export const rejected = (reason: string, answer: ApiError | null = null): Outcome => ({
  kind: 'rejected',
  reason,
  ...(answer === null ? { evidence: 'refused' } : proofOf(answer)),
});

/** Whether the last attempt may have been applied, leaving out those that certainly were not. */
export function isAmbiguous(attempts: Op['attempts']): boolean {
  const last = attempts.findLast((attempt) => attempt.outcome !== 'not-applied');
  return last !== undefined && last.outcome !== 'rejected';
}

/** A write is given up after this many failures of the server. */
const mostFailures = 6;

/**
 * How many attempts on disk count towards `mostFailures`, since the op was last rejected. One run of a command makes few
 * attempts, so that the next run has to go on counting.
 */
export function storedFailures({ attempts }: Pick<Op, 'attempts'>): number {
  const since = attempts.slice(attempts.findLastIndex(({ outcome }) => outcome === 'rejected') + 1);
  return since.filter(({ evidence }) => /^([235]\d\d|409)/.test(evidence)).length;
}

/** How often the list was searched for a conversation whose creation may have been carried out. */
export const storedSearches = ({ attempts }: Pick<Op, 'attempts'>): number =>
  attempts.filter(({ evidence }) => evidence === notInList).length;

export const notInList = 'not in the list';

/** After this many attempts that ended while they waited for a change to show, the next one does not wait. */
const mostWaits = 2;

/** Whether enough earlier attempts have waited for the change as long as their programs ran, and it did not show. */
export const wasWaitedFor = ({ attempts }: Pick<Op, 'attempts'>): boolean =>
  attempts.filter(isWait).length >= mostWaits;

/** Whether the attempt ended in a read after its change was answered. One that ended in the change itself has not waited. */
const isWait = ({ evidence, request }: Attempt): boolean =>
  /^(aborted|process ended)$/i.test(evidence) && request?.startsWith('PUT ') !== true;

/** The status, and also the code where a 5xx answer broke off, because that answer was not complete. */
function evidenceOf({ facts, kind }: ApiError): string {
  if (facts.status >= 500 && facts.code !== null) return `${facts.status} ${facts.code}`;
  return facts.status > 0 ? String(facts.status) : (facts.code ?? kind);
}

const proofOf = (error: ApiError): Proof => ({
  evidence: evidenceOf(error),
  ...(error.facts.request !== null && { request: error.facts.request }),
});

/** A POST: repeated only when it is proven that nothing was applied. */
export function outcomeOfPost(error: ApiError): Outcome {
  const proof = proofOf(error);
  const reason = error.facts.message;
  if (isHeldBackByBreaker(error)) return { kind: 'later', reason, ...proof, countsAsFailure: false };
  if (isFinal(error)) return { kind: 'rejected', reason, ...proof };
  if (error.facts.outcome === 'not-applied') return { kind: 'later', reason, ...proof, countsAsFailure: true };
  const answeredId = error.facts.namedId;
  return { kind: 'unsure', reason, ...proof, ...(answeredId === undefined ? {} : { answeredId }) };
}

/** A read of what is to be changed failed, before any request of the change left. */
export function outcomeOfRead(error: ApiError): Outcome {
  const countsAsFailure = !isHeldBackByBreaker(error) && error.kind !== 'aborted';
  return { kind: 'later', reason: error.facts.message, ...proofOf(error), countsAsFailure };
}

/** A PUT or DELETE: repeated once the server was read again. `failures`: how many attempts have failed before. */
export function outcomeOfRepeatable(error: ApiError, failures: number): Outcome {
  const proof = proofOf(error);
  const reason = error.facts.message;
  const isInDoubt = error.facts.outcome === 'ambiguous';
  if (isHeldBackByBreaker(error) || error.kind === 'aborted')
    return { kind: 'later', reason, ...proof, countsAsFailure: false, isInDoubt };
  // Of the refusals, a 409 alone is in doubt: it may come from an earlier attempt that is still under way.
  const isAnswered = error.kind === 'server' || error.kind === 'not-api' || error.kind === 'invalid';
  if (isFinal(error) || error.bodySaysNo || (isAnswered && failures + 1 >= mostFailures))
    return { kind: 'rejected', reason, ...proof };
  return { kind: 'later', reason, ...proof, countsAsFailure: true, isInDoubt };
}

const isHeldBackByBreaker = (error: ApiError): boolean =>
  error.kind === 'unauthorized' || error.kind === 'rate-limited';

/** A 403 concerns this action alone; a redirect means a wrong address. Neither can be corrected by repeating the request. */
const isFinal = (error: ApiError): boolean =>
  error.facts.outcome === 'rejected' ||
  error.kind === 'forbidden' ||
  error.kind === 'unusable-id' ||
  (error.kind === 'redirect' && error.facts.outcome === 'not-applied');

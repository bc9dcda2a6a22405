/** What an attempt to carry out an op came to, and how an error decides it (R-CLASS). */
import type { ApiError } from '../../api/errors.ts';
import type { MessageId } from '../../protocol/types.ts';
import type { Op } from '../../state/model/app-state.ts';
import type { Transition } from '../../state/store.ts';

/*
 *     settled   applied: the op leaves, `apply` brings the result into the cache and the state in the same update
 *     refused   the server will not have it; sends and edits stay as failed, the rest goes with a notice
 *     later     not applied, or safe to repeat: stays queued
 *     unsure    may have been applied and must not be repeated: history decides
 */
export type Outcome =
  | {
      readonly kind: 'settled';
      readonly claim: MessageId | null;
      /** What was claimed by that id before was another message. */
      readonly isReused?: boolean;
      readonly apply: (done: Transition) => void;
    }
  | { readonly kind: 'refused'; readonly reason: string; readonly evidence: string }
  | Later
  | {
      readonly kind: 'unsure';
      readonly reason: string;
      readonly evidence: string;
      /** The message that the answer named all the same. */
      readonly named?: MessageId;
    };

interface Later {
  readonly kind: 'later';
  readonly reason: string;
  readonly evidence: string;
  readonly isBlameless: boolean;
  /** A change that is safe to repeat has left, and may have been made. */
  readonly isInDoubt?: boolean;
}

export const refused = (reason: string): Outcome => ({ kind: 'refused', reason, evidence: 'refused' });

/** The last attempt that left may have been applied, and the user was not asked since. */
export function isAmbiguous(attempts: Op['attempts']): boolean {
  const last = attempts.findLast((attempt) => attempt.outcome !== 'not-applied');
  return last !== undefined && last.outcome !== 'rejected';
}

/** A server that keeps failing at one and the same write is told no more than this often. */
const mostFailures = 6;

/** A failure of the server that was not told to its end is no complete answer. */
function evidenceOf({ facts, kind }: ApiError): string {
  if (facts.status >= 500 && facts.code !== null) return `${facts.status} ${facts.code}`;
  return facts.status > 0 ? String(facts.status) : (facts.code ?? kind);
}

/** A POST: repeated only when it is proven that nothing was applied. */
export function outcomeOfPost(error: ApiError): Outcome {
  const evidence = evidenceOf(error);
  const reason = error.facts.message;
  if (isHeldBackByGate(error)) return { kind: 'later', reason, evidence, isBlameless: true };
  if (isFinal(error)) return { kind: 'refused', reason, evidence };
  if (error.facts.outcome === 'not-applied') return { kind: 'later', reason, evidence, isBlameless: false };
  const named = error.facts.namedId;
  return { kind: 'unsure', reason, evidence, ...(named === undefined ? {} : { named }) };
}

/** A look at what is to be changed, before anything left. */
export function outcomeOfLook(error: ApiError): Outcome {
  const isBlameless = isHeldBackByGate(error) || error.kind === 'aborted';
  return { kind: 'later', reason: error.facts.message, evidence: evidenceOf(error), isBlameless };
}

/** A PUT or DELETE: looked at again and repeated. `failures` counts the attempts that ended like this before. */
export function outcomeOfRepeatable(error: ApiError, failures: number): Outcome {
  const evidence = evidenceOf(error);
  const reason = error.facts.message;
  const isInDoubt = error.facts.outcome === 'ambiguous';
  if (isHeldBackByGate(error) || error.kind === 'aborted')
    return { kind: 'later', reason, evidence, isBlameless: true, isInDoubt };
  const isAnswered = error.kind === 'server' || error.kind === 'not-api';
  if (isFinal(error) || error.saysNo || (isAnswered && failures + 1 >= mostFailures))
    return { kind: 'refused', reason, evidence };
  return { kind: 'later', reason, evidence, isBlameless: false, isInDoubt };
}

const isHeldBackByGate = (error: ApiError): boolean => error.kind === 'unauthorized' || error.kind === 'rate-limited';

/** 403 concerns this action alone; a redirect means a wrong address, which no repetition mends. */
const isFinal = (error: ApiError): boolean =>
  error.facts.outcome === 'rejected' ||
  error.kind === 'forbidden' ||
  error.kind === 'unusable-id' ||
  (error.kind === 'redirect' && error.facts.outcome === 'not-applied');

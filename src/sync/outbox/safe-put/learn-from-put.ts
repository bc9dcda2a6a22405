/** Learns from one change of a message how this server treats the fields that are sent and those that are not. */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { areAllNamed } from '../../../protocol/reactions.ts';
import { compareText } from '../../../protocol/same-text.ts';
import type { ReactionRule } from '../../../protocol/server-policy.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { ownReactionIds } from '../../../state/local/identity.ts';
import { aboutLoss, showNotice } from '../../services/notices.ts';
import { learnCapability, serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';
import {
  areFilesAppended,
  type Content,
  countOthers,
  hasMine,
  isDoubled,
  lostFrom,
  type OmittedFields,
  observedOmitted,
  ownOf,
} from './message-diff.ts';

export const putSource = 'PUT /v1/messages/:id';

/**
 * After which PUT the message was read. `change`: a change of the user; what is kept and what is missing both count.
 * `restoring`: a PUT that restores what was lost; only what is missing counts. `interrupted`: a change of an earlier run;
 * others may have taken reactions back since, so that it changes no rule of reactions that is known already.
 */
export type Evidence = 'change' | 'restoring' | 'interrupted';

/** @param after the message as it was read after the change */
export function learnFromPut(
  context: Services,
  before: Content,
  sent: UpdateMessageParameters,
  after: Message,
  evidence: Evidence,
): void {
  const omitted = observedOmitted(before, sent, after);
  for (const name of Object.keys(omitted) as (keyof OmittedFields)[]) {
    const value = omitted[name];
    if (value !== undefined && (evidence === 'change' || value === 'dropped'))
      learnCapability(context, name, value, putSource);
  }
  if (areFilesAppended(before, sent, after)) learnCapability(context, 'appendsFiles', true, putSource);
  if (sent.message !== undefined && compareText(sent.message, after.text) === 'escaped')
    learnCapability(context, 'textChange', 'escape', putSource);
  if (sent.reactions !== undefined) learnReactions(context, before, sent.reactions, after, evidence);
}

function learnReactions(
  context: Services,
  { reactions: before }: Content,
  sent: readonly Reaction[],
  after: Message,
  evidence: Evidence,
): void {
  const mine = ownReactionIds(stateOf(context), after.conversationId ?? undefined);
  const misattributed = sent
    .filter(({ name, by }) => by.length > 0 && ![sent, before].some((list) => hasMine(list, { name, mine })))
    .map(({ name }) => name)
    .filter((name) => hasMine(after.reactions, { name, mine }));
  if (misattributed.length > 0) {
    learnCapability(context, 'ownReactionsOnly', true, putSource);
    showNotice(context, 'error', aboutLoss(after.id), misattributedText(misattributed));
    return;
  }
  if (!areAllNamed(before) || !areAllNamed(after.reactions)) return;
  if (countOthers(sent, mine) > 0 && lostFrom(sent, after.reactions).length === 0)
    learnCapability(context, 'ownReactionsOnly', false, putSource);
  // A server that accepts only the user's own reactions shows its rule only on those.
  const { rule: known, sendsOwnOnly } = serverPolicy(context).reactions;
  const rule = observedRule(sendsOwnOnly ? ownOf(before, mine) : before, sent, after.reactions, mine);
  const isProven = evidence === 'change' || (rule !== 'add' && (evidence === 'restoring' || known === undefined));
  if (rule !== null && isProven) learnCapability(context, 'reactionRule', rule, putSource);
}

const misattributedText = (names: readonly string[]): string =>
  `This server counts every reaction that is sent as yours: ${names.join(', ')} is listed under your name now. From now on only yours are sent.`;

/** The rule that one change shows; null when it would have looked the same under several rules. Pure. */
export function observedRule(
  before: readonly Reaction[],
  sent: readonly Reaction[],
  after: readonly Reaction[],
  mine: readonly string[],
): ReactionRule | null {
  if (isDoubled(before, after)) return 'append';
  const gone = lostFrom(before, after);
  const unsent = lostFrom(before, sent);
  if (lostFrom(gone, unsent).length > 0) return 'toggle';
  if (sent.length === 0) return null;
  // A name with an empty value takes back the user's own reaction of that name, which shows nothing about the others.
  const cleared = sent.filter(({ by }) => by.length === 0).map(({ name }) => ({ name, by: mine }));
  const untouched = lostFrom(unsent, cleared);
  if (lostFrom(untouched, after).length > 0) return 'replace';
  return untouched.length > 0 && lostFrom(sent, after).length === 0 ? 'add' : null;
}

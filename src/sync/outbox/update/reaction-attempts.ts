/**
 * Sends one body of reactions after the other until the message shows the user's reaction as wished. Learns from each
 * answer how this server treats reactions, and restores what it should not have taken.
 */
import { areTold } from '../../../protocol/reactions.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { notify } from '../../services/notices.ts';
import { learnCapability } from '../../services/observed-capabilities.ts';
import { apiError } from '../../services/request.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import type { Services } from '../../services/services.ts';
import { dropBeforeImage } from '../safe-put/before-image.ts';
import { putMessage, sendsWholeMessage } from '../safe-put/put-message.ts';
import {
  countOthers,
  hasMine,
  isAchieved,
  misattributed,
  ownOf,
  type ReactionWish,
} from '../safe-put/reaction-lists.ts';
import {
  learnPutRule,
  learnWhose,
  putUntilEqual,
  targetOf,
  textMayBeRefused,
  unrecoverableLoss,
} from '../safe-put/restore-message.ts';
import { effectOf, namesNobody, observedRule, requestBodies, target } from './reaction-strategy.ts';

const source = 'PUT /v1/messages/:id';

/** Each attempt may teach what the next one has to be. */
const maxAttempts = 5;

export interface Tried {
  /** The message as it is now; null when it is gone. */
  readonly now: Message | null;
  /** Why the reaction is not as wished; null when it is. */
  readonly refusal: string | null;
  /** All reactions that were sent in these attempts. */
  readonly sent: readonly Reaction[];
}

export async function tryBodies(context: Services, before: Message, wish: ReactionWish): Promise<Tried> {
  const tried = new Set<string>();
  const sent: Reaction[] = [];
  let now = before;
  let problem: string | null = null;
  // The server has refused a body with other people's reactions: the user's alone may be what it takes.
  let wereOthersRefused = false;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const loss = unrecoverableLoss(context, now, wish.mine);
    if (loss !== null) return { now, refusal: loss, sent };
    const body: readonly Reaction[] | undefined = bodiesFor(context, now, wish, wereOthersRefused).find(
      (one) => !tried.has(JSON.stringify(one)),
    );
    if (body === undefined) break;
    tried.add(JSON.stringify(body));
    const result: Sent = await sendBody(context, now, body, wish);
    if ('refusal' in result) {
      problem = result.refusal;
      wereOthersRefused ||= countOthers(body, wish.mine) > 0;
      continue;
    }
    if (result.message === null) return { now: null, refusal: null, sent };
    sent.push(...result.sent);
    if (wereOthersRefused && countOthers(result.sent, wish.mine) === 0)
      learnCapability(context, 'ownReactionsOnly', true, source);
    now = result.message;
    if (isAchieved(before.reactions, now.reactions, wish)) return { now, refusal: null, sent };
    // The server only counts reactions now: another body could take away what it does not name.
    if (!areTold(now.reactions)) break;
  }
  return { now, refusal: notTaken(wish, problem), sent };
}

const notTaken = ({ present }: ReactionWish, problem: string | null): string =>
  `This server did not ${present ? 'take the reaction' : 'take the reaction back'}.${problem === null ? '' : ` It said: ${problem}`}`;

/**
 * While nobody knows how this server writes people, the bodies are repeated with each string that may stand for the
 * user first. `wereOthersRefused`: the bodies with the user's reactions alone are tried as well.
 */
function bodiesFor(
  context: Services,
  { reactions }: Message,
  wish: ReactionWish,
  wereOthersRefused: boolean,
): readonly (readonly Reaction[])[] {
  const policy = serverPolicy(context).reactions;
  const orders = policy.triesBothNames ? wish.mine.map((_, at) => rotated(wish.mine, at)) : [wish.mine];
  const bodies = (sendsOwnOnly: boolean) =>
    orders.flatMap((mine) => requestBodies(reactions, { ...wish, mine }, { ...policy, sendsOwnOnly }));
  return [...bodies(policy.sendsOwnOnly), ...(wereOthersRefused ? bodies(true) : [])];
}

const rotated = (list: readonly string[], by: number): readonly string[] => [...list.slice(by), ...list.slice(0, by)];

/** The message after the body was sent, null when it is gone, or what the server said when it refused the body. */
type Sent = { readonly message: Message | null; readonly sent: readonly Reaction[] } | { readonly refusal: string };

async function sendBody(
  context: Services,
  before: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<Sent> {
  try {
    if (sendsWholeMessage(context)) {
      const wanted = targetOf(context, before, targetWith(before, wish, body));
      return { message: await putUntilEqual(context, wanted, before, false), sent: wanted.reactions };
    }
    const after = await putMessage(context, before, { reactions: body });
    return after === null ? { message: null, sent: body } : await learnAndRestore(context, before, after, body, wish);
  } catch (error) {
    const failure = apiError(error);
    if (failure.kind !== 'forbidden' && failure.kind !== 'invalid' && !failure.bodySaysNo) throw error;
    // A server that drops what is not sent has forbidden the body, and its text was not the cause: it is believed that
    // other people's reactions were, so that they are not put at risk again.
    const isTelling = sendsWholeMessage(context) && failure.kind === 'forbidden' && !textMayBeRefused(context, before);
    if (isTelling && countOthers(body, wish.mine) > 0) learnCapability(context, 'ownReactionsOnly', true, source);
    return { refusal: failure.facts.message };
  }
}

/** All reactions that the message is to have, with the user written as in the body. */
function targetWith(before: Message, wish: ReactionWish, body: readonly Reaction[]): readonly Reaction[] {
  const own = body.flatMap(({ by }) => by).find((one) => wish.mine.includes(one));
  return target(before.reactions, own === undefined ? wish : { ...wish, mine: [own, ...wish.mine] });
}

async function learnAndRestore(
  context: Services,
  before: Message,
  after: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<Sent> {
  learnPutRule(context, before, after, { reactions: body });
  learnEmptyValue(context, before, after, body, wish);
  const isOwnOnly = learnWhose(context, before, after, body);
  const rule = learnRule(context, before, after, body, wish, isOwnOnly);
  const wanted = targetWith(before, wish, body);
  if (sendsWholeMessage(context)) {
    const message = await putUntilEqual(context, targetOf(context, before, wanted), after, true);
    return { message, sent: [...body, ...wanted] };
  }
  const effect = effectOf(before.reactions, after.reactions, wish);
  // Where the server only counts reactions, those that seem to be missing may be among the counted ones.
  const lost = areTold(after.reactions) ? [...effect.lost, ...effect.lostOwn] : [];
  if (lost.length === 0) {
    dropBeforeImage(context, before.id);
    return { message: after, sent: body };
  }
  const whole = rule === 'toggle' ? lost : wanted;
  // A server that took other people's reactions away has replaced them by what was sent, so it may take them back too.
  const back = isOwnOnly && effect.lost.length === 0 ? ownOf(whole, wish.mine) : whole;
  const message = await putMessage(context, after, { reactions: back });
  dropBeforeImage(context, before.id);
  const sent = [...body, ...back];
  if (message !== null) learnWhose(context, before, message, sent);
  return { message, sent };
}

/**
 * Learns the rule from what the body did, and returns what was seen; null when it tells nothing. A server that counts
 * every string as the caller's shows no rule, and one that takes own reactions only shows it on those alone.
 */
function learnRule(
  context: Services,
  { reactions }: Message,
  after: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
  isOwnOnly: boolean,
): ReturnType<typeof observedRule> {
  if (!areTold(after.reactions) || misattributed(reactions, after.reactions, body, wish.mine).length > 0) return null;
  const compared = isOwnOnly ? ownOf(reactions, wish.mine) : reactions;
  const rule = observedRule(compared, body, effectOf(reactions, after.reactions, wish), wish);
  if (rule !== null) learnCapability(context, 'reactionRule', rule, source);
  return rule;
}

/** Learns what became of a name that was sent with an empty value; where it was kept, the user is told. */
function learnEmptyValue(
  context: Services,
  before: Message,
  after: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): void {
  if (!namesNobody(body)) return;
  if ((after.blankReactions ?? 0) > (before.blankReactions ?? 0)) {
    learnCapability(context, 'emptyReaction', 'a string', source);
    notify(context, 'error', `kept ${before.id}`, emptyKept);
  } else if (!hasMine(after.reactions, wish)) learnCapability(context, 'emptyReaction', 'nobody', source);
}

const emptyKept =
  'This server keeps an empty reaction that was sent to take yours back. It stays on that message; none is sent again.';

/** Adds or takes back the user's reaction on one message; refuses where others could lose theirs by it (R-REACT). */
import type { ApiError } from '../../../api/errors.ts';
import { areAllNamed } from '../../../protocol/reactions.ts';
import { putsOthersAtRisk, type ServerPolicy } from '../../../protocol/server-policy.ts';
import { isOfAnotherTime } from '../../../protocol/time.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { isOwn, ownReactionIds } from '../../../state/local/identity.ts';
import type { OpAction } from '../../../state/model/app-state.ts';
import { type Outcome, rejected } from '../../op/outcome.ts';
import { apiError } from '../../services/request.ts';
import { learnCapability, serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { changeMessage, retrieveRepaired } from '../safe-put/change-message.ts';
import { putSource } from '../safe-put/learn-from-put.ts';
import { countOthers, hasMine, type ReactionWish } from '../safe-put/message-diff.ts';
import { isRefusal } from '../safe-put/put-message.ts';
import { bodiesFor } from './reaction-policy.ts';
import { settledAlone, settledGone, settledWith } from './update-message.ts';

type ReactAction = Extract<OpAction, { kind: 'message.react' }>;

/**
 * Reads the message, tries what the policy for this server allows, and settles with the message as it is afterwards.
 *
 * @throws ApiError when the outcome of a request is not known
 */
export async function reactToMessage(context: Services, action: ReactAction): Promise<Outcome> {
  const before = await retrieveRepaired(context, action);
  const { conversationId, createdAt = null } = action;
  if (before === null) return notFound(context, action);
  // The message is gone, and its id is that of another one, which is left alone.
  if (isOfAnotherTime(createdAt, before.createdAt)) return action.present ? rejected(gone) : settledAlone(context);
  const others = stringsOfOthers(before, ownReactionIds(stateOf(context), conversationId));
  learnReactionAuthors(context, others, 'GET /v1/messages/:id');
  // The string to send comes first, which may just have been learned.
  const mine = ownReactionIds(stateOf(context), conversationId);
  if (mine.length === 0)
    return rejected('Nobody knows yet who you are on this server: send a message first, then react.');
  const wish = { name: action.name, present: action.present, mine };
  return hasMine(before.reactions, wish) === wish.present
    ? settledWith(context, conversationId, before)
    : tryBodies(context, action, before, wish);
}

/** A reaction that is to be taken back is gone with its message. */
const notFound = (context: Services, { present, conversationId, messageId }: ReactAction): Outcome =>
  present ? rejected(gone) : settledGone(context, conversationId, messageId);

const gone = 'The server does not find this message, so nobody has got the reaction.';

/** Each answer may show another body that this server could accept; after this many attempts no other is tried. */
const maxAttempts = 5;

async function tryBodies(
  context: Services,
  action: ReactAction,
  before: Message,
  wish: ReactionWish,
): Promise<Outcome> {
  const { contacts } = stateOf(context).cache;
  const circumstances = {
    isConfirmed: action.confirmed,
    isOwnMessage: isOwn(before, stateOf(context)),
    people: new Set([...wish.mine, ...[...contacts].flatMap(([id, { username }]) => [id, username ?? id])]),
  };
  const tried = new Set<string>();
  const spelled = new Set<string>();
  let now = before;
  let problem: ApiError | null = null;
  // The server has refused a body with other people's reactions. It may accept one with only the user's.
  let wereOthersRefused = false;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const policy = wereOthersRefused ? withOwnOnly(serverPolicy(context)) : serverPolicy(context);
    const plan = bodiesFor(policy, now, wish, circumstances);
    if ('refusal' in plan) return problem === null ? rejected(plan.refusal) : notTaken(wish, problem);
    const keyOf = (body: unknown): string => JSON.stringify([policy.reactions.rule, now.reactions, body]);
    const reactions = plan.bodies.find((body) => !tried.has(keyOf(body)));
    if (reactions === undefined) break;
    tried.add(keyOf(reactions));
    for (const by of ownUnder(reactions, wish)) spelled.add(by);
    try {
      const after = await changeMessage(context, now, { reactions }, { text: null, wish });
      if (after === null) return notFound(context, action);
      if (wereOthersRefused) learnCapability(context, 'ownReactionsOnly', true, putSource);
      now = after;
    } catch (error) {
      const failure = apiError(error);
      if (!isRefusal(failure)) throw failure;
      problem = failure;
      wereOthersRefused ||= countOthers(reactions, wish.mine) > 0;
    }
    if (isAchieved(now, wish)) {
      learnReactionAuthors(context, chosenByServer(ownUnder(now.reactions, wish), spelled), putSource);
      return settledWith(context, action.conversationId, now);
    }
  }
  return notTaken(wish, problem);
}

const withOwnOnly = (policy: ServerPolicy): ServerPolicy => ({
  ...policy,
  reactions: {
    ...policy.reactions,
    sendsOwnOnly: true,
    asksBeforeRisk: putsOthersAtRisk(policy.reactions.rule, true),
  },
});

/** A server that names nobody is trusted to have added the reaction that it accepted. None is ever removed there. */
const isAchieved = ({ reactions }: Message, wish: ReactionWish): boolean =>
  hasMine(reactions, wish) === wish.present || (wish.present && !areAllNamed(reactions));

function notTaken({ present }: ReactionWish, problem: ApiError | null): Outcome {
  const what = `This server did not ${present ? 'take the reaction' : 'take the reaction back'}.`;
  return rejected(problem === null ? what : `${what} It said: ${problem.facts.message}`, problem);
}

const ownUnder = (reactions: readonly Reaction[], { name, mine }: ReactionWish): readonly string[] =>
  reactions.flatMap((one) => (one.name === name ? one.by.filter((by) => mine.includes(by)) : []));

/** Many servers keep whatever they are sent, so that a string of the user may say nothing of how they name people. */
const stringsOfOthers = ({ reactions }: Message, mine: readonly string[]): readonly string[] =>
  (mine.length === 0 ? [] : reactions).flatMap(({ by }) => by.filter((one) => !mine.includes(one)));

/** The strings of the user that are no echo: another one was sent and not taken, or this one was never sent. */
const chosenByServer = (shown: readonly string[], spelled: ReadonlySet<string>): readonly string[] =>
  spelled.size > 1 ? shown : shown.filter((by) => !spelled.has(by));

/** Learns whether this server names people by id or by username in reactions, from strings that can be only one of them. */
function learnReactionAuthors(context: Services, strings: readonly string[], from: string): void {
  if (!serverPolicy(context).reactions.triesBothNames) return;
  const { contacts } = stateOf(context).cache;
  const names = new Set([...contacts.values()].map(({ username }) => username));
  const isId = strings.some((by) => contacts.has(by) && !names.has(by));
  const isName = strings.some((by) => names.has(by) && !contacts.has(by));
  if (isId !== isName) learnCapability(context, 'reactionAuthors', isId ? 'id' : 'username', from);
}

/**
 * Adds or takes back the user's reaction on one message, and refuses where others could lose theirs by it (R-REACT).
 */
import { areTold } from '../../../protocol/reactions.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { ownReactionIds } from '../../../state/local/identity.ts';
import { isOwn } from '../../../state/local/outbox.ts';
import type { OpAction } from '../../../state/model/app-state.ts';
import { cutMessageText, unnamedReactorsText } from '../../../state/select/reactions.ts';
import { type Outcome, refused } from '../../op/outcome.ts';
import { notify } from '../../services/notices.ts';
import { learnCapability } from '../../services/observed-capabilities.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { pendingRepairOf } from '../safe-put/before-image.ts';
import { countOthers, hasMine, misattributed } from '../safe-put/reaction-lists.ts';
import { learnWhose, retrieveRepaired, unwantedReactionsText } from '../safe-put/restore-message.ts';
import { tryBodies } from './reaction-attempts.ts';
import { settledGone, settledWith } from './update-message.ts';

export type ReactAction = Extract<OpAction, { kind: 'message.react' }>;

/**
 * Reads the message, tries what the policy for this server allows, and settles with the message as it is afterwards.
 *
 * @throws ApiError when it is not known what became of a request
 */
export async function reactToMessage(context: Services, action: ReactAction): Promise<Outcome> {
  const broken = pendingRepairOf(context, action.messageId);
  const before = await retrieveRepaired(context, action);
  if (before === null) return settledGone(context, action.conversationId, action.messageId);
  learnAlphabet(context, before.reactions);
  const mine = ownReactionIds(stateOf(context), action.conversationId);
  if (mine.length === 0)
    return refused('Nobody knows yet who you are on this server: send a message first, then react.');
  const wish = { name: action.name, present: action.present, mine };
  const sentBefore = broken?.sent.reactions ?? [];
  const unwished = misattributed(broken?.reactions ?? [], before.reactions, sentBefore, mine);
  if (broken !== null) learnWhose(context, broken, before, sentBefore);
  if (hasMine(before.reactions, wish) === wish.present) return finish(context, action, before, unwished);
  const refusal = refusalBefore(context, action, before, mine);
  if (refusal !== null) return refused(refusal);
  const tried = await tryBodies(context, before, wish);
  const own = [...unwished, ...misattributed(before.reactions, tried.now?.reactions ?? [], tried.sent, mine)];
  if (tried.refusal === null) return finish(context, action, tried.now, own);
  if (tried.now !== null) await takeBack(context, tried.now, own, mine);
  return refused(tried.refusal);
}

/** Why nothing is sent at all; null when something may be. */
function refusalBefore(
  context: Services,
  { confirmed }: ReactAction,
  before: Message,
  mine: readonly string[],
): string | null {
  if (before.isCut === true) return cutMessageText;
  if (!areTold(before.reactions) || areByPerson(context, before.reactions, mine)) return unnamedReactorsText;
  if (confirmed) return null;
  const { reactions, putMessage } = serverPolicy(context);
  const others = countOthers(before.reactions, mine);
  if (others > 0 && reactions.asksBeforeRisk && !putMessage.sendsWholeMessage) return unknownRule(others);
  const files = isOwn(before, stateOf(context)) ? 0 : before.attachments.length;
  return files > 0 && putMessage.asksBeforeRisk ? unknownPut(files) : null;
}

const unknownRule = (others: number): string =>
  `How this server treats reactions is not known yet: yours may replace ${others} of other people. React again to confirm.`;

const unknownPut = (files: number): string =>
  `Whether this server keeps the files of a message when a reaction is sent is not known yet: ${files} of somebody else may go. React again to confirm.`;

/** Settles with the message as it is once the user's unwanted reactions are taken back. `now`: null when it is gone. */
async function finish(
  context: Services,
  action: ReactAction,
  now: Message | null,
  unwished: readonly string[],
): Promise<Outcome> {
  const mine = ownReactionIds(stateOf(context), action.conversationId);
  const last = now === null ? null : await takeBack(context, now, unwished, mine);
  if (last === null) return settledGone(context, action.conversationId, action.messageId);
  return settledWith(context, action.conversationId, last);
}

/**
 * Takes back the reactions that the server put down in the user's name when it was sent other people's.
 *
 * @returns the message afterwards; null when it is gone
 */
async function takeBack(
  context: Services,
  message: Message,
  unwished: readonly string[],
  mine: readonly string[],
): Promise<Message | null> {
  let now = message;
  for (const name of unwished) {
    const tried = await tryBodies(context, now, { name, present: false, mine });
    if (tried.now === null) return null;
    now = tried.now;
  }
  const { reactions } = now;
  const left = unwished.filter((name) => hasMine(reactions, { name, mine }));
  if (left.length > 0) notify(context, 'error', `kept ${message.id}`, unwantedReactionsText(left));
  return now;
}

/**
 * The server lists `{person: [names]}` where the API document has `{name: [people]}`. What is written as the document
 * has it could take away the reactions of everybody else there.
 */
function areByPerson(context: Services, reactions: readonly Reaction[], mine: readonly string[]): boolean {
  const { contacts } = stateOf(context).cache;
  const people = new Set([...mine, ...[...contacts].flatMap(([id, { username }]) => [id, username])]);
  const isPerson = (one: string): boolean => people.has(one);
  return reactions.some(({ name }) => isPerson(name)) && !reactions.some(({ by }) => by.some(isPerson));
}

/**
 * Strings that the contacts know as ids only, or as usernames only, tell how this server writes people in reactions.
 */
function learnAlphabet(context: Services, reactions: readonly Reaction[]): void {
  if (!serverPolicy(context).reactions.triesBothNames) return;
  const { cache } = stateOf(context);
  const strings = reactions.flatMap((reaction) => reaction.by);
  const names = new Set([...cache.contacts.values()].map((contact) => contact.username));
  const isId = strings.some((by) => cache.contacts.has(by) && !names.has(by));
  const isName = strings.some((by) => names.has(by) && !cache.contacts.has(by));
  if (isId !== isName) learnCapability(context, 'reactionAlphabet', isId ? 'id' : 'username', 'GET /v1/messages/:id');
}

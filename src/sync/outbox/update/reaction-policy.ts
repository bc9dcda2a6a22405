/**
 * Chooses the reactions to send so that the user's own is added or removed and nobody else's changes: one policy for each
 * rule that servers apply to the reactions of a PUT, or the reason to send none (R-REACT). Pure.
 */
import { isSendableReactionName } from '../../../protocol/fields.ts';
import { areAllNamed } from '../../../protocol/reactions.ts';
import type { ReactionRule, ServerPolicy } from '../../../protocol/server-policy.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import {
  cutMessageText,
  unnamedReactorsText,
  unsendableReactionText,
  unsentOfOthers,
} from '../../../state/select/reactions.ts';
import { unrecoverableLoss } from '../safe-put/change-message.ts';
import { countOthers, ownOf, type ReactionWish, withWish } from '../safe-put/message-diff.ts';

type Body = readonly Reaction[];

/** The bodies that a policy chooses from. Those that may not be sent on this message are absent from their list. */
interface Bodies {
  /** All reactions that the message should have; only the user's where those of other people may not be sent. */
  readonly whole: Body;
  /** The user's string under the name, and nothing else. */
  readonly own: Body;
  /** The name with an empty value, which takes back the caller's own on our server. */
  readonly emptyName: Body;
  readonly hasOthers: boolean;
}

interface ReactionPolicy {
  /** The bodies to try, best first; the answer to each one decides whether the next is needed. */
  readonly give: (bodies: Bodies) => readonly Body[];
  readonly takeBack: (bodies: Bodies) => readonly Body[];
}

const policies: Readonly<Record<ReactionRule | 'own-only' | 'unknown', ReactionPolicy>> = {
  // The reactions that are sent replace all earlier ones.
  replace: { give: ({ whole }) => [whole], takeBack: ({ whole }) => [whole] },
  // Reactions that are sent are added once. The user's own comes first: if that removes it, no empty value is left behind.
  add: { give: ({ own }) => [own], takeBack: ({ own, emptyName }) => [own, emptyName] },
  // Reactions that are sent are added even if they are there already, so the user's own cannot be removed by sending it again.
  append: { give: ({ own }) => [own], takeBack: ({ emptyName }) => [emptyName] },
  // A reaction that is sent and already there is removed.
  toggle: { give: ({ own }) => [own], takeBack: ({ own }) => [own] },
  // Where other people's may not be sent, they cannot be replaced either.
  'own-only': { give: ({ own }) => [own], takeBack: ({ whole, own, emptyName }) => [whole, own, emptyName] },
  // The body that is right under `replace` comes first, because only that rule takes away what is not sent.
  unknown: {
    give: ({ whole, own, hasOthers }) => (hasOthers ? [whole, own] : [own]),
    takeBack: ({ whole, own, emptyName }) => [whole, own, emptyName],
  },
};

export interface Circumstances {
  /** The user was asked and accepts that reactions of other people may be lost. */
  readonly isConfirmed: boolean;
  readonly isOwnMessage: boolean;
  /** The user names and ids of all known people. */
  readonly people: ReadonlySet<string>;
}

/** The bodies to try, best first, or why nothing is sent. */
export function bodiesFor(
  policy: ServerPolicy,
  message: Message,
  wish: ReactionWish,
  circumstances: Circumstances,
): { readonly bodies: readonly Body[] } | { readonly refusal: string } {
  const refusal = refusalOf(policy, message, wish, circumstances);
  if (refusal !== null) return { refusal };
  const { rule, sendsOwnOnly, triesBothNames } = policy.reactions;
  const { give, takeBack } = policies[rule ?? (sendsOwnOnly ? 'own-only' : 'unknown')];
  const hasOthers = countOthers(message.reactions, wish.mine) > 0;
  // Several spellings are tried only where no reaction of another person can be lost.
  const spellings = triesBothNames && !hasOthers ? wish.mine : wish.mine.slice(0, 1);
  const bodies = spellings.flatMap((own) => {
    const mine = [own, ...wish.mine.filter((one) => one !== own)];
    return (wish.present ? give : takeBack)(bodiesOf(message.reactions, { ...wish, mine }, sendsOwnOnly));
  });
  return { bodies };
}

function bodiesOf(reactions: Body, wish: ReactionWish, sendsOwnOnly: boolean): Bodies {
  const { name, mine } = wish;
  const hasOthers = countOthers(reactions, mine) > 0;
  const wanted = withWish(reactions, wish);
  // The string under which the server lists the user's reaction, to take it back.
  const listed = ownOf(reactions, mine).find((one) => one.name === name)?.by ?? [];
  return {
    whole: sendsOwnOnly ? ownOf(wanted, mine) : wanted,
    own: [{ name, by: [...(wish.present ? [] : listed), ...mine].slice(0, 1) }],
    emptyName: [{ name, by: [] }],
    hasOthers: hasOthers && !sendsOwnOnly,
  };
}

function refusalOf(
  policy: ServerPolicy,
  message: Message,
  wish: ReactionWish,
  { isConfirmed, isOwnMessage, people }: Circumstances,
): string | null {
  const { reactions, putMessage: rule } = policy;
  if (message.isCut === true) return cutMessageText;
  if (!areAllNamed(message.reactions) || areByPerson(message.reactions, people)) return unnamedReactorsText;
  if (mayReplace(policy) && withWish(message.reactions, wish).some(({ name }) => !isSendableReactionName(name)))
    return unsendableReactionText;
  const { mine } = wish;
  const loss = unrecoverableLoss(policy, message, mine);
  if (loss !== null || isConfirmed) return loss;
  const others = countOthers(message.reactions, mine);
  if (others > 0 && reactions.asksBeforeRisk && rule.reactions !== 'dropped')
    return `How this server treats reactions is not known yet: yours may replace ${others} of other people. React again to confirm.`;
  const atStake = isOwnMessage ? null : unsentOfOthers(rule, message);
  if (atStake === null) return null;
  return `Whether this server keeps the ${atStake} of a message when a reaction is sent is not known yet, and this one is somebody else's. React again to confirm.`;
}

/** Whether reactions that are not sent may be removed. */
const mayReplace = ({ reactions: { rule } }: ServerPolicy): boolean => rule === undefined || rule === 'replace';

/** Whether the server lists `{person: [names]}` instead of §2.4. A change as in the document could remove all reactions. */
function areByPerson(reactions: readonly Reaction[], people: ReadonlySet<string>): boolean {
  const hasPeople = reactions.some(({ by }) => by.some((one) => people.has(one)));
  return !hasPeople && reactions.some(({ name }) => people.has(name));
}

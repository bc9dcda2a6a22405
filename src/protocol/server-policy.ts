/**
 * How to talk to one server, decided from what was observed of it. Pure. This is the one place where a capability
 * becomes a decision, except for those about paging, which `api/paging` reads itself. What was not observed yet is
 * decided so that nothing that belongs to other people can be lost.
 */
import type { CapabilityValues, ServerCapabilities } from './capabilities.ts';
import type { TimeFormat } from './types.ts';

export type ReactionRule = CapabilityValues['reactionRule'];
export type ClearingValue = '' | 'null' | '0';

/**
 * What becomes of a field that a change does not name. `dropped`: it is sent with every change. `unknown`: the user is
 * asked before other people's are at stake.
 */
export type OmittedField = CapabilityValues['omittedText'] | 'unknown';

/** Each field by itself: what becomes of one says nothing of another (server-differences: Changes in general). */
export interface MessagePutPolicy {
  readonly text: OmittedField;
  readonly reactions: OmittedField;
  readonly files: OmittedField;
  /** Files that are there already are never sent: this server would add them once more. */
  readonly appendsFiles: boolean;
}

export interface ConversationPutPolicy {
  /** Every change sends all four settings together, because this server resets those that are not sent. */
  readonly sendsAllSettings: boolean;
  /** The answer to a change of one setting shows whether this server resets the others; nobody knows yet. */
  readonly learnsFromAnswer: boolean;
}

export interface ReactionPolicy {
  /** What PUT does with the reactions that it is sent; undefined until it was observed. */
  readonly rule: ReactionRule | undefined;
  /** The user is asked before a reaction is sent to a message that has other people's. */
  readonly asksBeforeRisk: boolean;
  /** Only the user's own reactions are sent: this server refuses other people's, or takes them for the user's. */
  readonly sendsOwnOnly: boolean;
  /** How the user is written under a reaction name. */
  readonly writesUserAs: 'username' | 'id';
  /** Not observed yet: id and username are both tried, on messages to which nobody else has reacted. */
  readonly triesBothNames: boolean;
}

export interface ClearPolicy {
  /** The values of `archived_at` to try, in this order, to take a conversation out of the archive. */
  readonly archivedAt: readonly ClearingValue[];
  /** The values of `pinned_message_id` to try, in this order, to unpin the message. */
  readonly pinnedMessageId: readonly Exclude<ClearingValue, '0'>[];
}

export interface TextPolicy {
  /** The server escapes HTML in what it is sent: a text that it shows is sent back without the escapes. */
  readonly unescapesShownText: boolean;
  /** The server changes texts in a way that cannot be foreseen: a sent message may be shown with any text. */
  readonly mayShowAnyText: boolean;
}

export interface ServerPolicy {
  readonly putMessage: MessagePutPolicy;
  readonly putConversation: ConversationPutPolicy;
  readonly reactions: ReactionPolicy;
  readonly clear: ClearPolicy;
  readonly textOnWire: TextPolicy;
  /** How a time is written where the object that it belongs to shows none. */
  readonly timeFormat: TimeFormat;
  /** The conversation list begins with the one that was active last, so that its newest page shows what changed. */
  readonly listsActiveConversationsFirst: boolean;
  /** The server gives only the oldest messages of a long conversation. */
  readonly leavesOutNewestMessages: boolean;
  /** The server is asked to answer when there is news: always, or now and then, to see whether it can by now. */
  readonly asksToWait: 'always' | 'at first' | 'rarely';
}

const decided = new WeakMap<ServerCapabilities, ServerPolicy>();

/** Decided once for each observation: it is asked for several times on the way of a write. */
export function policyOf(observed: ServerCapabilities): ServerPolicy {
  const known = decided.get(observed);
  if (known !== undefined) return known;
  const policy = decide(observed);
  decided.set(observed, policy);
  return policy;
}

function decide(observed: ServerCapabilities): ServerPolicy {
  return {
    putMessage: {
      text: observed.omittedText?.value ?? 'unknown',
      reactions: observed.omittedReactions?.value ?? 'unknown',
      files: observed.omittedFiles?.value ?? 'unknown',
      appendsFiles: observed.appendsFiles?.value === true,
    },
    putConversation: {
      sendsAllSettings: observed.conversationPutRule?.value === 'full-replace',
      learnsFromAnswer: observed.conversationPutRule === undefined,
    },
    reactions: reactionPolicyOf(observed),
    clear: {
      archivedAt: clearingValues(observed.clearArchivedAt?.value, ['', 'null', '0']),
      pinnedMessageId: clearingValues(observed.clearPinnedMessage?.value, ['', 'null']),
    },
    textOnWire: {
      unescapesShownText: observed.textChange?.value === 'escape',
      mayShowAnyText: observed.textChange?.value === 'unknown',
    },
    timeFormat: observed.timeFormat?.value ?? { kind: 'number', unit: 's' },
    listsActiveConversationsFirst: observed.conversationOrder?.value === 'newest-first',
    leavesOutNewestMessages:
      observed.messageOrder?.value === 'oldest-first' && observed.messagePaging?.value.kind === 'none',
    asksToWait: asksToWait(observed.waitsForNews?.value),
  };
}

function asksToWait(waits: boolean | undefined): ServerPolicy['asksToWait'] {
  if (waits === undefined) return 'at first';
  return waits ? 'always' : 'rarely';
}

/** Where a reaction replaces the others, those of other people stay only if the server takes them with it. */
export const putsOthersAtRisk = (rule: ReactionRule | undefined, ownOnly: boolean | undefined): boolean =>
  rule === undefined || (rule === 'replace' && ownOnly !== false);

function reactionPolicyOf(observed: ServerCapabilities): ReactionPolicy {
  const [rule, ownOnly] = [observed.reactionRule?.value, observed.ownReactionsOnly?.value];
  return {
    rule,
    asksBeforeRisk: putsOthersAtRisk(rule, ownOnly),
    sendsOwnOnly: ownOnly === true,
    writesUserAs: observed.reactionAuthors?.value ?? 'username',
    triesBothNames: observed.reactionAuthors === undefined,
  };
}

/** First the value that was seen to clear the field. The others follow, as the field may have been clear before. */
const clearingValues = <T extends ClearingValue>(seen: T | null | undefined, all: readonly T[]): readonly T[] =>
  seen === undefined || seen === null ? all : [seen, ...all.filter((value) => value !== seen)];

/**
 * Reactions as they are shown: one chip for each name, with its count and whether the user is among them, and who
 * reacted. Also what forbids a change of them, or puts other parts of the message at risk.
 */
import { countOf } from '../../protocol/reactions.ts';
import type { MessagePutPolicy } from '../../protocol/server-policy.ts';
import type { Contact, ContactId, Message, Reaction } from '../../protocol/types.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { memoLast } from '../collections/memo.ts';
import type { AppState } from '../model/app-state.ts';
import { selectContactName } from './names.ts';

export interface ReactionChip {
  /** Raw: an emoji, a short name, or anything else that the server took. */
  readonly name: string;
  readonly count: number;
  readonly isMine: boolean;
}

/** The refusal where a change would overwrite reactions whose authors the server does not name. */
export const unnamedReactorsText =
  'This server does not name everybody who reacted here: the reactions of this message cannot be changed from here.';

/** The refusal where a change would overwrite a reaction that could not be put back, as its name cannot be sent. */
export const unsendableReactionText =
  'A reaction here has a name that cannot be sent: the reactions of this message cannot be changed from here.';

/** The refusal where the cache holds a part of a message only: a change would delete the rest. */
export const cutMessageText =
  'This message has more reactions or attachments than are kept here: it cannot be changed from here.';

/**
 * The part of somebody else's message that the request for a reaction leaves out, where it is not known whether the
 * server keeps it then; null when there is none.
 */
export function unsentOfOthers({ text, files }: MessagePutPolicy, message: Message): 'text' | 'files' | null {
  // Only its author may put back a text.
  if (message.text !== '' && text === 'unknown') return 'text';
  return message.attachments.length > 0 && files === 'unknown' ? 'files' : null;
}

const none: readonly ReactionChip[] = [];

/** @param mine see `ownReactionIds`; an empty string among reactors is the user, while those ids are not known */
export function reactionChips(message: Message, mine: readonly string[]): readonly ReactionChip[] {
  if (message.reactions.length === 0) return none;
  return message.reactions
    .filter(({ name }) => name !== '')
    .map((reaction) => ({
      name: reaction.name,
      count: countOf(reaction),
      isMine: reaction.by.some((one) => one === '' || mine.includes(one)),
    }));
}

const mostNames = 200;

/**
 * `You, Ann and 2 more`: the people that the server names, then the number of those that it only counts. The server names
 * people by ids or user names, which are looked up in the contact book.
 */
export function reactorNames(state: AppState, reaction: Reaction, mine: readonly string[]): SafeText {
  const { by, unnamed = 0 } = reaction;
  const isMine = (one: string): boolean => one === '' || mine.includes(one);
  const others = by.filter((one) => !isMine(one));
  const named = others.slice(0, mostNames).map((one) => nameOf(state, one));
  const names = by.some(isMine) ? [literal('You'), ...named] : named;
  const more = unnamed + others.length - named.length;
  const listed = names.reduce((text, name) => (text === '' ? name : safe`${text}, ${name}`), literal(''));
  if (more === 0) return listed;
  return listed === '' ? safe`${more} not named by the server` : safe`${listed} and ${more} more`;
}

function nameOf(state: AppState, one: string): SafeText {
  const { contacts } = state.cache;
  const id = contacts.has(one) ? one : byUsername(contacts).get(one);
  return id === undefined ? sanitizeName(one) : selectContactName(state, id, null);
}

const byUsername = memoLast((contacts: ReadonlyMap<ContactId, Contact>): ReadonlyMap<string, ContactId> => {
  const ids = new Map<string, ContactId>();
  for (const { id, username } of contacts.values()) if (username !== null) ids.set(username, id);
  return ids;
});

/** Reactions as they are shown: one chip a name, with its count and whether the user is among them. */
import { countOf } from '../../protocol/reactions.ts';
import type { MessagePutPolicy } from '../../protocol/server-policy.ts';
import type { Message } from '../../protocol/types.ts';

export interface ReactionChip {
  /** Raw: an emoji, a short name, or anything else that the server took. */
  readonly name: string;
  readonly count: number;
  readonly isMine: boolean;
}

/** The refusal where a change would overwrite reactions whose authors the server does not name. */
export const unnamedReactorsText =
  'This server does not name everybody who reacted here: the reactions of this message cannot be changed from here.';

/** The refusal where the cache holds a part of a message only: a change would delete the rest. */
export const cutMessageText =
  'This message has more reactions or attachments than are kept here: it cannot be changed from here.';

/** What a reaction does not name of somebody else's message while nobody knows whether it is kept; null when nothing. */
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

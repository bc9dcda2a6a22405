/** Reactions as they are shown: one chip a name, with its count and whether the user is among them. */
import { countOf } from '../../protocol/reactions.ts';
import type { Message } from '../../protocol/types.ts';

export interface ReactionChip {
  /** Raw: an emoji, a short name, or anything else that the server took. */
  readonly name: string;
  readonly count: number;
  readonly isMine: boolean;
}

/** What is said where a change would write over reactions of people whom nobody can name. */
export const untoldReactions =
  'This server does not name everybody who reacted here: the reactions of this message cannot be changed from here.';

/** What is said where a message has more than is kept here, as a change that sends what is kept would delete the rest. */
export const cutMessage =
  'This message has more reactions or attachments than are kept here: it cannot be changed from here.';

const none: readonly ReactionChip[] = [];

/** `mine`: the user's own strings (`ownStrings`); an empty string stands for the user while those are not known. */
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

/** Reactions as they are shown: one chip a name, with its count and whether the user is among them. */
import type { Message } from '../protocol/types.ts';

export interface ReactionChip {
  /** Raw: an emoji, a short name, or anything else that the server took. */
  readonly name: string;
  readonly count: number;
  readonly isMine: boolean;
}

const none: readonly ReactionChip[] = [];

/** `mine`: the user's own strings (`ownStrings`); an empty string stands for the user while those are not known. */
export function reactionChips(message: Message, mine: readonly string[]): readonly ReactionChip[] {
  if (message.reactions.length === 0) return none;
  return message.reactions.map(({ name, by }) => ({
    name,
    count: by.length,
    isMine: by.some((one) => one === '' || mine.includes(one)),
  }));
}

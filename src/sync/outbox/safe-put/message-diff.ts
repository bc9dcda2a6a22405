/** Compares a message before and after a change: what was lost, and who gave its reactions. Pure. */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import type { CapabilityValues } from '../../../protocol/capabilities.ts';
import { areAllNamed, countOf } from '../../../protocol/reactions.ts';
import { compareText } from '../../../protocol/same-text.ts';
import type { Attachment, Message, Reaction } from '../../../protocol/types.ts';

export type Content = Pick<Message, 'text' | 'reactions' | 'attachments'>;

export type OmittedFields = Partial<
  Record<'omittedText' | 'omittedReactions' | 'omittedFiles', CapabilityValues['omittedText']>
>;

/**
 * What became of each field that was not sent. A field that was empty before shows nothing, and what happened to one field
 * says nothing about the others.
 */
export function observedOmitted(before: Content, sent: UpdateMessageParameters, after: Content): OmittedFields {
  const isFileLost = missingFiles(before.attachments, after.attachments).length > 0;
  return {
    ...(sent.message === undefined && before.text !== '' ? { omittedText: kept(after.text !== '') } : {}),
    ...(sent.reactions === undefined && before.reactions.length > 0
      ? { omittedReactions: kept(after.reactions.length > 0) }
      : {}),
    ...(sent.attachments === undefined && before.attachments.length > 0 ? { omittedFiles: kept(!isFileLost) } : {}),
  };
}

const kept = (isKept: boolean): CapabilityValues['omittedText'] => (isKept ? 'kept' : 'dropped');

/** Whether files that were there, or were to be put back, have come once more. */
export const areFilesAppended = (before: Content, { attachments: sent }: UpdateMessageParameters, after: Content) =>
  sent !== undefined && after.attachments.length > Math.max(sent.length, before.attachments.length);

export interface Loss {
  /** The text is gone, or HTML in it was escaped once more. */
  readonly hasText: boolean;
  readonly files: number;
  readonly reactions: number;
}

/** The parts of `wanted` that are missing in `now`; null when nothing is missing. */
export function lossOf(wanted: Content, now: Content): Loss | null {
  const hasText = isTextLost(wanted.text, now.text);
  const files = missingFiles(wanted.attachments, now.attachments).length;
  const reactions = countLost(wanted.reactions, now.reactions);
  return hasText || files + reactions > 0 ? { hasText, files, reactions } : null;
}

export const isTextLost = (wanted: string, now: string): boolean =>
  wanted !== '' && (now === '' || compareText(wanted, now) === 'escaped');

export function lossText({ hasText, files, reactions }: Loss): string {
  const parts = [
    hasText ? ' its text' : '',
    files > 0 ? ` ${counted(files, 'file')}` : '',
    reactions > 0 ? ` ${counted(reactions, 'reaction')}` : '',
  ];
  const list = parts.filter((part) => part !== '').join(',');
  return `This server drops what is not sent with a change, and did not accept it when it was sent again. The message has lost${list}.`;
}

/** `1 file`, `2 files`. */
export const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

/** The files of `before` that are not in `now`. */
export const missingFiles = (before: readonly Attachment[], now: readonly Attachment[]): readonly Attachment[] =>
  before.filter((file) => !hasFile(now, file));

/** A file is identified by its id, else by all its fields. */
const hasFile = (files: readonly Attachment[], wanted: Attachment): boolean =>
  files.some((file) => keyOfFile(file) === keyOfFile(wanted));

const keyOfFile = ({ fields }: Attachment): string => String(fields.id ?? JSON.stringify(fields));

type Reactions = readonly Reaction[];

export interface ReactionWish {
  readonly name: string;
  /** Whether the user's reaction is to be there afterwards. */
  readonly present: boolean;
  /** The strings that name the user; the first one is sent. */
  readonly mine: readonly string[];
}

export const hasMine = (reactions: Reactions, { name, mine }: Pick<ReactionWish, 'name' | 'mine'>): boolean =>
  reactions.some((reaction) => reaction.name === name && reaction.by.some((by) => mine.includes(by)));

/** The number of other people's reactions; one that the server only counts is taken for theirs. */
export const countOthers = (reactions: Reactions, mine: readonly string[]): number =>
  reactions.reduce(
    (sum, reaction) => sum + countOf(reaction) - reaction.by.filter((by) => mine.includes(by)).length,
    0,
  );

/** The named reactions for which `keep` is true. */
const filtered = (reactions: Reactions, keep: (name: string, by: string) => boolean): Reactions =>
  reactions
    .map(({ name, by }) => ({ name, by: by.filter((one) => keep(name, one)) }))
    .filter(({ by }) => by.length > 0);

export const ownOf = (reactions: Reactions, mine: readonly string[]): Reactions =>
  filtered(reactions, (_, by) => mine.includes(by));

/** The reactions of all lists, each person once under each name, without those whose people the server does not name. */
export function unionOf(...lists: readonly Reactions[]): Reactions {
  const all = lists.flat().filter(({ by }) => by.length > 0);
  return [...new Set(all.map(({ name }) => name))].map((name) => ({
    name,
    by: [...new Set(all.flatMap((one) => (one.name === name ? one.by : [])))],
  }));
}

/** All named reactions of the message with the user's added or taken out. */
export function withWish(reactions: Reactions, { name, present, mine }: ReactionWish): Reactions {
  if (!present) return filtered(unionOf(reactions), (one, by) => one !== name || !mine.includes(by));
  return hasMine(reactions, { name, mine }) ? unionOf(reactions) : unionOf(reactions, [{ name, by: mine.slice(0, 1) }]);
}

/** One string for each pair of a reaction name and a person. */
const pairsOf = (reactions: Reactions): ReadonlySet<string> =>
  new Set(reactions.flatMap(({ name, by }) => by.map((one) => pairOf(name, one))));

const pairOf = (name: string, by: string): string => JSON.stringify([name, by]);

/** The reactions of `before` that are not in `now`. */
export function lostFrom(before: Reactions, now: Reactions): Reactions {
  const present = pairsOf(now);
  return filtered(before, (name, by) => !present.has(pairOf(name, by)));
}

/** The number of reactions that are missing. Where the server does not name the people, only the loss of all is seen. */
function countLost(before: Reactions, now: Reactions): number {
  if (!areAllNamed(before)) return now.length === 0 ? countOthers(before, []) : 0;
  return areAllNamed(now) ? pairsOf(lostFrom(before, now)).size : 0;
}

/** Whether a string is listed more often than before: the server has appended what was sent to what was there. */
export const isDoubled = (before: Reactions, after: Reactions): boolean =>
  after.some(({ name, repeats = 0 }) => repeats > (before.find((held) => held.name === name)?.repeats ?? 0));

export const areSameReactions = (a: Reactions, b: Reactions): boolean =>
  areAllNamed(a) && areAllNamed(b) && countLost(a, b) + countLost(b, a) === 0 && !isDoubled(a, b);

/** What a message is to become, and how it differs from that. Pure. */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { areTold, countOf } from '../../../protocol/reactions.ts';
import { normaliseText } from '../../../protocol/same-text.ts';
import type { Attachment, Message, Reaction } from '../../../protocol/types.ts';
import { countNamed, isDoubled } from './reaction-lists.ts';

/** The state that a message is to have after one or more PUTs. */
export interface TargetMessage extends Pick<Message, 'id' | 'reactions' | 'attachments'> {
  /** The text that is sent. */
  readonly text: string;
  /** The text that the message must show then; null when any text but an empty one will do. */
  readonly expectedText: string | null;
  /** The reactions before the change: one of these that is wanted and missing in the end is told as a loss. */
  readonly previously: readonly Reaction[];
}

export type Content = Pick<Message, 'text' | 'reactions' | 'attachments'>;

/** Whether a field that was not sent has lost its content. */
export function hasDropped(before: Content, after: Content, sent: UpdateMessageParameters): boolean {
  return (
    (sent.message === undefined && before.text !== '' && after.text === '') ||
    (sent.attachments === undefined && lostFiles(before.attachments, after.attachments) > 0) ||
    (sent.reactions === undefined && before.reactions.length > 0 && after.reactions.length === 0)
  );
}

export function equalsTarget(wanted: TargetMessage, now: Message): boolean {
  return (
    isText(wanted, now) &&
    lostFiles(wanted.attachments, now.attachments) === 0 &&
    areSameReactions(wanted.reactions, now.reactions)
  );
}

export const isText = ({ expectedText }: TargetMessage, now: Message): boolean =>
  expectedText === null ? now.text !== '' : normaliseText(expectedText) === normaliseText(now.text);

/** What the message has lost, as a sentence for the user; null when nothing is missing. */
export function difference(wanted: TargetMessage, now: Message): string | null {
  const files = lostFiles(wanted.attachments, now.attachments);
  const reactions = countLost(wantedFromBefore(wanted), now.reactions);
  const text = isText(wanted, now) ? '' : ' its text';
  const parts = [text, files > 0 ? ` ${files} files` : '', reactions > 0 ? ` ${reactions} reactions` : ''];
  const list = parts.filter((part) => part !== '').join(',');
  return list === ''
    ? null
    : `This server drops what is not sent with a change, and did not take it back. The message has lost${list}.`;
}

/** The wanted reactions without those that the change itself was to add. */
function wantedFromBefore({ reactions, previously }: TargetMessage): readonly Reaction[] {
  if (!areTold(previously) || !areTold(reactions)) return reactions;
  const before = new Set(stringsOf(previously));
  return reactions.map(({ name, by }) => ({ name, by: by.filter((one) => before.has(keyOfString(name, one))) }));
}

/** The number of files that are missing. A file is identified by its id, else by all its fields. */
function lostFiles(before: readonly Attachment[], after: readonly Attachment[]): number {
  return missing(before.map(keyOfFile), after.map(keyOfFile)).length;
}

export const keyOfFile = ({ fields }: Attachment): string => String(fields.id ?? JSON.stringify(fields));

/** The reactions that can be sent: those whose people are named, without the number of the others. */
export const namedOnly = (reactions: readonly Reaction[]): readonly Reaction[] =>
  reactions.filter(({ by }) => by.length > 0).map(({ untold: _, ...named }) => named);

/** The number of reactions that are missing; compared by name and number where the server does not name the people. */
function countLost(before: readonly Reaction[], now: readonly Reaction[]): number {
  if (areTold(before) && areTold(now)) return missing(stringsOf(before), stringsOf(now)).length;
  return before.reduce((sum, one) => sum + Math.max(0, countOf(one) - countNamed(now, one.name)), 0);
}

function areSameReactions(a: readonly Reaction[], b: readonly Reaction[]): boolean {
  if (!areTold(a) || !areTold(b)) return countLost(a, b) === 0;
  const [wanted, held] = [stringsOf(a), stringsOf(b)];
  return !isDoubled([], b) && wanted.length === held.length && missing(wanted, held).length === 0;
}

/** One string for each pair of a reaction name and a person. */
export const stringsOf = (reactions: readonly Reaction[]): readonly string[] =>
  reactions.flatMap(({ name, by }) => by.map((one) => keyOfString(name, one)));

const keyOfString = (name: string, by: string): string => JSON.stringify([name, by]);

/** The entries of `wanted` that are not in `held`. */
export function missing(wanted: readonly string[], held: readonly string[]): readonly string[] {
  const present = new Set(held);
  return wanted.filter((one) => !present.has(one));
}

/** The reactions of both lists, each person once under each name. */
export function unionOf(before: readonly Reaction[], now: readonly Reaction[]): readonly Reaction[] {
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].map((name) => {
    const both = [...before, ...now].filter((one) => one.name === name);
    const untold = Math.max(...both.map((one) => one.untold ?? 0));
    return { name, by: [...new Set(both.flatMap(({ by }) => by))], ...(untold > 0 ? { untold } : {}) };
  });
}

/** The reactions of `before` that are not in `now`. */
export function lostReactions(before: readonly Reaction[], now: readonly Reaction[]): readonly Reaction[] {
  const held = new Set(stringsOf(now));
  return before
    .map(({ name, by }) => ({ name, by: by.filter((one) => !held.has(keyOfString(name, one))) }))
    .filter(({ by }) => by.length > 0);
}

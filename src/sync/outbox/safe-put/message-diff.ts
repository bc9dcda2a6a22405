/** What a message is to be, and what it lacks of that; pure. */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { areTold, countOf } from '../../../protocol/reactions.ts';
import { normaliseText } from '../../../protocol/same-text.ts';
import type { Attachment, Message, Reaction } from '../../../protocol/types.ts';
import { countNamed, isDoubled } from './reaction-lists.ts';

/** The message as it is to be. */
export interface TargetMessage extends Pick<Message, 'id' | 'reactions' | 'attachments'> {
  /** What is sent. */
  readonly text: string;
  /** How the message must read then; null: what the server makes of the text is its own affair. */
  readonly expectedText: string | null;
  /** What it had before: one of these that is wanted and not there in the end is a loss. */
  readonly previously: readonly Reaction[];
}

export type Content = Pick<Message, 'text' | 'reactions' | 'attachments'>;

/** Fields that were not sent are gone. */
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

export const isText = ({ expectedText: reads }: TargetMessage, now: Message): boolean =>
  reads === null ? now.text !== '' : normaliseText(reads) === normaliseText(now.text);

export function difference(wanted: TargetMessage, now: Message): string | null {
  const files = lostFiles(wanted.attachments, now.attachments);
  const reactions = countLost(heldBefore(wanted), now.reactions);
  const text = isText(wanted, now) ? '' : ' its text';
  const parts = [text, files > 0 ? ` ${files} files` : '', reactions > 0 ? ` ${reactions} reactions` : ''];
  const list = parts.filter((part) => part !== '').join(',');
  return list === ''
    ? null
    : `This server drops what is not sent with a change, and did not take it back. The message has lost${list}.`;
}

function heldBefore({ reactions, previously: had }: TargetMessage): readonly Reaction[] {
  if (!areTold(had) || !areTold(reactions)) return reactions;
  const before = new Set(stringsOf(had));
  return reactions.map(({ name, by }) => ({ name, by: by.filter((one) => before.has(keyOfString(name, one))) }));
}

/** Files are known by their id, else by all that is said of them. */
function lostFiles(before: readonly Attachment[], after: readonly Attachment[]): number {
  return missing(before.map(keyOfFile), after.map(keyOfFile)).length;
}

export const keyOfFile = ({ fields }: Attachment): string => String(fields.id ?? JSON.stringify(fields));

/** What may be sent: no string that is not told stands for anybody. */
export const namedOnly = (reactions: readonly Reaction[]): readonly Reaction[] =>
  reactions.filter(({ by }) => by.length > 0).map(({ untold: _, ...named }) => named);

/** By name and number where it is not told whose they are. */
function countLost(before: readonly Reaction[], now: readonly Reaction[]): number {
  if (areTold(before) && areTold(now)) return missing(stringsOf(before), stringsOf(now)).length;
  return before.reduce((sum, one) => sum + Math.max(0, countOf(one) - countNamed(now, one.name)), 0);
}

function areSameReactions(a: readonly Reaction[], b: readonly Reaction[]): boolean {
  if (!areTold(a) || !areTold(b)) return countLost(a, b) === 0;
  const [wanted, held] = [stringsOf(a), stringsOf(b)];
  return !isDoubled([], b) && wanted.length === held.length && missing(wanted, held).length === 0;
}

export const stringsOf = (reactions: readonly Reaction[]): readonly string[] =>
  reactions.flatMap(({ name, by }) => by.map((one) => keyOfString(name, one)));

const keyOfString = (name: string, by: string): string => JSON.stringify([name, by]);

export function missing(wanted: readonly string[], held: readonly string[]): readonly string[] {
  const present = new Set(held);
  return wanted.filter((one) => !present.has(one));
}

export function unionOf(before: readonly Reaction[], now: readonly Reaction[]): readonly Reaction[] {
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].map((name) => {
    const both = [...before, ...now].filter((one) => one.name === name);
    const untold = Math.max(...both.map((one) => one.untold ?? 0));
    return { name, by: [...new Set(both.flatMap(({ by }) => by))], ...(untold > 0 ? { untold } : {}) };
  });
}

export function lostReactions(before: readonly Reaction[], now: readonly Reaction[]): readonly Reaction[] {
  const held = new Set(stringsOf(now));
  return before
    .map(({ name, by }) => ({ name, by: by.filter((one) => !held.has(keyOfString(name, one))) }))
    .filter(({ by }) => by.length > 0);
}

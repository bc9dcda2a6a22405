/** What a change of a message has taken from it. Pure. */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import type { CapabilityValues } from '../../../protocol/capabilities.ts';
import { compareText } from '../../../protocol/same-text.ts';
import type { Attachment, Message } from '../../../protocol/types.ts';
import { countLost } from './reaction-lists.ts';

type PutRule = CapabilityValues['putRule'];

export type Content = Pick<Message, 'text' | 'reactions' | 'attachments'>;

/** What the fields that were not sent show; null when they were empty before. */
export function observedPutRule(before: Content, sent: UpdateMessageParameters, after: Content): PutRule | null {
  const isGone = [
    ...(sent.message === undefined && before.text !== '' ? [after.text === ''] : []),
    ...(sent.attachments === undefined ? before.attachments.map((file) => !hasFile(after.attachments, file)) : []),
    ...(sent.reactions === undefined && before.reactions.length > 0 ? [after.reactions.length === 0] : []),
  ];
  return isGone.length === 0 ? null : isGone.includes(true) ? 'full-replace' : 'partial';
}

export interface Loss {
  /** The text is gone, or HTML in it was escaped once more. */
  readonly hasText: boolean;
  readonly files: number;
  readonly reactions: number;
}

/** What of `wanted` is missing in `now`; null when nothing is. */
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
    files > 0 ? ` ${files} files` : '',
    reactions > 0 ? ` ${reactions} reactions` : '',
  ];
  const list = parts.filter((part) => part !== '').join(',');
  return `This server drops what is not sent with a change, and did not take it back. The message has lost${list}.`;
}

/** The files of `before` that are not in `now`. */
export const missingFiles = (before: readonly Attachment[], now: readonly Attachment[]): readonly Attachment[] =>
  before.filter((file) => !hasFile(now, file));

/** A file is identified by its id, else by all its fields. */
const hasFile = (files: readonly Attachment[], wanted: Attachment): boolean =>
  files.some((file) => keyOfFile(file) === keyOfFile(wanted));

const keyOfFile = ({ fields }: Attachment): string => String(fields.id ?? JSON.stringify(fields));

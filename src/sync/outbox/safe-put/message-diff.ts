/** What a change of a message has taken from it. Pure. */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { compareText } from '../../../protocol/same-text.ts';
import type { Attachment, Message } from '../../../protocol/types.ts';
import { countLost } from './reaction-lists.ts';

export type Content = Pick<Message, 'text' | 'reactions' | 'attachments'>;

/** Whether a field that was not sent has lost its content. */
export function hasDropped(before: Content, after: Content, sent: UpdateMessageParameters): boolean {
  return (
    (sent.message === undefined && before.text !== '' && after.text === '') ||
    (sent.attachments === undefined && missingFiles(before.attachments, after.attachments).length > 0) ||
    (sent.reactions === undefined && before.reactions.length > 0 && after.reactions.length === 0)
  );
}

export interface Loss {
  /** The text is gone, or HTML in it was escaped once more. */
  readonly hasText: boolean;
  readonly files: number;
  readonly reactions: number;
}

/** What of `wanted` is missing in `now`; null when nothing is. */
export function lossOf(wanted: Content, now: Content): Loss | null {
  const hasText = wanted.text !== '' && (now.text === '' || compareText(wanted.text, now.text) === 'escaped');
  const files = missingFiles(wanted.attachments, now.attachments).length;
  const reactions = countLost(wanted.reactions, now.reactions);
  return hasText || files + reactions > 0 ? { hasText, files, reactions } : null;
}

export function lossText({ hasText, files, reactions }: Loss): string {
  const parts = [
    hasText ? ' its text' : '',
    files > 0 ? ` ${files} files` : '',
    reactions > 0 ? ` ${reactions} reactions` : '',
  ];
  const list = parts.filter((part) => part !== '').join(',');
  return `This server drops what is not sent with a change, and did not take it back. The message has lost${list}.`;
}

/** The files of `before` that are not in `now`. A file is identified by its id, else by all its fields. */
export function missingFiles(before: readonly Attachment[], now: readonly Attachment[]): readonly Attachment[] {
  const held = new Set(now.map(keyOfFile));
  return before.filter((file) => !held.has(keyOfFile(file)));
}

const keyOfFile = ({ fields }: Attachment): string => String(fields.id ?? JSON.stringify(fields));

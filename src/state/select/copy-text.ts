/** What goes to the clipboard: never more than what may be shown (R-CLIP). */

import { sanitizeBody } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import { clockTime, dateLabel } from '../../text/time.ts';
import type { ThreadItem } from './thread-items.ts';
import { textOf } from './thread-items.ts';

export interface Copy {
  readonly text: SafeText;
}

/** Bytes of UTF-8; they make 64 KB of base64, more than which terminals drop without a word. */
export const copyLimit = 48 * 1024;

/** Null when it is longer than a terminal takes: half of a text would be worse than none. */
export function copyOf(raw: string): Copy | null {
  return raw.length > copyLimit ? null : fitting(sanitizeBody(raw));
}

/** With a line above that says who wrote it and when. */
export function quotableCopyOf(item: ThreadItem, now: number): Copy | null {
  const copy = copyOf(textOf(item));
  return copy === null ? null : fitting(safe`${headOf(item, now)}\n${copy.text}`);
}

const headOf = ({ authorName, createdAt }: ThreadItem, now: number): SafeText =>
  createdAt === null
    ? safe`${authorName}:`
    : safe`${authorName}, ${dateLabel(createdAt, now)}, ${clockTime(createdAt)}:`;

const fitting = (text: SafeText): Copy | null => (Buffer.byteLength(text) > copyLimit ? null : { text });

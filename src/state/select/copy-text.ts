/** Texts for the clipboard, sanitised like those on the screen (R-CLIP). */

import { sanitizeBody } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { clockTime, dateLabel } from '../../text/time.ts';
import { withWholeAm } from '../../text/unicode/cluster-rules.ts';
import type { ThreadItem } from './thread-items.ts';
import { textOf } from './thread-items.ts';

export interface Copy {
  readonly text: SafeText;
}

/** In bytes of UTF-8. They make 64 KB of base64; terminals silently drop longer ones. */
export const copyLimit = 48 * 1024;

/** Null when the text is too long for a terminal: half of it would be worse than none. */
export function copyOf(raw: string): Copy | null {
  return raw.length > copyLimit ? null : fitting(withWholeAm(sanitizeBody(raw)));
}

/** The texts, each below a line that names its author and time. */
export function quotableCopyOf(items: readonly ThreadItem[], now: number): Copy | null {
  let whole = literal('');
  for (const item of items) {
    const copy = copyOf(textOf(item));
    if (copy === null || whole.length > copyLimit) return null;
    whole = safe`${whole}${whole === '' ? literal('') : literal('\n\n')}${headOf(item, now)}\n${copy.text}`;
  }
  return fitting(whole);
}

const headOf = ({ authorName, createdAt }: ThreadItem, now: number): SafeText =>
  createdAt === null
    ? safe`${authorName}:`
    : safe`${authorName}, ${dateLabel(createdAt, now)}, ${clockTime(createdAt)}:`;

const fitting = (text: SafeText): Copy | null => (Buffer.byteLength(text) > copyLimit ? null : { text });

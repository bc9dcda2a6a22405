/**
 * Draws one attachment of a message as a chip: its name, size, type and host. A click asks before it opens the address.
 */

import type { Attachment, MessageId } from '../protocol/types.ts';
import { parseUrl } from '../protocol/web-address.ts';
import { type Span, span, type Target } from '../text/layout/row.ts';
import { sanitizeName } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { truncate, width } from '../text/unicode/width.ts';
import type { Look } from './frame.ts';

/** The columns of a name beside which the size is still shown; type and host are left out before it is. */
const enoughForName = 24;

/** Returns the chip, such as `📎 poster.png (120 kB, image/png, files.example)`. */
export function attachmentChip(
  attachment: Attachment,
  columns: number,
  { signs, theme }: Look,
  messageId: MessageId,
): Span {
  const { url } = attachment;
  const name = sanitizeName(attachment.label);
  const room = columns - width(signs.attachment) - 1;
  const facts = factsOf(attachment, room - Math.min(enoughForName, width(name)));
  const shown = truncate(name, Math.max(1, room - width(facts)), signs.ellipsis);
  const text = safe`${signs.attachment} ${shown}${facts}`;
  const target: Target | undefined = url === null ? undefined : { kind: 'link', messageId, address: url };
  return span(truncate(text, columns, signs.ellipsis), theme.chip, target);
}

/** The columns of a chip without type and host; those of a long name are cut. */
export function leastColumns({ label, size }: Attachment, { signs }: Look): number {
  const facts = listed([size === null ? null : bytes(size)]);
  return width(signs.attachment) + 1 + Math.min(enoughForName, width(sanitizeName(label))) + width(facts);
}

/** As many facts as the columns hold; the host is shown rather than the type, which a name often says too. */
function factsOf({ label, size, mediaType, url }: Attachment, columns: number): SafeText {
  const host = url === null ? null : hostOf(url);
  const bySize = size === null ? null : bytes(size);
  const byType = mediaType === null ? null : sanitizeName(mediaType);
  const byHost = host === null || host === label ? null : sanitizeName(host);
  const all = listed([bySize, byType, byHost]);
  const choices = [all, listed([bySize, byHost]), listed([bySize])];
  return choices.find((facts) => width(facts) <= columns) ?? choices[2] ?? all;
}

function listed(facts: readonly (SafeText | null)[]): SafeText {
  const [first, ...more] = facts.filter((fact) => fact !== null);
  if (first === undefined) return literal('');
  return safe` (${more.reduce((all, fact) => safe`${all}, ${fact}`, first)})`;
}

/** The host in Punycode, so that look-alike letters show. */
const hostOf = (url: string): string | null => parseUrl(url)?.host || null;

function bytes(size: number): SafeText {
  if (size < 1000) return safe`${size} B`;
  // From here on the kilobytes would be rounded to 1000.
  if (size < 999_500) return safe`${Math.round(size / 1000)} kB`;
  return safe`${Math.round(size / 100_000) / 10} MB`;
}

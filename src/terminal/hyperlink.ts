/**
 * Writes links that the terminal itself opens (OSC 8): https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda.
 * They are made of the targets of spans alone; text never holds a control sequence.
 */

import { hashOf } from '../text/hash.ts';
import type { Target } from '../text/layout/row.ts';
import { openableHref } from '../text/links.ts';

export const hyperlinkEnd = '\x1b]8;;\x1b\\';

/** The most characters of an address: GNU screen draws the part of such a sequence after its first 768 bytes. */
const longestAddress = 700;

const sequences = new WeakMap<Target, string>();

/** @returns the sequence before the text of the link; '' for what is no http or https address, or has a password in it */
export function hyperlinkStart(target: Target | undefined): string {
  if (target === undefined || (target.kind !== 'link' && target.kind !== 'address')) return '';
  const known = sequences.get(target);
  if (known !== undefined) return known;
  const href = openable(target.address);
  // The same id tells the terminal that the rows of a broken link are one link.
  const about = target.kind === 'link' ? target.messageId : '';
  const sequence = href === null ? '' : `\x1b]8;id=${hashOf(about + href).toString(36)};${href}\x1b\\`;
  sequences.set(target, sequence);
  return sequence;
}

function openable(address: string): string | null {
  if (address.length > longestAddress) return null;
  const href = openableHref(address);
  // The parser has encoded everything else.
  return href !== null && /^[\x21-\x7e]+$/.test(href) && href.length <= longestAddress ? href : null;
}

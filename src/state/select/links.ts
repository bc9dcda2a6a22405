/** The addresses of a message that may be opened (R-LINK). */
import type { Attachment } from '../../protocol/types.ts';
import { findLinks, openableHref } from '../../text/links.ts';
import { sanitizeBody, sanitizeLine, sanitizeName } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import type { LinkAddress, Links } from '../model/links.ts';

const longestAddress = 4096;
const mostTargets = 50;

interface Address {
  readonly address: string;
  /** The name of the attachment that has the address; null for an address in the text. */
  readonly label: string | null;
}

/** @param raw the shown part of the text of a message */
export function linksIn(raw: string, attachments: readonly Attachment[]): Links {
  const text = sanitizeBody(raw);
  return linksOf([
    ...findLinks(text).map(({ start, end }) => ({ address: text.slice(start, end), label: null })),
    ...attachments.flatMap(({ url, label }) => (url === null ? [] : [{ address: url, label }])),
  ]);
}

export function linksOf(addresses: readonly Address[]): Links {
  const found = new Map<string, LinkAddress>();
  let refused = 0;
  for (const { address, label } of addresses) {
    const href = address.length > longestAddress ? null : openableHref(address);
    if (href === null) refused++;
    else if (!found.has(href) && found.size < mostTargets) found.set(href, { href, shown: shownAs(href, label) });
  }
  return { addresses: [...found.values()], refused };
}

function shownAs(href: string, label: string | null): SafeText {
  const address = sanitizeLine(href);
  return label === null ? address : safe`${sanitizeName(label)}: ${address}`;
}

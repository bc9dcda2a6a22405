/** Finds web addresses in text, for drawing them and for opening them. */
import { parseUrl, webAddress } from '../protocol/web-address.ts';

export interface LinkRange {
  /** UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

const address = /https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uff0f\uff1a-\uff1f\u2400-\u2424\u27e6\u27e7]+/giu;
const maxUnits = 2048;
const brackets = ['()', '[]', '{}'];

/** `http` and `https` addresses from left to right, without the punctuation of the sentence around them. */
export function findLinks(text: string): readonly LinkRange[] {
  if (!text.includes('://')) return [];
  const links: LinkRange[] = [];
  for (const { index, 0: match } of text.matchAll(address)) {
    const before = text[index - 1];
    if (before !== undefined && /[\p{L}\p{N}_]/u.test(before)) continue;
    const length = match.length > maxUnits ? 0 : trimmedLength(match);
    if (length > match.indexOf('://') + 3) links.push({ start: index, end: index + length });
  }
  return links;
}

/** Whether an address may be opened with a click; anything else stays text. */
export const isOpenable = (address: string): boolean =>
  /^(?:https?:\/\/|mailto:)[^\s\p{C}]+$/iu.test(address) && address.length <= maxUnits && parseUrl(address) !== null;

/** The address as a browser gets it; null where it must not be opened: other schemes, and those with a password. */
export const openableHref = (address: string): string | null => webAddress(address)?.href ?? null;

/** Drops punctuation and markers at the end, and closing brackets that were opened outside of the address. */
function trimmedLength(link: string): number {
  const surplus = new Map(brackets.map(([open = '', close = '']) => [close, count(link, close) - count(link, open)]));
  let end = link.length;
  while (end > 0) {
    const last = link[end - 1] ?? '';
    const unopened = surplus.get(last) ?? 0;
    if (unopened <= 0 && !'.,;:!?*_~|…'.includes(last)) break;
    surplus.set(last, unopened - 1);
    end--;
  }
  return end;
}

const count = (text: string, character: string): number => text.split(character).length - 1;

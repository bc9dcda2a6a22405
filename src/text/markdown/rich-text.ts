/** Makes text with marks from the tokens of a paragraph. Text that no token accounts for is shown as it was typed. */
import type { Token } from 'markdown-it';
import { findLinks } from '../links.ts';
import { sanitizeBody } from '../safe/sanitize.ts';
import type { SafeText } from '../safe-text.ts';
import type { Mark, RichText, Stretch } from './blocks.ts';
import type { Destination } from './inline-rules.ts';

const markOf: Readonly<Record<string, Mark>> = { strong: 'bold', em: 'italic', s: 'strike', spoiler: 'spoiler' };

/** What has been drawn so far, and how much of the source it represents. */
interface Writing {
  text: string;
  read: number;
  readonly stretches: Stretch[];
  marks: readonly Mark[];
  href: string | null;
  linkStart: number;
}

/** @param tokens null for a text that was not parsed */
export function richText(source: SafeText, tokens: readonly Token[] | null, imageSign: SafeText): RichText {
  if (tokens === null) return plainText(source);
  const writing: Writing = { text: '', read: 0, stretches: [], marks: [], href: null, linkStart: 0 };
  for (const [index, token] of tokens.entries()) {
    if (!readToken(writing, source, token, tokens[index + 1], imageSign)) return plainText(source);
  }
  // Characters that were apart may form a new one where a marker was between them.
  if (writing.read !== source.length || sanitizeBody(writing.text) !== writing.text) return plainText(source);
  return { text: writing.text as SafeText, stretches: withAddresses(writing.text, writing.stretches) };
}

/** After the marker of a list or a quote, a mark may have lost the letter that it stood on. */
function plainText(source: SafeText): RichText {
  const text = sanitizeBody(source);
  return { text, stretches: withAddresses(text, [{ start: 0, end: text.length, marks: [], href: null }]) };
}

/** Returns false where the token differs from the source. */
function readToken(
  writing: Writing,
  source: string,
  token: Token,
  next: Token | undefined,
  imageSign: SafeText,
): boolean {
  const { type, content, markup } = token;
  const mark = markOf[type.replace(/_(?:open|close)$/, '')];
  if (type === 'text') {
    const isImage = next?.type === 'link_open' && content.endsWith('!');
    write(writing, isImage ? content.slice(0, -1) : content);
    if (isImage) writeAs(writing, `${imageSign} `, 'host');
    return reads(writing, source, content);
  }
  if (type === 'code_inline') {
    const isSpaced = /^ .*[^ ].* $/s.test(content);
    writeAs(writing, isSpaced ? content.slice(1, -1) : content, 'code');
    return reads(writing, source, markup + content + markup);
  }
  if (type === 'link_open') return openLink(writing, source, token.meta as Destination);
  if (type === 'link_close') return closeLink(writing, token.meta as Destination);
  if (mark === undefined) return content === '';
  writing.marks = token.nesting > 0 ? [...writing.marks, mark] : writing.marks.slice(0, -1);
  return reads(writing, source, markup);
}

function reads(writing: Writing, source: string, text: string): boolean {
  const isThere = source.startsWith(text, writing.read);
  writing.read += text.length;
  return isThere;
}

function write(writing: Writing, text: string): void {
  if (text === '') return;
  const { marks, href, stretches } = writing;
  const last = stretches.at(-1);
  const goesOn = last !== undefined && last.marks === marks && last.href === href;
  const start = goesOn ? last.start : writing.text.length;
  if (goesOn) stretches.pop();
  writing.text += text;
  stretches.push({ start, end: writing.text.length, marks, href });
}

function writeAs(writing: Writing, text: string, mark: Mark): void {
  const { marks } = writing;
  writing.marks = [...marks, mark];
  write(writing, text);
  writing.marks = marks;
}

function openLink(writing: Writing, source: string, { href }: Destination): boolean {
  writing.href = href;
  writing.linkStart = writing.text.length;
  return reads(writing, source, '[');
}

/** Adds the host that the link really leads to, unless the text is the address. */
function closeLink(writing: Writing, { href, title, end }: Destination): boolean {
  const label = writing.text.slice(writing.linkStart).trim();
  const isAddress = sameAddress(label, href);
  writing.href = null;
  if (!isAddress || title !== '') {
    const notes = [...(isAddress ? [] : [hostOf(href)]), ...(title === '' ? [] : [title])];
    writeAs(writing, ` (${notes.join(', ').replaceAll('\n', ' ')})`, 'host');
  }
  writing.read = end;
  return true;
}

const sameAddress = (label: string, href: string): boolean => bare(label) === bare(href);
const bare = (address: string): string => address.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');

/** The host as it is looked up: letters of other scripts are in Punycode. */
export function hostOf(href: string): string {
  const { protocol, host, pathname } = new URL(href);
  const name = protocol === 'mailto:' ? pathname : host;
  return name.replace(/[^\x21-\x7e]/g, '?');
}

/** Addresses in the text become links, as they do in text without markup; none continues past a marker. */
function withAddresses(text: string, stretches: readonly Stretch[]): readonly Stretch[] {
  if (!text.includes('://')) return stretches;
  return stretches.flatMap((stretch) => {
    if (stretch.href !== null || stretch.marks.includes('host')) return [stretch];
    const parts: Stretch[] = [];
    let at = stretch.start;
    for (const found of findLinks(text.slice(stretch.start, stretch.end))) {
      const start = stretch.start + found.start;
      const end = stretch.start + found.end;
      if (start > at) parts.push({ ...stretch, start: at, end: start });
      parts.push({ ...stretch, start, end, href: text.slice(start, end) });
      at = end;
    }
    if (at < stretch.end) parts.push({ ...stretch, start: at });
    return parts;
  });
}

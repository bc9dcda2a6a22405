/**
 * The form of a quoted reply, which every client shows as a quote: `> ann wrote:`, then the beginning of the message, each
 * line after `> `, and `> …` where it goes on.
 */
import { cleanInput, sanitizeName } from '../../text/safe/sanitize.ts';
import type { Quote } from '../model/history.ts';
import { snap } from './draft.ts';

const quotedLines = 3;
const quotedLength = 300;
const more = '…';
const heading = /^> (.{1,200}) wrote:$/;

/** @param author the name that others know the author by; null where it is not known */
const quoteLines = (author: string | null, text: string): string =>
  [`${shownAuthor(author)} wrote:`, ...quotedText(text).split('\n')].map(quoted).join('\n');

/** The quote with words below it. An empty line keeps it apart from words that begin with a quote of their own. */
export const quoteAbove = (author: string | null, text: string, words: string): string =>
  `${quoteLines(author, text)}\n${words.startsWith('>') ? '\n' : ''}${words}`;

const quoted = (line: string): string => (line === '' ? '>' : `> ${line}`);

/** The author as shown in a quote. */
export const shownAuthor = (author: string | null): string => (author === null ? 'Somebody' : sanitizeName(author));

/** The beginning of a message, as far as a quote shows it. A quote with which the message itself begins is left out. */
export function quotedText(text: string): string {
  const head = cleanInput(text.slice(0, quotedLength * 4)).trim();
  const words = head.replace(/^(?:>[^\n]*(?:\n+|$))+/, '').trim() || head;
  const lines = words.slice(0, snap(words, quotedLength)).split('\n');
  const isShortened = lines.length > quotedLines || words.length > quotedLength || text.length > quotedLength * 4;
  const shown = lines.slice(0, quotedLines).map((line) => line.trimEnd());
  return (isShortened ? [...shown, more] : shown).join('\n');
}

/** Room for the name and for lines of characters that take several units. */
const longestQuote = 2_000;

/** The quote with which a message begins; null where it begins with none of this form. */
export function parseQuote(raw: string): Quote | null {
  if (!raw.startsWith('> ')) return null;
  const lines = raw.slice(0, longestQuote).split('\n', quotedLines + 3);
  const author = heading.exec((lines[0] ?? '').trimEnd())?.[1];
  if (author === undefined) return null;
  const after = lines.findIndex((line) => !line.startsWith('>'));
  const count = after < 0 ? lines.length : after;
  if (count < 2 || count > quotedLines + 2) return null;
  const body = lines.slice(1, count).map((line) => line.replace(/^> ?/, '').trimEnd());
  let end = lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0);
  while (raw[end] === '\n') end++;
  return { author, body: body.join('\n'), end: Math.min(end, raw.length) };
}

/** A message without the quote with which it begins; all of it where there is nothing else. */
export function ownWords(raw: string): string {
  const quote = parseQuote(raw);
  return (quote === null ? '' : raw.slice(quote.end)) || raw;
}

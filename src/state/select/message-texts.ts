/**
 * Texts of messages for the clipboard (R-CLIP), for a file, for an excerpt, and to be forwarded. Those for clipboard and file
 * are sanitised.
 */
import type { SentContent } from '../../protocol/same-text.ts';
import type { Message } from '../../protocol/types.ts';
import { coverSpoilers } from '../../text/markdown/spoilers.ts';
import { sanitizeBody, sanitizeLine, sanitizeName } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { clockTime, dateLabel, localDay, localMinute } from '../../text/time.ts';
import { withWholeAm } from '../../text/unicode/cluster-rules.ts';
import { ownWords } from '../composer/quote.ts';
import type { AppState } from '../model/app-state.ts';
import { attachmentsOf } from './attachments.ts';
import type { MessageItem } from './selectors.ts';
import { type ThreadItem, textOf } from './thread-items.ts';

export interface Copy {
  readonly text: SafeText;
}

/** In bytes of UTF-8. They make 64 KB of base64; terminals silently drop longer ones. */
export const copyLimit = 48 * 1024;

/** Null when the text is too long for a terminal: half of it would be worse than none. */
export function copyOf(raw: string): Copy | null {
  return raw.length > copyLimit ? null : fitting(withWholeAm(sanitizeBody(raw)));
}

/** The text of the message; where it has none, the addresses of its files, or the name of one that has no address. Raw. */
export function copiedText(item: ThreadItem): string {
  const text = textOf(item);
  const files = text.trim() === '' ? attachmentsOf(item) : [];
  return files.length === 0 ? text : files.map(({ label, url }) => url ?? label).join('\n');
}

/** The texts, each below a line that names its author and time. */
export function quotableCopyOf(items: readonly ThreadItem[], now: number): Copy | null {
  let whole = literal('');
  for (const item of items) {
    const copy = copyOf(copiedText(item));
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

/**
 * The Markdown text of a file: each message below a heading with its author and time; attachments as a list below the text.
 * It is sanitised, as files are often shown on a terminal.
 */
export const savedText = (items: readonly ThreadItem[]): string => `${items.map(sectionOf).join('\n\n')}\n`;

function sectionOf(item: ThreadItem): string {
  const time = item.createdAt === null ? '' : `, ${localMinute(item.createdAt)}`;
  const files = attachmentsOf(item).map(
    ({ label, url }) => `- ${sanitizeLine(url === null ? label : `${label}: ${url}`)}`,
  );
  const parts = [`## ${item.authorName}${time}`, sanitizeBody(textOf(item)), files.join('\n')];
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * The text of a message that an excerpt is cut from: with its spoilers covered, without the quote with which a reply begins.
 * Where there is none, the name of the first file. Raw.
 */
export function textForExcerpt({ text, attachments }: Message): string {
  const words = coverSpoilers(ownWords(text).slice(0, 4_000)).trimStart();
  // Nothing can be seen of invisible characters.
  return sanitizeLine(words).trim() === '' ? (attachments[0]?.label ?? '(empty message)') : words;
}

/** The name that is offered for the file, in the folder where the program was started. */
export const savedName = (now: number, what: 'messages' | 'conversation' = 'messages'): string =>
  `${what}-${localDay(now)}.md`;

/** Makes the content of a forwarded message: the texts as quotes with author and time, and the files. */
export function forwardedContent(state: AppState, items: readonly MessageItem[], now: number): SentContent {
  const attachments = items.flatMap(({ message }) => message.attachments.map(({ fields }) => fields));
  const text = items.map((item) => quoted(state, item, now)).join('\n\n');
  return attachments.length === 0 ? { text } : { text, attachments };
}

function quoted(state: AppState, item: MessageItem, now: number): string {
  const { createdAt, message } = item;
  const time = createdAt === null ? '' : `, ${dateLabel(createdAt, now)}, ${clockTime(createdAt)}`;
  const lines = message.text === '' ? [] : message.text.replace(/\r\n?/g, '\n').split('\n');
  return [`${authorOf(state, item)}${time}:`, ...lines].map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/** The name on the server. Names that the user gave are for this machine only, and phone numbers are not passed on. */
function authorOf({ cache, local }: AppState, { isOwn, message }: MessageItem): string {
  const { contact } = message;
  const known = contact === null ? null : (cache.contacts.get(contact.id) ?? contact);
  const name = known?.username ?? (isOwn ? local.me?.username : null);
  return sanitizeName(name ?? 'somebody');
}

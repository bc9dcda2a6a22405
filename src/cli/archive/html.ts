/** Writes an archive as one HTML file: without scripts, and with nothing that a browser would fetch. Escapes all text. */
import { createHash } from 'node:crypto';
import { countOf } from '../../protocol/reactions.ts';
import { glyphOf } from '../../text/emoji/emoji.ts';
import { sanitizeBody } from '../../text/safe/sanitize.ts';
import type { Entry, MessageEntry } from './entry.ts';
import { htmlStyle } from './html-style.ts';
import {
  clockOf,
  cutNote,
  dayAndClockOf,
  dayOf,
  fileOf,
  historyNote,
  listNote,
  type Names,
  reactionName,
} from './readable.ts';

const styleHash = createHash('sha256').update(htmlStyle).digest('base64');
/** The content security policy: a browser uses this style alone, and fetches nothing. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

const head = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${htmlStyle}</style>
</head>
<body>
`;

/** @param titles the names of the conversations, for the list at the top */
export function* htmlOf(entries: Iterable<Entry>, names: Names, titles: readonly string[]): Generator<string> {
  const title = titles.length === 1 ? (titles[0] ?? '') : 'Conversations';
  yield head(escaped(title));
  if (titles.length !== 1) yield contents(titles);
  let server = '';
  let day: string | null = null;
  let number = 0;
  for (const entry of entries) {
    if (entry.type === 'header') server = entry.server;
    if (entry.type === 'conversation') {
      const name = escaped(names.conversation(entry.conversation));
      yield `<section id="c${++number}">\n<h1 dir="auto">${name}</h1>\n<p class="note">From ${escaped(server)}. Times are in UTC.</p>\n`;
      day = null;
    }
    if (entry.type === 'message') {
      const own = dayOf(entry.message.createdAt);
      if (own !== day) yield `<h2>${own}</h2>\n`;
      day = own;
      yield messageOf(entry, names);
    }
    if (entry.type === 'history') yield `<p class="note">${escaped(historyNote(entry))}</p>\n</section>\n`;
    const missing = entry.type === 'list' ? listNote(entry) : null;
    if (missing !== null) yield `<p class="note">${escaped(missing)}</p>\n`;
  }
  yield '</body>\n</html>\n';
}

const contents = (titles: readonly string[]): string =>
  `<nav>\n<h1>Conversations</h1>\n<ol>\n${titles
    .map((title, i) => `<li><a href="#c${i + 1}"><bdi>${escaped(title)}</bdi></a></li>\n`)
    .join('')}</ol>\n</nav>\n`;

function messageOf({ message, versions }: MessageEntry, names: Names): string {
  const { createdAt, reactions, attachments } = message;
  const time =
    createdAt === null ? '' : ` <time datetime="${new Date(createdAt).toISOString()}">${clockOf(createdAt)}</time>`;
  const edited = versions.length === 0 ? '' : ' <small>edited</small>';
  const note = cutNote(message);
  const parts = [
    `<h3><bdi>${escaped(names.author(message.contact))}</bdi>${time}${edited}</h3>`,
    ...(message.text === '' ? [] : [body(message.text)]),
    ...(note === null ? [] : [`<p class="note">${escaped(note)}</p>`]),
    ...list('files', attachments.map(fileItem)),
    ...list(
      'reactions',
      reactions.map(
        (one) =>
          `<bdi>${escaped(glyphOf(one.name) ?? reactionName(one))}</bdi> ${countOf(one)} <bdi>${escaped(names.reactors(one))}</bdi>`,
      ),
    ),
    ...versions.map(
      ({ text, until }) =>
        `<details><summary>Earlier text, until ${dayAndClockOf(until)}</summary>\n${body(text)}\n</details>`,
    ),
  ];
  return `<article>\n${parts.join('\n')}\n</article>\n`;
}

const body = (text: string): string => `<div class="text" dir="auto">${escaped(sanitizeBody(text))}</div>`;

const list = (kind: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`<ul class="${kind}">${items.map((item) => `<li>${item}</li>`).join('')}</ul>`];

function fileItem(attachment: MessageEntry['message']['attachments'][number]): string {
  const { label, url, href } = fileOf(attachment);
  const name = `<bdi>${escaped(label)}</bdi>`;
  if (href !== null) return `<a href="${escaped(href)}" rel="noreferrer noopener">${name}</a>`;
  return url === null || url === label ? name : `${name} <bdi>${escaped(url)}</bdi>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => entities[mark] ?? '');

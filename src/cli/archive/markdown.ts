/**
 * Writes an archive as Markdown for people. Every text is a code block, so that nothing in it is taken for Markdown; names
 * are escaped. Foreign text is sanitised, as files are often shown on a terminal.
 */
import { countOf } from '../../protocol/reactions.ts';
import { sanitizeBody } from '../../text/safe/sanitize.ts';
import type { Entry, MessageEntry } from './entry.ts';
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

export function* markdownOf(entries: Iterable<Entry>, names: Names): Generator<string> {
  let server = '';
  let day: string | null = null;
  let isFirst = true;
  for (const entry of entries) {
    if (entry.type === 'header') server = entry.server;
    if (entry.type === 'conversation') {
      yield `${isFirst ? '' : '\n'}# ${escaped(names.conversation(entry.conversation))}\n\n`;
      yield `From \`${server.replaceAll('`', '')}\`. Times are in UTC.\n`;
      day = null;
      isFirst = false;
    }
    if (entry.type === 'message') {
      const own = dayOf(entry.message.createdAt);
      if (own !== day) yield `\n## ${own}\n`;
      day = own;
      yield `\n${messageOf(entry, names)}\n`;
    }
    if (entry.type === 'history') yield `\n---\n\n${escaped(historyNote(entry))}\n`;
    const missing = entry.type === 'list' ? listNote(entry) : null;
    if (missing !== null) yield `\n${escaped(missing)}\n`;
  }
}

function messageOf({ message, versions }: MessageEntry, names: Names): string {
  const time = clockOf(message.createdAt);
  const parts = [`### ${escaped(names.author(message.contact))}${time === '' ? '' : `, ${time}`}`];
  if (message.text !== '') parts.push(fenced(message.text));
  const note = cutNote(message);
  if (note !== null) parts.push(note);
  const reactions = message.reactions.map(
    (one) => `- ${escaped(reactionName(one))} ${countOf(one)}: ${escaped(names.reactors(one))}`,
  );
  const files = message.attachments.map(fileOf).map(({ label, url }) => {
    const where = url === null || url === label ? '' : `: ${escaped(url)}`;
    return `- Attachment ${escaped(label)}${where}`;
  });
  if (reactions.length + files.length > 0) parts.push([...reactions, ...files].join('\n'));
  for (const { text, until } of versions) parts.push(`Until ${dayAndClockOf(until)} the text was:`, fenced(text));
  return parts.join('\n\n');
}

/** The text as a code block, whose fence is longer than every run of backticks in the text. */
function fenced(raw: string): string {
  const text = sanitizeBody(raw);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Escapes characters that can begin Markdown or HTML, and what would become a link by itself. */
const escaped = (text: string): string =>
  text.replace(/[!#$&()*+\-<=>[\\\]^_`{|}~@]/g, '\\$&').replace(/(?<=^\d+)[.)]|:(?=\/)/g, '\\$&');

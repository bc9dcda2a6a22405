/** Messages as the Markdown text of a file. It is sanitised, as files are often shown on a terminal. */
import { sanitizeBody, sanitizeLine } from '../../text/safe/sanitize.ts';
import { attachmentsOf } from './attachments.ts';
import { type ThreadItem, textOf } from './thread-items.ts';

/** Each message below a heading with its author and time; attachments as a list below the text. */
export const savedText = (items: readonly ThreadItem[]): string => `${items.map(sectionOf).join('\n\n')}\n`;

function sectionOf(item: ThreadItem): string {
  const time = item.createdAt === null ? '' : `, ${dayOf(item.createdAt)} ${timeOf(item.createdAt)}`;
  const files = attachmentsOf(item).map(
    ({ label, url }) => `- ${sanitizeLine(url === null ? label : `${label}: ${url}`)}`,
  );
  const parts = [`## ${item.authorName}${time}`, sanitizeBody(textOf(item)), files.join('\n')];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The name that is offered for the file, in the folder where the program was started. */
export const savedName = (now: number, what: 'messages' | 'conversation' = 'messages'): string =>
  `${what}-${dayOf(now)}.md`;

const two = (value: number): string => String(value).padStart(2, '0');

/** Days and times are those of this machine. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeOf(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

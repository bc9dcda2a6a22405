/** Makes the content of a forwarded message: the texts as quotes with author and time, and the files. */
import type { SentContent } from '../../protocol/same-text.ts';
import { sanitizeName } from '../../text/safe/sanitize.ts';
import { clockTime, dateLabel } from '../../text/time.ts';
import type { AppState } from '../model/app-state.ts';
import type { MessageItem } from './selectors.ts';

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

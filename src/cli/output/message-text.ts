/** Messages as lines for people. */
import type { Message, Millis } from '../../protocol/types.ts';
import { ownership } from '../../state/local/outbox.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { authorName } from '../../state/select/names.ts';
import { wrap } from '../../text/layout/wrap.ts';
import { sanitizeBody, sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-19 14:02` in local time. */
export function minuteOf(at: Millis | null): SafeText {
  const date = at === null ? null : new Date(at);
  if (date === null || Number.isNaN(date.getTime())) return literal('----------------');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}` as SafeText;
}

export const messageAuthor = (state: AppState, message: Message): SafeText =>
  ownership(message, state) === 'own' ? literal('You') : authorName(state, message.contact);

/** Every line but the first is indented, so that no text of a message looks like the beginning of another one. */
const indent = '    ';

/** `prefix` stands before the text of the first line: the name of the conversation, or nothing. */
export function messageText(
  state: AppState,
  message: Message,
  columns: number | null,
  prefix: SafeText = literal(''),
): string {
  const head = safe`${minuteOf(message.createdAt)}  ${prefix}${messageAuthor(state, message)}: `;
  const lines = [sanitizeBody(message.text), ...attachmentLines(message), ...reactionLines(message)];
  const [first = '', ...rest] = (head + lines.join('\n')).split('\n');
  const more = rest.map((line) => `${indent}${line}`);
  if (columns === null) return [first, ...more].map((line) => `${line.trimEnd()}\n`).join('');
  const fit = (line: string): readonly string[] => {
    const [start = '', ...wrapped] = wrap(line as SafeText, Math.max(10, columns - indent.length));
    return [start, ...wrapped.map((one) => indent + one.trimStart())];
  };
  return [first, ...more]
    .flatMap(fit)
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

const attachmentLines = ({ attachments }: Message): readonly SafeText[] =>
  attachments.map(({ label, url }) => safe`[${sanitizeLine(label)}${sanitizeLine(url === null ? '' : ` ${url}`)}]`);

function reactionLines({ reactions }: Message): readonly SafeText[] {
  if (reactions.length === 0) return [];
  const counts = reactions.map(({ name, by, unnamed = 0 }) => `${name} ${by.length + unnamed}`);
  return [sanitizeLine(`(${counts.join(', ')})`)];
}

/** Writes messages as lines for people. */
import { countOf } from '../../protocol/reactions.ts';
import type { Message } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { messageAuthor } from '../../state/select/names.ts';
import { wrap } from '../../text/layout/wrap.ts';
import { sanitizeBody, sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { localMinute } from '../../text/time.ts';

/** Every line but the first is indented, so that no text of a message looks like the beginning of another one. */
const indent = '    ';
const leastColumns = 10;

/** `prefix` comes before the text of the first line: the name of the conversation, the id of the message, or nothing. */
export function messageText(
  state: AppState,
  message: Message,
  columns: number | null,
  prefix: SafeText = literal(''),
): string {
  const parts = [sanitizeBody(message.text), ...attachmentLines(message), ...reactionLines(message)];
  const head = safe`${localMinute(message.createdAt)}  ${prefix}${messageAuthor(state, message)}: `;
  const text = parts.reduce((all, part, at) => (at === 0 ? safe`${all}${part}` : safe`${all}\n${part}`), head);
  const lines = columns === null ? text.split('\n') : wrap(text, Math.max(leastColumns, columns - indent.length));
  return lines
    .map((line, at) => `${at === 0 ? '' : indent}${line}`.trimEnd())
    .join('\n')
    .concat('\n');
}

const attachmentLines = ({ attachments }: Message): readonly SafeText[] =>
  attachments.map(({ label, url }) => safe`[${sanitizeLine(label)}${sanitizeLine(url === null ? '' : ` ${url}`)}]`);

function reactionLines({ reactions }: Message): readonly SafeText[] {
  if (reactions.length === 0) return [];
  const counts = reactions.map((one) => `${one.name} ${countOf(one)}`);
  return [sanitizeLine(`(${counts.join(', ')})`)];
}

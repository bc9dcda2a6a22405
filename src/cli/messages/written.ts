/** Prints the result of a change. */

import type { OtherSender } from '../../state/model/app-state.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import type { WriteResult } from '../headless/write.ts';
import { jsonDocument, type Output } from '../output/print.ts';

export interface WrittenOptions {
  readonly json?: boolean;
}

/** @param about the fields of JSON that name what was changed, with the names of the API */
export function printWritten(
  output: Output,
  { op, state, messageId, sender, warnings }: WriteResult,
  about: Readonly<Record<string, string | null>>,
  { json }: WrittenOptions,
): void {
  const made = messageId === null ? state : `${state} (${sanitizeLine(messageId)})`;
  if (json === true) {
    const ids = messageId === null ? about : { ...about, message_id: messageId };
    output.json(jsonDocument({ state, op, ...ids, warnings }), made);
    return;
  }
  printWarnings(output, warnings);
  if (messageId !== null) output.text(`${sanitizeLine(messageId)}\n`, made);
  if (state === 'queued') output.remark(queuedText(sender));
}

/** On stderr, as the chat would show them. */
export function printWarnings(output: Output, warnings: readonly string[]): void {
  for (const text of warnings) output.remark(sanitizeLine(text));
}

function queuedText(sender: OtherSender | null): SafeText {
  const who =
    sender?.pid == null ? safe`the msg-tui that is open` : safe`the msg-tui that is open (process ${sender.pid})`;
  return sender?.isStopped === true
    ? safe`queued; ${who} is stopped, and sends it once it is continued`
    : safe`queued; ${who} sends it`;
}

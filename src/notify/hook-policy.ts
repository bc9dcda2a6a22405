/** Decides which hooks a message runs. `msg-tui hooks test` asks the same function about cached messages. */
import type { ConversationId, Message, Millis } from '../protocol/types.ts';
import { isChecked } from '../state/local/resend-rule.ts';
import type { AppState, Op } from '../state/model/app-state.ts';
import { isMention } from './mention.ts';
import { heldBy, holdsKeyword } from './policy.ts';

export type HookName = 'arrival' | 'mention' | 'failure';

/** `runs`, or what keeps the hook from running; null where the message is none that it is about. */
export type HookVerdict = 'runs' | NonNullable<ReturnType<typeof heldBy>> | null;

/**
 * For a message of somebody else. `arrival` runs for what could notify if nobody looked at the terminal; `mention` also in
 * conversations that are muted or archived. During the quiet hours neither runs.
 */
export function hooksFor(
  state: AppState,
  id: ConversationId,
  { text }: Pick<Message, 'text'>,
  now: Millis,
): { readonly arrival: HookVerdict; readonly mention: HookVerdict } {
  const arrival = heldBy(state, id, { now, hasKeyword: holdsKeyword(state, [text]) }) ?? 'runs';
  const mention = isMention(state, text) ? (heldBy(state, id, { now, hasKeyword: true }) ?? 'runs') : null;
  return { arrival, mention };
}

/** What the server has refused, and messages that are not in the history although it was searched twice. */
export const isFailure = (op: Op): boolean => op.state === 'failed' || isChecked(op);

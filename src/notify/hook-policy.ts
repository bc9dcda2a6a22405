/** Decides which hooks a message runs. `msg-tui hooks test` asks the same function about cached messages. */
import type { ConversationId, Message, Millis } from '../protocol/types.ts';
import { isChecked } from '../state/local/resend-rule.ts';
import type { AppState, Op } from '../state/model/app-state.ts';
import { fold } from '../text/search/find.ts';
import { holdsKeyword, silencedBy } from './policy.ts';

export type HookName = 'arrival' | 'mention' | 'failure';

/** `runs`, or the reason why the hook does not run; null for a message that it is not for. */
export type HookVerdict = 'runs' | NonNullable<ReturnType<typeof silencedBy>> | null;

/**
 * Decides about a message of somebody else. `arrival` runs for messages that could notify if nobody looked at the terminal;
 * `mention` also in conversations that are muted or archived. During the quiet hours neither runs.
 */
export function hooksFor(
  state: AppState,
  id: ConversationId,
  { text }: Pick<Message, 'text'>,
  now: Millis,
): { readonly arrival: HookVerdict; readonly mention: HookVerdict } {
  const arrival = silencedBy(state, id, { now, hasKeyword: holdsKeyword(state, [text]) }) ?? 'runs';
  const mention = isMention(state, text) ? (silencedBy(state, id, { now, hasKeyword: true }) ?? 'runs') : null;
  return { arrival, mention };
}

/** Whether the server has refused the op, or its message is not in the history, which was searched twice. */
export const isFailure = (op: Op): boolean => op.state === 'failed' || isChecked(op);

const searchedUnits = 10_000;

/** Whether the text has `@username`, in any case and with any accents, and not as the beginning of a longer name. */
export function namesUser({ local: { me } }: AppState, text: string): boolean {
  if (me?.username === null || me?.username === undefined || me.username === '' || me.isDisputed === true) return false;
  const name = `@${fold(me.username)}`;
  const within = fold(text.slice(0, searchedUnits));
  for (let at = within.indexOf(name); at >= 0; at = within.indexOf(name, at + 1))
    if (!/^[\p{L}\p{N}_]|^[.-][\p{L}\p{N}]/u.test(within.slice(at + name.length))) return true;
  return false;
}

/** Whether the text names the user, or contains one of the keywords. */
const isMention = (state: AppState, text: string): boolean => namesUser(state, text) || holdsKeyword(state, [text]);

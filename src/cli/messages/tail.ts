/** `msg-tui tail`: prints new messages and changes as they come, until it is interrupted. */
import type { ConversationId } from '../../protocol/types.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import type { AccountOptions } from '../headless/account-options.ts';
import { momentOf } from '../input/moment.ts';
import { lookUpConversation } from '../names/look-up.ts';
import { messageText } from '../output/message-text.ts';
import { jsonLine, type Output, processOutput } from '../output/print.ts';
import { messageJson } from '../output/resources.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { type Following, following, watchConnection } from './follow.ts';
import type { Followed } from './follower.ts';
import { collectHistory, type HistoryPart } from './history.ts';
import { gapLines, olderMissing, unreachableLines } from './missing.ts';
import { type Open, openWith } from './open.ts';

export interface TailOptions extends AccountOptions {
  readonly all?: boolean;
  readonly since?: string;
  readonly json?: boolean;
}

/** Rejects with ExitError: 2 and 5 for names, 3 when the token is refused, 130 and 143 when it is interrupted. */
export async function tail(
  names: readonly string[],
  options: TailOptions,
  output: Output = processOutput(),
  open: Open = openWith(options),
): Promise<void> {
  if (options.all === true && names.length > 0)
    throw new ExitError(exitCodes.usage, 'tail: name the conversations, or give --all for all of them; not both');
  const since = options.since === undefined ? null : momentOf('--since', options.since, Date.now());
  await following(
    open,
    (account) => chosen(account, names),
    async (follow, ids) => {
      const print = (followed: Followed): void => printChange(follow.account, followed, options.json === true, output);
      if (since !== null) await printSince(follow, ids, since, print, output);
      follow.begin(print);
      await new Promise<void>((resolve, reject) => {
        const unwatch = watchConnection(follow.account, output.remark, reject);
        follow.account.signal.addEventListener('abort', () => {
          unwatch();
          resolve();
        });
      });
    },
  );
}

async function chosen(account: Account, names: readonly string[]): Promise<ReadonlySet<ConversationId> | null> {
  if (names.length === 0) return null;
  const ids = new Set<ConversationId>();
  for (const name of names) ids.add((await lookUpConversation(account, name)).id);
  return ids;
}

async function printSince(
  { account, follower }: Following,
  ids: ReadonlySet<ConversationId> | null,
  since: number,
  print: (followed: Followed) => void,
  output: Output,
): Promise<void> {
  const { conversations } = account.store.getState().cache;
  const wanted = [...conversations.values()].filter(({ id, lastActiveAt }) =>
    ids === null ? lastActiveAt === null || lastActiveAt >= since : ids.has(id),
  );
  const range = { before: null, since, limit: Number.POSITIVE_INFINITY };
  const all = [];
  for (const { id } of wanted) {
    const part = await collectHistory(account, id, range);
    remarkOnMissing(account, id, part, output);
    const { messages } = part;
    follower.skip(id, messages);
    all.push(...messages.map((message) => ({ ...message, conversationId: id })));
  }
  for (const message of all.sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0)))
    print({ type: 'message', message });
}

/** The lines of JSON cannot say what is missing either, so it is on stderr with them as well. */
function remarkOnMissing(account: Account, id: ConversationId, part: HistoryPart, output: Output): void {
  const name = selectConversationName(account.store.getState(), id);
  const trouble = part.trouble === null ? [] : [sanitizeLine(olderMissing(part.trouble))];
  for (const line of [...gapLines(part), ...trouble, ...unreachableLines(account, id, part)])
    output.remark(safe`${name}: ${line}`);
  if (part.hasMore === true && part.trouble === null) output.remark(safe`${name}: older messages are left out`);
}

const words = { edited: 'edited', reactions: 'reactions', read: 'read', changed: 'changed' } as const;

function printChange({ store }: Account, followed: Followed, isJson: boolean, output: Output): void {
  const state = store.getState();
  if (followed.type === 'deleted') {
    const { conversationId, messageId } = followed;
    const name = selectConversationName(state, conversationId);
    const ids = { conversation_id: conversationId, conversation_name: name, message_id: messageId };
    if (isJson) output.json(jsonLine({ type: followed.type, ...ids }));
    else output.text(`${safe`${name} / message ${sanitizeLine(messageId)} was deleted`}\n`);
    return;
  }
  const { type, message } = followed;
  if (isJson) {
    output.json(jsonLine({ type, message: messageJson(state, message) }));
    return;
  }
  const name: SafeText =
    message.conversationId === null ? safe`` : selectConversationName(state, message.conversationId);
  const prefix = type === 'message' ? safe`${name} / ` : safe`${name} / (${sanitizeLine(words[type])}) `;
  output.text(messageText(state, message, output.columns, prefix));
}

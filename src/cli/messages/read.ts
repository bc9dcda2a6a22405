/**
 * `msg-tui read`: messages of one conversation. Reading marks nothing as read, neither here nor on the server; with
 * --mark-read it does what opening the conversation in the chat does.
 */
import type { Conversation, ConversationId, Message } from '../../protocol/types.ts';
import { markRead } from '../../state/local/read-lines.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import type { AccountOptions, ArchiveOption, TimeoutOptions } from '../headless/account-options.ts';
import { saveLocally } from '../headless/save-locally.ts';
import { momentOf } from '../input/moment.ts';
import { lookUpConversation } from '../names/look-up.ts';
import { messageText } from '../output/message-text.ts';
import { isoTime, jsonDocument, type Output, processOutput } from '../output/print.ts';
import { conversationJson, messageJson } from '../output/resources.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { collectHistory, type HistoryPart } from './history.ts';
import { gapLines, lacksNewest, olderMissing, unreachableLines } from './missing.ts';
import { type Open, openWith } from './open.ts';
import { refresh } from './refresh.ts';

export interface ReadOptions extends AccountOptions, ArchiveOption, TimeoutOptions {
  readonly limit?: number;
  readonly before?: string;
  readonly after?: string;
  readonly since?: string;
  readonly markRead?: boolean;
  readonly cached?: boolean;
  readonly ids?: boolean;
  readonly json?: boolean;
}

const usualLimit = 20;

/**
 * Rejects with ExitError: 2 and 5 for the name, 4 where the server was not reached or older messages could not be read, once
 * what is there is printed.
 */
export async function read(
  typed: string,
  options: ReadOptions,
  output: Output = processOutput(),
  open: Open = openWith(options),
): Promise<void> {
  const range = rangeOf(options, Date.now());
  await open(async (account) => {
    const isCached = options.cached === true || options.archive !== undefined;
    const conversation = await lookUpConversation(account, typed, { isCacheEnough: isCached });
    const failure = isCached
      ? null
      : await refresh(account, () => account.fetch((read) => read.thread(conversation.id)));
    const isOffline = isCached || failure !== null;
    const part = await collectHistory(account, conversation.id, range, { isCacheEnough: isOffline });
    if (options.json === true) output.json(jsonDocument(documentOf(account, conversation, part, isOffline)));
    else {
      print(account, part, output, { hasIds: options.ids === true, isCopy: isOffline });
      for (const line of gapLines(part)) output.remark(line);
      if (!isOffline) for (const line of unreachableLines(account, conversation.id, part)) output.remark(line);
    }
    if (options.markRead === true) await mark(account, conversation.id, isOffline);
    const ending = failure ?? part.failure;
    if (ending !== null) throw ending;
    if (part.trouble !== null) throw new ExitError(exitCodes.notReached, olderMissing(part.trouble));
  });
}

function rangeOf({ limit, before, after, since }: ReadOptions, now: number) {
  const moment = (option: string, typed: string | undefined): number | null =>
    typed === undefined ? null : momentOf(option, typed, now);
  const from = moment('--since', since) ?? moment('--after', after);
  return {
    before: moment('--before', before),
    since: from,
    limit: limit ?? (from === null ? usualLimit : Number.POSITIVE_INFINITY),
  };
}

function documentOf(account: Account, { id }: Conversation, part: HistoryPart, isCached: boolean) {
  const state = account.store.getState();
  const conversation = state.cache.conversations.get(id);
  return {
    cached: isCached,
    as_of: isoTime(isCached ? account.session.cachedAt : Date.now()),
    conversation: conversation === undefined ? null : conversationJson(state, conversation),
    has_more: part.hasMore,
    gaps_before: part.gaps,
    lacks_newest: isCached ? null : lacksNewest(account, id),
    messages: part.messages.map((message) => messageJson(state, message)),
  };
}

interface Printed {
  readonly hasIds: boolean;
  /** Whether only the copy on this machine was read; what is not in it may still be on the server. */
  readonly isCopy: boolean;
}

function print({ store }: Account, { messages }: HistoryPart, output: Output, { hasIds, isCopy }: Printed): void {
  const state = store.getState();
  const idOf = ({ id }: Message): SafeText => (hasIds ? safe`${sanitizeLine(id)}  ` : literal(''));
  output.text(messages.map((message) => messageText(state, message, output.columns, idOf(message))).join(''));
  if (messages.length > 0) return;
  output.remark(literal(isCopy ? 'no messages are kept here' : 'there are no messages here'));
}

/**
 * Marks the conversation as read, as the chat does. The mark is saved on disk first. The server is asked to record it too only
 * if the setting `reveal_reading` allows that. Rejects with ExitError 1 if the disk refuses the mark.
 */
async function mark(account: Account, id: ConversationId, isOffline: boolean): Promise<void> {
  saveLocally(account, markRead(id));
  if (account.settings.revealReading && !isOffline) await account.fetch((read) => read.opened(id));
}

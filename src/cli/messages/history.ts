/** Collects a part of the history of a conversation, from the cache and as far as needed from the server. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { HistoryKey, PageFrom } from '../../state/cache/cached-history.ts';
import type { Account } from '../headless/account.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

export interface HistoryRange {
  /** Only messages before this time; null for no limit. */
  readonly before: number | null;
  /** Only messages at or after this time. */
  readonly since: number | null;
  /** The most messages; the newest of the range are returned. */
  readonly limit: number;
}

export interface HistoryPart {
  /** The messages, oldest first. */
  readonly messages: readonly Message[];
  /** Whether there are older messages in the range; null where that is not known. */
  readonly hasMore: boolean | null;
  /** Messages directly before which others may be missing. */
  readonly gaps: readonly MessageId[];
  /** Why older messages could not be read; null where they could. */
  readonly trouble: string | null;
  /** The error with which a command ends where the time was over before all was fetched; null where it was not. */
  readonly failure: ExitError | null;
}

const pageRows = 200;
/** The most messages of a range; `export` writes longer histories. */
const mostMessages = 100_000;

/** With `isCacheEnough`, the server is not asked. */
export async function collectHistory(
  account: Account,
  id: ConversationId,
  range: HistoryRange,
  { isCacheEnough = false }: { readonly isCacheEnough?: boolean } = {},
): Promise<HistoryPart> {
  let trouble: string | null = null;
  let failure: ExitError | null = null;
  if (!isCacheEnough && !isEnough(account, id, range)) {
    const isWanted = (): boolean =>
      !account.deadline.isOver && !account.signal.aborted && !isEnough(account, id, range);
    const { engine } = account.session;
    try {
      const fetched = await account.fetch(() =>
        engine.fetchBack(id, { kind: 'first' }, { isWanted, onPage: () => undefined }),
      );
      trouble = fetched?.trouble ?? null;
    } catch (error) {
      if (!(error instanceof ExitError) || error.code !== exitCodes.notReached) throw error;
      failure = new ExitError(error.code, `${error.message}; older messages are left out`);
    }
  }
  const { messages, hasMore } = cachedPart(account, id, range);
  const { older, gaps } = account.session.reach(id);
  const shown = new Set(messages.map((message) => message.id));
  const isAll = older === 'end' || reachesSince(account, id, range);
  return {
    messages,
    hasMore: hasMore || (isAll ? false : older === 'server' ? true : null),
    gaps: gaps.filter((gap) => shown.has(gap)),
    trouble,
    failure,
  };
}

function isEnough(account: Account, id: ConversationId, range: HistoryRange): boolean {
  const { older } = account.session.reach(id);
  if (older === 'end' || older === 'unreachable') return true;
  return cachedPart(account, id, range).messages.length >= range.limit || reachesSince(account, id, range);
}

/** Whether the cache holds a message from before the range, so that all of the range is there. */
function reachesSince({ session }: Account, id: ConversationId, { since }: HistoryRange): boolean {
  return since !== null && session.history(id, { before: firstAt(since) }, 1).messages.length > 0;
}

/** The newest cached messages of the range. */
function cachedPart({ session }: Account, id: ConversationId, { before, since, limit }: HistoryRange) {
  let messages: readonly Message[] = [];
  let from: PageFrom = before === null ? 'newest' : { before: firstAt(before) };
  const most = Math.min(limit, mostMessages);
  while (messages.length < most) {
    const page = session.history(id, from, Math.min(pageRows, most - messages.length));
    const inRange = page.messages.filter(({ createdAt }) => since === null || (createdAt ?? 0) >= since);
    messages = [...inRange, ...messages];
    const [first] = page.messages;
    if (first === undefined || inRange.length < page.messages.length) return { messages, hasMore: false };
    if (!page.hasMore) return { messages, hasMore: false };
    from = { before: { createdAt: first.createdAt, rank: first.rank, id: first.id } };
  }
  const rest = session.history(id, from, 1).messages[0];
  return { messages, hasMore: rest !== undefined && (since === null || (rest.createdAt ?? 0) >= since) };
}

/** The place before every message of this time. */
const firstAt = (at: number): HistoryKey => ({ createdAt: at, rank: Number.MIN_SAFE_INTEGER, id: '' });

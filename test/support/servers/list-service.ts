/** A list-only service in memory with a chosen order and way of paging, behind the Client interface. */
import { ApiError } from '../../../src/api/errors.ts';
import type { Client } from '../../../src/api/operations.ts';
import type { Conversation, Message, Page, PageCursor } from '../../../src/protocol/types.ts';

export type Way = 'starting_after' | 'after' | 'before' | 'page' | 'offset' | 'hint' | 'limit' | 'none';

export interface Quirks {
  readonly way: Way;
  readonly order: 'newest-first' | 'oldest-first';
  /** The most rows in a page; `refuse`: a larger limit is 400 rather than cut. */
  readonly maxLimit?: number;
  readonly refuse?: boolean;
  readonly saysHasMore?: boolean;
  /** Unknown parameters are 400, as in our own server; otherwise ignored. */
  readonly strict?: boolean;
}

interface Row {
  readonly id: string;
}

const refusal = (): ApiError =>
  new ApiError({
    kind: 'invalid',
    status: 400,
    outcome: 'rejected',
    message: 'no',
    requestId: null,
    retryAfterMs: null,
    code: null,
  });

export function message(number: number, createdAt: number | null = 1_700_000_000_000 + number * 1000): Message {
  return {
    id: `m${number}`,
    conversationId: 'c',
    contact: null,
    text: `text ${number}`,
    isTruncated: false,
    reactions: [],
    attachments: [],
    readAt: null,
    createdAt,
    updatedAt: null,
    rank: 0,
  };
}

export function conversation(number: number): Conversation {
  const at = 1_700_000_000_000 + number * 1000;
  return {
    id: `c${number}`,
    contactId: `p${number}`,
    groupId: null,
    pinnedMessageId: null,
    isPinned: false,
    isMuted: false,
    lastActiveAt: at,
    lastOpenedAt: null,
    createdAt: at,
    archivedAt: null,
    timeFormat: null,
  };
}

export class ListService {
  /** Oldest first, whatever the server's order. */
  messages: Message[] = [];
  conversations: Conversation[] = [];
  readonly requests: string[] = [];
  readonly #quirks: Quirks;
  readonly #indexes = new WeakMap<readonly Row[], ReadonlyMap<string, number>>();

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
  }

  client(): Client {
    const list =
      <T extends Row>(rows: () => readonly T[]) =>
      async (parameters: { limit?: number; cursor?: PageCursor; ifNoneMatch?: string }) => {
        const cursor = parameters.cursor?.kind === 'query' ? parameters.cursor.parameters : {};
        const page = this.#page(rows(), {
          ...(parameters.limit === undefined ? {} : { limit: String(parameters.limit) }),
          ...cursor,
        });
        const etag = `"${page.items.map((item) => item.id).join('-')}"`;
        if (parameters.ifNoneMatch === etag) return { notModified: true } as const;
        return { value: page, etag };
      };
    return {
      listMessages: list(() => this.messages),
      listConversations: list(() => this.conversations),
    } as unknown as Client;
  }

  #page<T extends Row>(oldestFirst: readonly T[], query: Readonly<Record<string, string>>): Page<T> {
    this.requests.push(new URLSearchParams(query).toString());
    const { way, order, maxLimit = 100, refuse = false, saysHasMore = true, strict = false } = this.#quirks;
    const known = way === 'hint' ? 'cursor' : way;
    if (strict && Object.keys(query).some((name) => name !== 'limit' && name !== known)) throw refusal();
    const asked = Number(query.limit ?? 10);
    if (refuse && asked > maxLimit) throw refusal();
    const limit = Math.min(asked, maxLimit);
    const { length } = oldestFirst;
    const start = this.#start(oldestFirst, query[known], limit);
    // The whole list is not copied for each page: some tests have 100,000 rows.
    const items =
      order === 'newest-first'
        ? oldestFirst.slice(Math.max(0, length - start - limit), Math.max(0, length - start)).reverse()
        : oldestFirst.slice(start, start + limit);
    const hasMore = start + limit < length;
    return {
      items,
      hasMore: saysHasMore ? hasMore : null,
      next: way === 'hint' && hasMore ? { kind: 'query', parameters: { cursor: String(start + limit) } } : null,
      skipped: 0,
    };
  }

  /** Counted from the row that the server gives first. */
  #start(oldestFirst: readonly Row[], value: string | undefined, limit: number): number {
    const { way, order } = this.#quirks;
    if (value === undefined || way === 'limit' || way === 'none') return 0;
    if (way === 'page') return (Number(value) - 1) * limit;
    if (way === 'offset' || way === 'hint') return Number(value);
    const index = this.#indexOf(oldestFirst, value);
    return order === 'newest-first' ? oldestFirst.length - index : index + 1;
  }

  /** A search for each page would be most of what a walk over 100,000 rows takes. */
  #indexOf(rows: readonly Row[], id: string): number {
    const known = this.#indexes.get(rows)?.get(id);
    if (known !== undefined && rows[known]?.id === id) return known;
    const indexes = new Map(rows.map((row, index) => [row.id, index]));
    this.#indexes.set(rows, indexes);
    const index = indexes.get(id);
    if (index === undefined) throw refusal();
    return index;
  }
}

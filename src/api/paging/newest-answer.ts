/** What `fetchNewest` is given and what it answers. */
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { Client } from '../operations.ts';

export interface NewestOptions {
  readonly client: Client;
  readonly conversationId: ConversationId;
  /** Ids known to be on the server, best in reading order. Without any, only the newest page is read. */
  readonly knownNewest: readonly MessageId[];
  readonly capabilities: ServerCapabilities;
  readonly limit?: number;
  /** The `etag` of the last answer of this function. */
  readonly ifNoneMatch?: string;
  readonly maxPages?: number;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

export interface Newest {
  /** Oldest first, equal times in the server's order. Known messages that were on the pages are among them. */
  readonly messages: readonly Message[];
  /** They reach back to a known id or to the start of the history, with nothing missing in between. */
  readonly connected: boolean;
  /** This is the whole history. */
  readonly complete: boolean;
  /** The newest messages stand at the end of the list, and the server gives no way to it. */
  readonly unreachable?: true;
  /** There were rows, and all of them name this one other conversation. */
  readonly elsewhere?: ConversationId;
  readonly capabilities: ServerCapabilities;
  /** The number of requests; one when absent. */
  readonly pages?: number;
  /** For `ifNoneMatch` of the next call; null when there is none, or when it would hide a gap. */
  readonly etag: string | null;
}

export type NewestAnswer = Newest | { readonly notModified: true };

/** How other parts of sync take part in reading a conversation's newest page; `engine-loops.ts` registers them. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import type { Transition } from '../../state/store.ts';
import type { Services } from './services.ts';

/** Called once for every reading, before its request leaves. */
export type PageObserver = (context: Services, id: ConversationId) => PageObservation;

/** What one observer needs from one reading, and what it does at each stage. All members are optional. */
export interface PageObservation {
  /** The rows themselves are needed, so the server must not answer "not modified". */
  readonly needsRows?: boolean;
  /** The page has to reach back to one of these messages instead of to the newest known ones. */
  readonly reachBackTo?: readonly MessageId[] | undefined;
  /** Looks at the page before anything of it is kept. It may ask the server, and rejects with ApiError. */
  before?(page: ArrivedPage): Promise<Aliases>;
  /** True for a row that must not enter the state with this page. */
  holdsBack?(row: Message): boolean;
  /** Writes to the disk what follows from the rows. The returned transition enters the state together with them. */
  also?(page: KeptPage): Transition;
  /** Called when the rows are in the state. After "not modified" it is called with no rows. */
  after?(rows: readonly Message[]): void;
}

/** The answer of the server, oldest row first. */
export interface ArrivedPage {
  readonly rows: readonly Message[];
  /** Known messages that the page should have shown and did not. */
  readonly missing: readonly Message[];
}

/** The rows that enter the state, oldest first. */
export interface KeptPage {
  readonly rows: readonly Message[];
  readonly aliases: Aliases;
  /** No message between these rows and what was known before is left out, nor a new one that was known. */
  readonly isWhole: boolean;
}

/** Rows that are messages known by another id. */
export interface Aliases {
  readonly certain: readonly Alias[];
  /** Ids of rows that may be such messages. Nothing else may be concluded from these rows. */
  readonly possible: ReadonlySet<MessageId>;
}

export interface Alias {
  readonly from: MessageId;
  readonly to: Message;
}

export const noAliases: Aliases = { certain: [], possible: new Set() };

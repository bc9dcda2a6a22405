/** What the parts of the engine share: the ports it is given, and what is made once and used by many. */
import type { Client } from '../../api/operations.ts';
import type * as paging from '../../api/paging/paging.ts';
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import type { AppState, Draft, OtherSender, ScrollPlace } from '../../state/model/app-state.ts';
import type { Incoming, MergedPage } from '../../state/model/incoming.ts';
import type { AppStore, Transition } from '../../state/store.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { CacheDisk, Clock, OutboxDisk } from './ports.ts';
import type { Unlisted } from './unlisted.ts';
import type { WriteTracker } from './write-tracker.ts';

/** The functions that read the server's lists page by page. */
export type Paging = typeof paging;

export interface EnginePorts {
  readonly client: Client;
  /** Default: all of `api/paging`. Tests may replace it. */
  readonly paging?: Paging;
  readonly store: AppStore;
  readonly outbox: OutboxDisk;
  readonly cache: CacheDisk;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newUuid: () => string;
  /** This process begins with the sender role (R-LOCK); without it nothing is sent. Default true. */
  readonly beginsAsSender?: boolean;
  /** Called with a conversation that an op of this run created or found, or that is new in the list while one is started here. */
  readonly onCreated?: (id: ConversationId) => void;
  /**
   * Where the open conversation is shown when it has just been opened, by the rows that it has on the screen; null: where it
   * was left. Default: without a screen, always null.
   */
  readonly openingPlace?: (state: AppState) => ScrollPlace | null;
  /** Called with unread messages of others that a poll brought. */
  readonly onIncoming?: (incoming: Incoming) => void;
  /** Called with every newest page that was read, and with messages that are gone. */
  readonly onPage?: (page: MergedPage) => void;
  /** Called with what the server answered to an op that this process has carried out, before that is recorded. */
  readonly onAnswer?: (answer: OpAnswer) => void;
  /** Called at every poll while this process does not send. True once this process holds the sender role. */
  readonly takeSenderRole?: () => boolean;
  /** The process that sends, as of the last call of `takeSenderRole`; null when it is this one. */
  readonly otherSender?: () => OtherSender | null;
  /** The key of a command as it is shown, for advice in notices; '' where it has none, and by default. */
  readonly keyOf?: (commandId: string) => string;
  /** Called with an error that is a bug and must end the program. Default: it is thrown as an uncaught error. */
  readonly onBug?: (error: unknown) => void;
}

export interface OpAnswer {
  readonly uuid: string;
  /** `settled` and `rejected` are final; the op leaves the outbox, or stays there as failed. */
  readonly kind: 'settled' | 'rejected' | 'later' | 'unsure';
  /** Raw text for the user; null for what has succeeded. */
  readonly reason: string | null;
  /** Status or error code that decided it; null for what has succeeded. */
  readonly evidence: string | null;
}

export interface Services extends Omit<EnginePorts, 'client' | 'paging'> {
  readonly paging: Paging;
  /** The current client; `replaceClient` changes it. */
  client(): Client;
  readonly signal: AbortSignal;
  readonly circuitBreaker: CircuitBreaker;
  readonly writes: WriteTracker;
  readonly unlisted: Unlisted;
  /** Messages of others that turned up before the read line; `merge/merge-page` keeps them. */
  readonly backdated: Map<ConversationId, ReadonlySet<MessageId>>;
  /** When attempts of this run ended whose outcome is not known, by the uuid of the op, on the monotonic clock. */
  readonly unsureSince: Map<string, Millis>;
  isSender(): boolean;
  /** Reads the outbox again and takes over what other processes have written. */
  reload(): void;
  /** To be called where a draft was written to the disk with an op: what is there was not written by another process. */
  noteDraftOnDisk(id: ConversationId, draft: Draft | null): void;
  /** Has both loops check whether there is something to do. */
  wake(): void;
  /** Polls more often for a while. To be called after an act of the user. */
  noteActivity(): void;
  /** Milliseconds since the user last did anything. */
  quietForMs(): number;
}

export const stateOf = ({ store }: Pick<Services, 'store'>): AppState => store.getState();

export const update = ({ store }: Pick<Services, 'store'>, transition: Transition): void => store.setState(transition);

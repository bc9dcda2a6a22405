/** The connection to the server of an account, and the other accounts that the chat can go to. */
import type { ConversationId, Millis } from '../../protocol/types.ts';

/** The profiles of config.toml, which the chat can go to. */
export interface Accounts {
  /** The one that is open; null for an account that config.toml does not have. */
  readonly current: string | null;
  readonly all: readonly { readonly name: string; readonly server: string }[];
}

/** The state of the connection to the server, which the header shows. */
export interface Connection {
  readonly status:
    | 'starting'
    | 'online'
    | 'offline'
    | 'unauthorized'
    | 'no-token'
    | 'other-account'
    | 'rate-limited'
    | 'not-api';
  /** Last complete answer of the conversation list. */
  readonly asOf: Millis | null;
  /** When the next request may leave while the server cannot be reached; null while one is under way. */
  readonly nextPollAt: Millis | null;
  /** When the status began; null while the connection is `starting` or `online`. */
  readonly since: Millis | null;
  /** The end of the time that the server asks to wait; null where it asks for none, and when that time is over. */
  readonly until: Millis | null;
  /** One line for people: status, server's message, what to do. Raw text. */
  readonly reason: string | null;
  /** The status with which the server says that it fails, while it counts as offline; null where it is not reached. */
  readonly fault?: number | null;
  /** Threads whose first or older page is under way, and why the last one failed. */
  readonly loading: ReadonlySet<ConversationId>;
  readonly failures: ReadonlyMap<ConversationId, string>;
  /** When threads whose newest page cannot be read now were read last; null: not in this run. */
  readonly lastReads?: ReadonlyMap<ConversationId, Millis | null>;
  /** The whole conversation list has been seen at least once in this run. */
  readonly listComplete: boolean;
  /** What the shown list lacks: nothing known, parts that are being read, or parts that the server does not give. */
  readonly listRest: 'none' | 'coming' | 'missing';
}

/** Whether the token was refused, is of another account, or is missing, so that a new one is needed. */
export const lacksToken = ({ status }: Connection): boolean =>
  status === 'unauthorized' || status === 'no-token' || status === 'other-account';

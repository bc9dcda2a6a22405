/** The messages between the thread of the HTTP server and the threads that own the database. */
import type { PlainRequest, Problem, Reply } from '../http/exchange.ts';

/** A writer answers what changes something, and a reader the rest: a reader never waits for a commit. */
export type Role = 'writer' | 'reader';

export interface WorkerOptions {
  readonly role: Role;
  /** The data file. */
  readonly path: string;
  readonly readOnOpen: boolean;
}

export type ToWorker =
  /** `saysValid`: a `valid` is sent before the reply where the token is valid. */
  | { readonly kind: 'request'; readonly number: number; readonly request: PlainRequest; readonly saysValid: boolean }
  | { readonly kind: 'ping'; readonly number: number }
  /**
   * Another thread has committed changes that these people can see. Null: another process has, and anybody may see
   * them.
   */
  | { readonly kind: 'changed'; readonly people: readonly number[] | null }
  /** Asks the writer whether another process has written to the data file since it was asked last. */
  | { readonly kind: 'check' }
  | { readonly kind: 'stopWaiting' }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** The token of this request is valid. Its reply may come much later. */
  | { readonly kind: 'valid'; readonly number: number }
  | { readonly kind: 'reply'; readonly number: number; readonly reply: Reply }
  | { readonly kind: 'pong'; readonly number: number; readonly problem: Problem | null }
  | { readonly kind: 'changed'; readonly people: readonly number[] | null };

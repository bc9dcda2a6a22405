/** What a measured program is given, and what it is. */
import type { Accounts } from './accounts.ts';
import type { Figures } from './typing.ts';

export interface World {
  readonly folder: string;
  readonly accounts: Accounts;
  tell(text: string): void;
}

/** How much of everything. */
export interface Sizes {
  readonly keys: number;
  readonly held: number;
  /** In each direction. */
  readonly moves: number;
  readonly idleSeconds: number;
  /** Without a key before the idle seconds begin: the time after which polls have become rare. */
  readonly idleAfterMs: number;
  readonly starts: number;
  readonly messages: number;
  readonly ircLines: number;
  readonly manyConversations: number;
}

export const fullSizes: Sizes = {
  keys: 200,
  held: 200,
  moves: 50,
  idleSeconds: 10,
  idleAfterMs: 46_000,
  starts: 3,
  messages: 100_000,
  ircLines: 100_000,
  manyConversations: 100_000,
};

/** To see that everything works; its figures say little. */
export const quickSizes: Sizes = {
  keys: 50,
  held: 60,
  moves: 15,
  idleSeconds: 3,
  idleAfterMs: 500,
  starts: 1,
  messages: 20_000,
  ircLines: 5_000,
  manyConversations: 10_000,
};

export interface Program {
  readonly name: string;
  isThere(): boolean;
  run(world: World, sizes: Sizes): Promise<Figures>;
}

/** Ends the flood of messages into the channel of the IRC clients. */
export const lastIrcLine = 'ENDFLOOD';

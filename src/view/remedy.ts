/** What can be done about a server that does not give what is asked for: the command, and what its key does. */
import type { Millis } from '../protocol/types.ts';
import { memoLast } from '../state/collections/memo.ts';
import { type Connection, lacksToken } from '../state/model/connection.ts';
import { literal, type SafeText } from '../text/safe-text.ts';

export interface Remedy {
  /** The id of a command. */
  readonly id: string;
  /** Follows the name of its key: `Ctrl-T takes another token`. */
  readonly does: SafeText;
  /** The end of the time that the server asks to wait: before it, no key helps. Absent: it asks for none. */
  readonly notBefore?: Millis;
}

const newToken: Remedy = { id: 'server.signIn', does: literal('takes another token') };
const anotherPoll: Remedy = { id: 'server.poll', does: literal('tries again') };

const pollAt = memoLast((notBefore: Millis): Remedy => ({ ...anotherPoll, notBefore }));

/** With a token that the server refuses, asking again is no help. */
export function remedyOf(connection: Connection): Remedy {
  if (lacksToken(connection)) return newToken;
  return connection.until === null ? anotherPoll : pollAt(connection.until);
}

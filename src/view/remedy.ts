/** What can be done about a server that does not give what is asked for: the command, and what its key does. */
import { type Connection, lacksToken } from '../state/model/connection.ts';
import { literal, type SafeText } from '../text/safe-text.ts';

export interface Remedy {
  /** The id of a command. */
  readonly id: string;
  /** Follows the name of its key: `Ctrl-T takes another token`. */
  readonly does: SafeText;
}

const newToken: Remedy = { id: 'server.signIn', does: literal('takes another token') };
const anotherPoll: Remedy = { id: 'server.poll', does: literal('tries again') };

/** With a token that the server refuses, asking again is no help. */
export const remedyOf = (connection: Connection): Remedy => (lacksToken(connection) ? newToken : anotherPoll);

/** Writes a new file at a path that the user typed. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CommandContext, SaveResult } from '../../commands/context.ts';
import { systemCause } from '../../config/errors.ts';
import type { Session } from '../../session.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';
import { writeNewFile } from './new-file.ts';

/** Makes the port that writes files. It writes in a later turn than the key, because a key must not wait for the disk. */
export const fileSaver =
  (
    session: Pick<Session, 'store'>,
    account: Pick<ChatAccount, 'server' | 'cacheDirectory'>,
  ): CommandContext['saveFile'] =>
  (typed, content, done) => {
    const path = typed.startsWith('~/') ? join(homedir(), typed.slice(2)) : resolve(typed);
    if (typeof content === 'string') setImmediate(() => done(write(path, content)));
    else
      void import('../archive/save-conversation.ts')
        .then(({ saveConversation }) => saveConversation(path, content.conversation, session.store.getState(), account))
        .then(done);
  };

/** Writes the file, unless it exists already. */
function write(path: string, text: string): SaveResult {
  try {
    writeNewFile(path, text);
    return { said: `Saved to ${path}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return { problem: `${path} already exists; choose another name` };
    if (code === 'ENOENT') return { problem: `There is no folder for ${path}; choose another path` };
    return { problem: `${path} was not saved: ${systemCause(error)}` };
  }
}

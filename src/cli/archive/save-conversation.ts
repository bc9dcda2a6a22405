/** Exports a conversation from the chat (`/export`), as Markdown. */
import { existsSync } from 'node:fs';
import type { SaveResult } from '../../commands/context.ts';
import type { ConversationId } from '../../protocol/types.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { messageOf } from '../process/exit.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';
import { entriesOf } from './entries.ts';
import { markdownOf } from './markdown.ts';
import { namesOf } from './readable.ts';
import { openSource } from './source.ts';
import { writeArchive } from './write-archive.ts';

/** A file that is there already stays as it is. Never rejects. */
export async function saveConversation(
  path: string,
  id: ConversationId,
  state: AppState,
  { server, cacheDirectory }: Pick<ChatAccount, 'server' | 'cacheDirectory'>,
): Promise<SaveResult> {
  if (existsSync(path)) return { problem: `${path} already exists; choose another name` };
  try {
    const source = openSource(cacheDirectory, server, state, state.view.connection.status === 'online');
    try {
      await writeArchive(path, markdownOf(entriesOf(source, { conversations: [id], since: null }), namesOf(state)));
    } finally {
      source.close();
    }
    return { said: `Exported to ${path}` };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** An account in a folder of its own, with people whose names are chosen to do harm in a shell. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { paths, profileDirectories } from '../../../src/config/paths.ts';
import type { Contact, Conversation } from '../../../src/protocol/types.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import * as eg from '../../support/builders/eg.ts';

const server = 'https://chat.example';

export const hostileNames = ['$(touch x)', '`touch x`', '"; touch x; "', "it's; touch x", 'a\\b !1 {x,y} ~ *'];

/** Names that no command line can hold are offered by an id instead. */
export const untypeableNames = ['new\nline', '\u202eretsaE', '\u001b]0;x\u0007', '--wait'];

export interface Home {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A conversation with each name, and a group that the user has named `Harbour crew`. */
export function accountWith(names: readonly string[], { me }: { readonly me?: string } = {}): Home {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-completion-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
  };
  const all = paths(env, 'linux', folder);
  mkdirSync(join(folder, 'config/msg-tui'), { recursive: true });
  const profile = (name: string): string => `[profiles.${name}]\nserver = "${server}"\n`;
  writeFileSync(all.configFile, `default_profile = "work"\n${profile('work')}${profile('home')}`);
  const files = profileDirectories(all, { server, profile: 'work' });
  const contacts = names.map((username, at): Contact => eg.contact({ id: `person-${at}-0000`, username }));
  const people = contacts.map(({ id }, at): Conversation => eg.conversation({ id: `chat-${at}-0000`, contactId: id }));
  const group = eg.conversation({ id: 'chat-group-0000', groupId: 'group-1' });
  const cache = openCache(files.cache);
  cache.saveContacts(contacts);
  cache.saveConversations([...people, group]);
  const own = contacts.find(({ username }) => username === me);
  const [first = null] = contacts;
  const conversationId = 'chat-0-0000';
  cache.saveMessages(conversationId, [
    eg.message({ id: 'message-1-0000', conversationId, contact: first, text: 'Hello\nthere', createdAt: 1 }),
    eg.message({ id: 'message-2-0000', conversationId, contact: own ?? first, text: 'The ferry', createdAt: 2 }),
  ]);
  cache.close();
  const outbox = openOutbox(files.data);
  outbox.saveRecords([['names', 'group-1', 'Harbour crew']]);
  if (own !== undefined) outbox.saveRecords([['me', '', { contactId: own.id, username: own.username }]]);
  outbox.close();
  return { folder, env };
}

/** The server that the contract is held against: our own on a free port, or any other named by the environment. */
import { startServer } from '../../src/server/http/start.ts';
import type { Service } from '../../src/server/rules/service.ts';
import type { DatabaseEngine } from '../../src/server/store/sql.ts';
import { openSqlite } from '../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { openServeProcess } from './serve-process.ts';

export interface Target {
  readonly url: string;
  readonly token: string;
  readonly contactId: string;
  readonly groupId: string;
  close(): Promise<void>;
}

/** A second user of our own server, who shares the group and is the contact. */
export interface OwnTarget extends Target {
  readonly username: string;
  readonly other: { readonly id: string; readonly username: string; readonly token: string };
  /** A contact who is no user, and so never reads. */
  readonly silentId: string;
  readonly admin: Service['admin'];
  readonly service: Service;
}

const { MSG_TUI_CONTRACT_URL: url, MSG_TUI_CONTRACT_TOKEN: token } = process.env;
const { MSG_TUI_CONTRACT_CONTACT: contactId, MSG_TUI_CONTRACT_GROUP: groupId } = process.env;

/** The checks of our own choices say nothing about another server. */
export const isForeign = url !== undefined;

export async function openTarget(): Promise<Target> {
  if (url === undefined) return process.env.MSG_TUI_BUILT === '1' ? openServeProcess() : openOwnTarget();
  if (token === undefined || contactId === undefined || groupId === undefined) {
    throw new Error('MSG_TUI_CONTRACT_URL needs MSG_TUI_CONTRACT_TOKEN, _CONTACT and _GROUP beside it');
  }
  return { url: url.replace(/\/$/, ''), token, contactId, groupId, close: async () => undefined };
}

const openInMemory = async (): Promise<DatabaseEngine> => openSqlite(openDatabase(':memory:'));
let openEngine = openInMemory;

/** Our own server uses the engines that `open` opens; without it, SQLite in memory. */
export function useEngine(open: () => Promise<DatabaseEngine> = openInMemory): void {
  openEngine = open;
}

export async function openOwnTarget(options: Partial<Parameters<typeof startServer>[0]> = {}): Promise<OwnTarget> {
  const server = await startServer({ engine: options.engine ?? (await openEngine()), port: 0, ...options });
  const { admin } = server.service;
  await admin.createUser({ username: 'ann' });
  const other = await admin.createUser({
    username: 'bob',
    phoneNumber: '+1 555 0100',
    avatarUrl: 'https://a.example/bob.png',
  });
  const group = await admin.createGroup('Crew', ['ann', 'bob']);
  return {
    url: server.url,
    token: (await admin.createToken('ann')).token,
    username: 'ann',
    contactId: other.id,
    groupId: group.id,
    silentId: (await admin.createContact({ username: 'cyd' })).id,
    other: { id: other.id, username: 'bob', token: (await admin.createToken('bob')).token },
    admin,
    service: server.service,
    close: () => server.close(),
  };
}

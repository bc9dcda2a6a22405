/** An archive in the chat's own session and engine: reading works, and nothing is written or asked for. */
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { archiveToOpen } from '../../../src/cli/archive/archive-session.ts';
import { runImport } from '../../../src/cli/export/import.ts';
import type { Session } from '../../../src/session.ts';
import { selectConversationName, selectUnread } from '../../../src/state/select/selectors.ts';
import { openInView } from '../../../src/state/view/view.ts';
import { createArchive } from '../../../src/storage/cache/archive-file.ts';
import { aContact, aConversation, aMessage, temporaryDirectory } from '../../storage/builders.ts';
import { jsonlOf } from './builders.ts';

const at = Date.UTC(2026, 10, 19, 13, 55);
const me = { contactId: 'me', username: 'Me' };

function anExport(): string {
  const { cache } = createArchive(null, () => at + 5_000);
  cache.saveContacts([aContact(), aContact({ id: 'me', username: 'Me' })]);
  cache.saveConversations([aConversation(), aConversation({ id: 'c2', contactId: null, groupId: 'g1' })]);
  const messages = Array.from({ length: 450 }, (_, i) =>
    aMessage({ id: `m${i}`, text: i === 7 ? 'the ferry' : `text ${i}`, createdAt: at + i * 1000 }),
  );
  cache.saveMessages('c1', messages);
  cache.saveMessages('c1', [aMessage({ id: 'm7', text: 'the ship', createdAt: at + 7000 })]);
  cache.saveReach('c1', 'server', []);
  return jsonlOf({ server: 'https://chat.example', me, names: new Map([['g1', 'Harbour crew']]), cache });
}

async function opened(path: string): Promise<Session> {
  const account = await archiveToOpen(path);
  const session = account.open?.({});
  if (session === undefined) throw new Error('an archive opens itself');
  onTestFinished(() => session.close());
  await session.start();
  return session;
}

async function look(session: Session): Promise<void> {
  const { store, engine } = session;
  expect(store.getState().view.isArchive).toBe(true);
  expect(selectConversationName(store.getState(), 'c2')).toBe('Harbour crew');
  expect(selectUnread(store.getState(), 'c1')).toBe(0);
  store.setState(openInView('c1'));
  engine.openConversation('c1');
  const thread = () => store.getState().cache.threads.get('c1');
  expect(thread()?.messages.at(-1)?.text).toBe('text 449');
  for (let i = 0; i < 5; i++) engine.needOlder('c1');
  expect(thread()?.messages[0]?.id).toBe('m0');
  expect(thread()?.older).toBe('unreachable');
  expect(session.versions('c1', 'm7')).toEqual([{ text: 'the ferry', until: at + 5_000 }]);
  let hits = 0;
  for await (const { count } of session.search({ text: 'ship', conversationId: null })) hits = count;
  expect(hits).toBe(1);
  expect(engine.enqueue({ kind: 'message.send', conversationId: 'c1', text: 'x' })).toBe(false);
  expect(store.getState().screen.notices.at(-1)?.text).toBe('This is an archive: nothing in it can be changed.');
  expect(await engine.fetchBack('c1', { kind: 'first' }, { isWanted: () => true, onPage: () => {} })).toMatchObject({
    trouble: null,
  });
  expect(store.getState().local.outbox).toEqual([]);
  expect(store.getState().view.connection).toMatchObject({ status: 'online', failures: new Map(), loading: new Set() });
}

test('a JSON Lines file and what was imported from it are read, and cannot be changed', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'chat.jsonl');
  writeFileSync(path, anExport());
  await look(await opened(path));
  await runImport(path, {});
  await look(await opened(join(folder, 'chat.db')));
  await runImport(path, {});
});

test.runIf(process.platform !== 'win32')('JSON Lines are read from a pipe, as of <(zcat chat.jsonl.gz)', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'chat.jsonl');
  writeFileSync(path, anExport());
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', path, pipe], { stdio: 'ignore' });
  onTestFinished(() => void writer.kill());
  await look(await opened(pipe));
});

test.runIf(process.platform !== 'win32')('an interrupted import leaves no file with messages on the disk', async () => {
  const folder = temporaryDirectory();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const exporting = join(folder, 'chat.jsonl');
  writeFileSync(exporting, anExport());
  const writer = spawn('sh', ['-c', '{ cat "$1"; sleep 60; } > "$2"', 'sh', exporting, pipe], { stdio: 'ignore' });
  onTestFinished(() => void writer.kill());
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  void runImport(pipe, { into: join(folder, 'chat.db') }).catch(() => undefined);
  const left = (): readonly string[] => readdirSync(folder).filter((name) => name.startsWith('.'));
  await vi.waitFor(() => expect(left()).not.toEqual([]));
  process.emit('SIGTERM');
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]);
  expect(left()).toEqual([]);
});

test('a folder with a file for each conversation is read as one archive', async () => {
  const folder = temporaryDirectory();
  const write = (name: string, server: string, id: string): void => {
    const { cache } = createArchive(null, () => at);
    cache.saveContacts([aContact({ id: name, username: name })]);
    cache.saveConversations([aConversation({ id, contactId: name })]);
    cache.saveMessages(id, [aMessage({ id: `m-${id}`, text: `from ${name}` })]);
    writeFileSync(join(folder, `${name}.jsonl`), jsonlOf({ server, me: null, names: new Map(), cache }));
  };
  write('ann', 'https://chat.example', 'c1');
  write('bob', 'https://chat.example', 'c2');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const { store } = await opened(folder);
  const names = [...store.getState().cache.conversations.keys()].map((id) =>
    selectConversationName(store.getState(), id),
  );
  expect(names.sort()).toEqual(['ann', 'bob']);
  write('cecil', 'https://other.example', 'c3');
  await expect(archiveToOpen(folder)).rejects.toThrow(/cecil\.jsonl is from https:\/\/other\.example/);
  await expect(archiveToOpen(temporaryDirectory())).rejects.toThrow('no file in this folder ends with .jsonl');
});

test('a file that is no archive is refused in one line', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'a.txt');
  await expect(archiveToOpen(path)).rejects.toThrow(`--archive ${path}: there is no such file`);
  writeFileSync(path, 'Hello');
  await expect(archiveToOpen(path)).rejects.toThrow(`${path}: this file was not written by msg-tui export`);
  writeFileSync(path, 'SQLite format 3\0 but damaged');
  await expect(archiveToOpen(path)).rejects.toThrow(`--archive ${path}`);
});

test('an import replaces archives only, and leaves the old one where the file is damaged', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'chat.jsonl');
  const other = join(folder, 'notes.db');
  writeFileSync(path, anExport());
  writeFileSync(other, 'mine');
  await expect(runImport(path, { into: other })).rejects.toThrow('exists and is not an archive');
  await runImport(path, {});
  writeFileSync(path, anExport().replace('text 300', 'text 3OO'));
  await expect(runImport(path, {})).rejects.toThrow(/chat\.jsonl:3\d\d: the hash is wrong/);
  await look(await opened(join(folder, 'chat.db')));
  await expect(runImport(join(folder, 'none.jsonl'), {})).rejects.toThrow('there is no such file');
  await expect(runImport(folder, {})).rejects.toThrow(`${folder} cannot be read: it is a folder (EISDIR)`);
  writeFileSync(path, anExport());
  const into = join(folder, 'none', 'chat.db');
  await expect(runImport(path, { into })).rejects.toThrow(`${into} was not written: there is no folder`);
});

/** `msg-tui export` into a folder, from the cache of an account. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { archiveToOpen } from '../../../src/cli/archive/archive-session.ts';
import { runExport } from '../../../src/cli/export/export.ts';
import { currentPaths, profileDirectories } from '../../../src/config/paths.ts';
import type { Seed } from '../../../src/server/seed/seed-format.ts';
import { openCache } from '../../../src/storage/cache/open.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import * as eg from '../../support/builders/eg.ts';
import { writingWorld } from '../messages/writing-world.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** An account of which the cache has a person who is in no conversation. */
async function account(people: Seed) {
  const { server } = await writingWorld(people);
  const home = temporaryDirectory();
  for (const name of ['CONFIG', 'DATA', 'CACHE', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, join(home, name));
  for (const name of ['SERVER', 'TOKEN', 'PROFILE', 'CONFIG']) vi.stubEnv(`MSG_TUI_${name}`, undefined);
  const paths = currentPaths();
  mkdirSync(join(paths.configFile, '..'), { recursive: true });
  const profiles = ['me', 'ann'].map((name) => `[profiles.${name}]\nserver = "${server.url}"\n`);
  writeFileSync(paths.configFile, profiles.join(''));
  const { cache } = profileDirectories(paths, { server: server.url, profile: 'me' });
  const opened = openCache(cache);
  opened.saveContacts([eg.contact({ id: 'c-zoe', username: 'zoe' })]);
  opened.close();
  const tokenFile = join(home, 'token');
  writeFileSync(tokenFile, server.me.token, { mode: 0o600 });
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  const folder = join(home, 'chats');
  const writeNamed = async (typed: string[], options: Parameters<typeof runExport>[1]): Promise<string> => {
    said = '';
    await runExport(typed, { tokenFile, output: `${folder}/`, ...options });
    return said.replaceAll(folder, 'chats');
  };
  const write = (options: Parameters<typeof runExport>[1]) => writeNamed([], { all: true, ...options });
  return { server, folder, write, writeNamed };
}

test('a folder of JSON Lines has the people who are in no conversation, and stderr says that conversations may be missing', async () => {
  const { folder, write } = await account({
    users: [{ username: 'me' }, { username: 'ann' }],
    conversations: [{ between: ['me', 'ann'], messages: [{ from: 'ann', text: 'Hello' }] }],
  });
  expect(await write({})).toBe(
    'msg-tui: chats/: 0 conversations; conversations may be missing (--complete reads the whole list)\n',
  );
  const [people = ''] = readdirSync(folder);
  expect(people).toMatch(/^people-\w{8}\.jsonl$/);
  const lines = () =>
    readFileSync(join(folder, people), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(lines().map(({ type }) => type)).toEqual(['header', 'person', 'list', 'end']);
  expect(lines()[2]).toMatchObject({ is_complete: false, ending: 'not_fetched' });
  expect(await write({ complete: true, timeout: 60 })).toMatch(
    /^msg-tui: chats\/ann-\w+\.jsonl: 1 conversation, 1 message\nmsg-tui: chats\/: 1 conversation\n$/,
  );
  expect(lines()).toContainEqual(expect.objectContaining({ type: 'person', username: 'zoe' }));
  await archiveToOpen(folder);
});

test('where no directory of the cache can be made, the error says so, and what is wrong with it', async () => {
  const { write } = await account({ users: [{ username: 'me' }] });
  const cacheHome = join(temporaryDirectory(), 'a file');
  writeFileSync(cacheHome, '');
  vi.stubEnv('XDG_CACHE_HOME', cacheHome);
  await expect(write({})).rejects.toMatchObject({
    code: 1,
    message: 'there is nothing to export, as no messages are kept on disk here',
    details: { warnings: [expect.stringContaining('cannot be used')] },
  });
});

test('older messages that --since leaves out are not said to be missing, or to be fetched by --complete', async () => {
  const { folder, write } = await account({
    users: [{ username: 'me' }, { username: 'ann' }],
    conversations: [
      {
        between: ['me', 'ann'],
        messages: [
          { from: 'ann', text: 'Before', at: -7200 },
          { from: 'ann', text: 'Now', at: -60 },
        ],
      },
    ],
  });
  await write({ complete: true, timeout: 60 });
  const output = `${folder}/late.md`;
  expect(await write({ since: '1h', output })).toBe(
    'msg-tui: chats/late.md: 1 conversation, 1 message; older messages of 1 left out, as --since says\n',
  );
  expect(readFileSync(output, 'utf8')).toMatch(/\n1 message\. Incomplete: older messages were left out\.\n$/);
});

test('a conversation that the cache does not know is asked for with --complete, by its name as well', async () => {
  const { writeNamed } = await account({
    users: [{ username: 'me' }, { username: 'ann' }],
    conversations: [{ between: ['me', 'ann'], messages: [{ from: 'ann', text: 'Hello' }] }],
  });
  await expect(writeNamed(['ann'], {})).rejects.toMatchObject({ code: 5 });
  expect(await writeNamed(['ann'], { complete: true, timeout: 60 })).toMatch(
    /ann-\w+\.jsonl: 1 conversation, 1 message$/m,
  );
});

test('an account without conversations writes no file of a readable format, and stderr says that there are 0 conversations', async () => {
  const { write } = await account({ users: [{ username: 'me' }] });
  expect(await write({ complete: true, timeout: 60, format: 'html' })).toBe('msg-tui: chats/: 0 conversations\n');
});

test('an incremental export does not add to the file of another server, which could not be imported any more', async () => {
  const seed: Seed = { users: [{ username: 'me' }] };
  const first = await account(seed);
  const output = `${first.folder}.jsonl`;
  await first.write({ output, incremental: true });
  const before = readFileSync(output);
  const second = await account(seed);
  await expect(second.write({ output, incremental: true })).rejects.toMatchObject({
    code: 1,
    message: expect.stringMatching(
      /chats\.jsonl is an export from http:.*, and this account is on http:.*; choose another file$/,
    ),
  });
  expect(readFileSync(output)).toEqual(before);
});

test('an incremental export does not add to the file of another account on the same server', async () => {
  const messages = [
    { from: 'ann', text: 'Hello' },
    { from: 'me', text: 'Hi' },
  ];
  const { server, folder, write } = await account({
    users: [{ username: 'me' }, { username: 'ann' }],
    conversations: [{ between: ['me', 'ann'], messages }],
  });
  const output = `${folder}.jsonl`;
  await write({ output, incremental: true, complete: true });
  const before = readFileSync(output);
  const tokenFile = join(folder, '..', 'token of ann');
  writeFileSync(tokenFile, server.as('ann').token, { mode: 0o600 });
  const other = write({ output, incremental: true, complete: true, profile: 'ann', tokenFile });
  await expect(other).rejects.toMatchObject({
    code: 1,
    message: expect.stringMatching(/chats\.jsonl is an export of another account on http:.*; choose another file$/),
  });
  expect(readFileSync(output)).toEqual(before);
});

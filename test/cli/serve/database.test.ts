/** Which database the commands of `serve` take, and what they say when it cannot be used. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { registerServe } from '../../../src/cli/serve/register.ts';

const folder = mkdtempSync(join(tmpdir(), 'serve-database-'));
const file = join(folder, 'chat.db');
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Runs a command in this process; resolves to what it printed. */
async function serve(database: string, ...words: readonly string[]): Promise<string> {
  vi.stubEnv('MSG_TUI_DATABASE', database);
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const program = new Command().exitOverride();
  registerServe(program);
  await program.parseAsync(['serve', ...words], { from: 'user' });
  return written.join('');
}

/** Nobody listens on this port. */
const nobody = 'postgres://127.0.0.1:1/chat';

test.each([
  [['user', 'list'], '', /^serve: name the database: --data FILE, --database postgres:\/\/…, or MSG_TUI_DATABASE$/],
  [['--data', file, '--database', nobody, 'user', 'list'], '', /^serve: give either --data or --database, not both$/],
  [['--database', 'postgres://ann:s3cret@h/db', 'user', 'list'], '', /^serve: (?!.*s3cret).*PGPASSWORD.*\.pgpass/],
  [['copy', '--from', file, '--to', 'postgres://:s3cret@h/db'], '', /^serve: (?!.*s3cret).*MSG_TUI_DATABASE/],
  [['migrate'], 'mysql://s3cret', /^serve: MSG_TUI_DATABASE must be an address such as postgres:\/\/USER@HOST\/NAME$/],
  [['user', 'list'], 'postgres://s3cret@h:port/db', /^serve: MSG_TUI_DATABASE must be an address such as (?!.*s3cret)/],
  [['copy'], nobody, /^serve: copy needs --from or --to, or both$/],
  [['--data', file, 'copy', '--from', file], nobody, /^serve: give the source once: --from, or --data or --database$/],
  [['copy', '--from', join(folder, 'none.db')], nobody, /none\.db does not exist$/],
])('%j with MSG_TUI_DATABASE=%s is a usage error', async (words, database, message) => {
  await expect(serve(database, ...words)).rejects.toMatchObject({ code: 2, message: expect.stringMatching(message) });
});

test.each([['user', 'list'], ['migrate'], ['--database', nobody, 'token', 'list'], ['copy', '--to', file]])(
  'a database that cannot be reached is a failure of serve %s %s',
  async (...words) => {
    await expect(serve(nobody, ...words)).rejects.toMatchObject({
      code: 1,
      message: expect.stringMatching(/^serve: the database cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1$/),
    });
    expect(existsSync(file)).toBe(false);
  },
);

test.each([
  ['user', 'list'],
  ['contact', 'rename', 'ann', 'anna'],
  ['token', 'list'],
  ['token', 'add', 'ann'],
  ['group', 'list'],
  ['group', 'add', 'Crew', 'ann'],
  ['migrate'],
])('serve %s %s does not create a database file with a mistyped name', async (...words) => {
  const typo = join(folder, 'typo.db');
  await expect(serve('', '--data', typo, ...words)).rejects.toMatchObject({
    code: 2,
    message: expect.stringMatching(/^serve: there is no database .*typo\.db; .*user add NAME$/),
  });
  expect(existsSync(typo)).toBe(false);
});

test('a seed file that cannot be read creates no database file', async () => {
  const data = join(folder, 'unseeded.db');
  await expect(serve('', '--data', data, 'seed', join(folder, 'typo.json'))).rejects.toMatchObject({
    code: 2,
    message: expect.stringMatching(/^serve: .*typo\.json cannot be read/),
  });
  expect(existsSync(data)).toBe(false);
});

test.each([
  ['a wrong form', { users: [{ name: 'ann' }] }],
  ['a conversation with nobody', { users: [{ username: 'ann' }], conversations: [{ between: ['ann', 'bob'] }] }],
])('no database file is made by a seed file that is refused: %s', async (_, json) => {
  const data = join(folder, 'refused.db');
  const seed = join(folder, 'refused.json');
  writeFileSync(seed, JSON.stringify(json));
  await expect(serve('', '--data', data, 'seed', seed)).rejects.toMatchObject({ code: 2 });
  expect(existsSync(data)).toBe(false);
});

test('a seed file is read as UTF-8, with a byte order mark or without, and any other text is refused', async () => {
  const seed = join(folder, 'seed.json');
  const data = join(folder, 'encoded.db');
  const text = JSON.stringify({ groups: [{ name: 'Café', members: [] }] });
  writeFileSync(seed, Buffer.from(text, 'latin1'));
  await expect(serve('', '--data', data, 'seed', seed)).rejects.toMatchObject({
    code: 2,
    message: `serve: ${seed} is not JSON in UTF-8`,
  });
  expect(existsSync(data)).toBe(false);
  writeFileSync(seed, `\ufeff${text}`);
  await serve('', '--data', data, 'seed', seed);
  expect(await serve('', '--data', data, 'group', 'list')).toMatch(/\tCafé\n$/);
});

test.each([
  ['user', 'add', 'ann'],
  ['contact', 'add', 'ann'],
  ['group', 'add', 'Crew'],
])('a new database file is made by serve %s %s', async (...words) => {
  const made = join(folder, `${words.join('-')}.db`);
  expect(await serve('', '--data', made, ...words)).toMatch(/^\w{16}\t/);
  expect(existsSync(made)).toBe(true);
});

test('--data overrides MSG_TUI_DATABASE, and a file is copied to a file', async () => {
  await serve(nobody, '--data', file, 'user', 'add', 'ann');
  expect(await serve('', '--data', file, 'migrate')).toBe('the tables are up to date\n');
  const lines = (await serve('', 'copy', '--from', file, '--to', `${file}.copy`)).split('\n');
  expect(lines[0]).toMatch(/^people\t1\t[0-9a-f]{64}$/);
  expect(lines.at(-2)).toBe('copied; each table has the same rows and the same digest in both');
  expect(await serve('', '--data', `${file}.copy`, 'user', 'list')).toContain('\tann\n');
  expect(await serve('', '--data', file, 'copy', '--to', `${file}.second`)).toBe(lines.join('\n'));
});

test('an empty file becomes a database, and a line says so once', async () => {
  const data = join(folder, 'empty.db');
  writeFileSync(data, '');
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  await serve('', '--data', data, 'user', 'list');
  await serve('', '--data', data, 'user', 'list');
  expect(lines).toEqual([`${data} was empty: it is now a new database, without people and messages\n`]);
});

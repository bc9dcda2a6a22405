/** Disks that are full, read-only or damaged, and files of a newer version: nothing is lost, and one line says what is. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { isFullRun } from '../support/campaigns/partition.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { seed } from './cast.ts';

const has = (command: string): boolean => {
  try {
    execFileSync('sh', ['-c', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const fileIn = (j: Journey, name: string): string => {
  const found = j.filesWith('').find((file) => file.endsWith(`/${name}`));
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

/** From now on the program's files cannot grow, as on a full disk; null ends it. */
const limitFiles = (j: Journey, bytes: number | null): void => {
  execFileSync('prlimit', ['--pid', String(j.tui.pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
};

describe.runIf(has('prlimit --version'))('a disk that becomes full', () => {
  test('Enter keeps the text in the composer and says so once; with room again it is sent', async () => {
    const j = await journey({ seed });
    await j.open('ann');
    await j.see('Bring the tickets');
    j.type('words on a full disk');
    await expect.poll(() => j.filesWith('words on a full disk')).not.toEqual([]);
    limitFiles(j, 0);
    j.press('message.send');
    await j.see('Not saved, nothing sent');
    await j.see(/To ann .*\n.*words on a full disk/);
    expect(j.screen().match(/nothing sent/g)).toHaveLength(1);
    expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);

    limitFiles(j, null);
    j.press('message.send');
    await expect.poll(() => j.server.as('ann').texts('me')).toContain('words on a full disk');
    await j.gone('nothing sent');
  });

  test('new messages are shown nevertheless, with a banner that they are in memory only', async () => {
    const j = await journey({ seed });
    await j.open('ann');
    await j.see('Bring the tickets');
    limitFiles(j, 0);
    await j.server.as('ann').send('me', 'can you hear me?');
    j.press('server.poll');
    await j.see('can you hear me?');
    // The read line could not be saved either: the newer trouble is shown before the other, and that one comes again
    // with the next thing that is to be kept.
    await j.see(/in memory only|Not saved on this machine/);
    while (j.screen().includes('Not saved on this machine')) {
      j.press('layer.back');
      await j.gone('Not saved on this machine');
      await j.see(/in memory only|Not saved on this machine/);
    }
    await j.see('in memory only');
    expect((await j.quit()).code).toBe(0);
  });
});

const readOnly = 'mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro "$HOME"';
const isRoot = process.getuid?.() === 0;

test.runIf(isRoot && has(`HOME=$(mktemp -d) unshare -m sh -c '${readOnly}'`))(
  'a read-only home: conversations can be read, and a notice says why nothing can be sent',
  async () => {
    const j = await journey({
      seed,
      wrapper: ['unshare', '-m', 'sh', '-c', `mkdir -p "$HOME" && ${readOnly} && exec "$@"`, 'sh'],
    });
    await j.see('nothing can be sent');
    await j.see('Bring the tickets');
    await j.open('ann');
    j.type('kept here');
    j.press('message.send');
    await j.see('Not saved, nothing sent');
    await j.see(/To ann .*\n.*kept here/);
    const { exited } = j.tui;
    j.press('app.quit');
    await j.answer('confirm.yes', 'Quit and lose what was not sent?');
    expect((await exited).code).toBe(0);
  },
);

test('files of a newer version are refused in one line and stay as they are', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  await j.quit();
  const path = fileIn(j, 'outbox.db');
  const database = openDatabase(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const before = readFileSync(path);
  j.start();
  expect((await j.tui.exited).code).toBe(1);
  const said = j.screen().trim();
  expect(said).toMatch(/^msg-tui: The local data has version 99 and this msg-tui knows up to \d+: update msg-tui\./);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a damaged outbox is set aside, what can be read of it is kept, and a notice says so', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('a draft worth keeping');
  await expect.poll(() => j.filesWith('a draft worth keeping')).not.toEqual([]);
  await j.quit();
  const path = fileIn(j, 'outbox.db');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 0, 100);
  writeFileSync(path, bytes);
  j.start();
  await j.see(/The outbox was damaged: \d+ records? (?:was|were) saved/);
  await j.see('a draft worth keeping');
  expect(readdirSync(join(path, '..')).some((name) => name.includes('corrupt'))).toBe(true);
});

test.runIf(isFullRun)(
  'an outbox that was emptied is not taken for a new one: a notice names the original',
  async () => {
    const j = await journey({ seed });
    await j.open('ann');
    await j.quit();
    writeFileSync(fileIn(j, 'outbox.db'), '');
    j.start();
    await j.see(/The outbox was damaged: 0 records were saved/);
  },
);

test.runIf(isFullRun)(
  'a damaged cache is created anew, with a notice, and the open conversation opens again as soon as it is loaded',
  async () => {
    const j = await journey({ seed });
    await j.open('ann');
    await j.see('Bring the tickets');
    await j.quit();
    writeFileSync(fileIn(j, 'cache.db'), Buffer.alloc(20_000, 0x5a));
    j.start();
    await j.see('The message cache was damaged');
    await j.see('To ann');
    await j.see('Bring the tickets');
  },
);

describe.runIf(process.platform === 'linux')('a disk that has room for a part of a file', () => {
  test('a setting that cannot be saved leaves config.toml as it was', () => {
    const home = mkdtempSync(join(tmpdir(), 'msg-tui-full-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const env = environmentIn(home);
    const path = execFileSync(process.execPath, [program, 'config', 'path'], { env, encoding: 'utf8' }).trim();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const text = `undo_send_seconds = 3\n${'# Somebody wrote this comment.\n'.repeat(200)}`;
    writeFileSync(path, text, { mode: 0o600 });
    const limited = 'ulimit -f 1; exec "$@"';
    const command = [process.execPath, program, 'config', 'set', 'undo_send_seconds', '7'];
    const { status, stderr } = spawnSync('sh', ['-c', limited, 'sh', ...command], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('the file cannot be written')]);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dirname(path))).toEqual(['config.toml']);
  });
});

/** `msg-tui doctor` and `msg-tui status`: beside a running chat, on a damaged profile, without a server, on a home that cannot be written. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { isFullRun } from '../support/campaigns/partition.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { seed } from './cast.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function doctor(j: Journey, words: readonly string[], wrapper: readonly string[] = []): Promise<Said> {
  const env = {
    PATH: process.env.PATH ?? '',
    ...environmentIn(j.folder),
    MSG_TUI_SERVER: j.server.url,
    MSG_TUI_TOKEN: j.server.me.token,
  };
  const [command = '', ...args] = [...wrapper, process.execPath, program, ...words];
  return new Promise((resolve) => {
    execFile(command, args, { env }, (error, out, err) => {
      const said = { code: error === null ? 0 : Number(error.code), out, err };
      expect(out + err).not.toContain(j.server.me.token);
      expect((out + err).replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      resolve(said);
    });
  });
}

interface Found {
  readonly healthy: boolean;
  readonly checks: readonly { readonly name: string; readonly verdict: string; readonly text: string }[];
  readonly learned: readonly { readonly name: string; readonly value: unknown; readonly at: string }[];
}

async function found(j: Journey, ...words: string[]): Promise<Found> {
  return JSON.parse((await doctor(j, ['doctor', '--json', ...words])).out) as Found;
}

const textOf = ({ checks }: Found, name: string): string | undefined => checks.find((one) => one.name === name)?.text;

const learnedNames = ({ learned }: Found): readonly string[] => learned.map(({ name }) => name);

/** Every file with mode and content, without the ledger; what readers of a database share beside it is nobody's content. */
function picture(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('-shm') && !/(^|\/)ledger(\/|$)/.test(name))
    .sort()
    .map((name) => {
      const stats = statSync(join(folder, name));
      const content = stats.isFile() ? readFileSync(join(folder, name)) : '';
      return `${name} ${stats.mode} ${createHash('sha256').update(content).digest('hex')}`;
    });
}

const fileNamed = (j: Journey, name: string): string =>
  join(
    j.folder,
    readdirSync(j.folder, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith(`/${name}`)) ?? '',
  );

test('beside a running chat doctor reports who sends and what was learned, which can be forgotten and is learned again', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.type('for the doctor');
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('for the doctor');
  await expect.poll(async () => learnedNames(await found(j, '--offline'))).toContain('textChange');

  const before = await found(j);
  expect(before.checks.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
  expect(textOf(before, 'sender')).toBe(`process ${j.tui.pid} sends for this profile`);
  expect(textOf(before, 'token')).toBe('in MSG_TUI_TOKEN');
  expect(learnedNames(before)).toEqual(expect.arrayContaining(['timeFormat', 'textChange']));
  const text = await doctor(j, ['doctor']);
  expect(text).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/\n\nHealthy\.\n$/) });
  // Temporary paths are long; everything else keeps to the width.
  expect(text.out.split('\n').filter((line) => line.length > 80 && !line.includes('/'))).toEqual([]);

  expect((await doctor(j, ['doctor', '--forget', 'textChange'])).out).toBe('Forgotten: textChange.\n');
  expect(learnedNames(await found(j, '--offline'))).not.toContain('textChange');
  const forgottenAt = Date.now();
  expect(JSON.parse((await doctor(j, ['doctor', '--forget', '--json'])).out).forgotten).toContain('timeFormat');

  // The chat that runs has held all of it; what it observes next is new, and nothing old comes with it.
  j.type('learned again');
  j.press('message.send');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('learned again');
  await expect.poll(async () => learnedNames(await found(j, '--offline'))).toContain('textChange');
  await j.quit();
  const { learned } = await found(j, '--offline');
  expect(learned.filter(({ at }) => Date.parse(at) < forgottenAt)).toEqual([]);
  expect(textOf(await found(j, '--offline'), 'sender')).toBe('no msg-tui sends now');
});

describe('doctor changes nothing', () => {
  test.runIf(isFullRun)('before the first start', async () => {
    const j = await journey({ seed, start: false, compilesItself: true });
    expect((await doctor(j, ['doctor'])).code).toBe(0);
    expect((await doctor(j, ['status'])).code).toBe(0);
    expect((await doctor(j, ['doctor', '--forget'])).out).toBe('Nothing to forget.\n');
    expect(existsSync(j.folder)).toBe(false);
  });

  test('while it reports damaged files, and files of a newer version', async () => {
    const j = await journey({ seed });
    await j.see('Bring the tickets');
    await j.quit();
    const [outbox, cache] = [fileNamed(j, 'outbox.db'), fileNamed(j, 'cache.db')];
    const whole = readFileSync(outbox);
    writeFileSync(outbox, Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0xa5)]));
    writeFileSync(cache, 'nothing like a database'.repeat(500));
    const before = picture(j.folder);
    const said = await doctor(j, ['doctor']);
    expect(said).toMatchObject({ code: 1, err: '', out: expect.stringContaining('2 things are wrong.') });
    expect(said.out).toMatch(/WRONG outbox\.db +damaged: /);
    expect(said.out).toMatch(/WRONG cache\.db +damaged: /);
    expect(await doctor(j, ['doctor', '--forget'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^msg-tui: nothing was forgotten: .*damaged.*\n$/),
    });
    expect(picture(j.folder)).toEqual(before);

    writeFileSync(outbox, '');
    expect((await doctor(j, ['doctor', '--offline'])).out).toMatch(/WRONG outbox\.db +damaged: the file is empty/);
    expect((await doctor(j, ['status'])).out).toMatch(/outbox\.db +damaged: the file is empty/);

    writeFileSync(outbox, whole);
    const database = openDatabase(outbox);
    database.exec('PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const newer = picture(j.folder);
    expect((await doctor(j, ['doctor', '--offline'])).out).toMatch(/WRONG outbox\.db +of version 99/);
    expect((await doctor(j, ['doctor', '--forget'])).code).toBe(1);
    expect(picture(j.folder)).toEqual(newer);
  });

  const readOnly = 'mount -t tmpfs tmpfs "$HOME" && mount -o remount,ro "$HOME"';
  const canMount = (): boolean => {
    try {
      execFileSync('sh', ['-c', `HOME=$(mktemp -d) unshare -m sh -c '${readOnly}'`], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  test.runIf(isFullRun && process.getuid?.() === 0 && canMount())(
    'in a home directory with files that cannot be written',
    async () => {
      const j = await journey({ seed });
      await j.see('Bring the tickets');
      await j.kill('SIGKILL');
      const frozen = [
        'unshare',
        '-m',
        'sh',
        '-c',
        'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"',
        'sh',
      ];
      const before = picture(j.folder);
      const { code, out } = await doctor(j, ['doctor', '--offline'], frozen);
      expect(out).toMatch(/WRONG data +~?\/.* cannot be written|cannot be written/);
      expect(out).toMatch(/ok {4}outbox\.db +whole/);
      expect(out).toMatch(/ok {4}holds +\d+ conversations/);
      expect(code).toBe(1);
      expect((await doctor(j, ['doctor', '--forget'], frozen)).code).toBe(1);
      expect(picture(j.folder)).toEqual(before);
    },
  );
});

test('an unreachable server, a refused token and hostile answers are reported without the token', async () => {
  const j = await journey({ seed, start: false });
  j.server.setHook(async (request) => {
    const secret = request.headers.get('authorization') ?? '';
    const message = `\u001b]0;pwned\u0007 ${secret} \u202eevil\nOutbox`;
    return Response.json({ error: { message } }, { status: 401, headers: { 'request-id': secret, sunset: secret } });
  });
  const refused = await doctor(j, ['doctor']);
  expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('the server does not accept this token') });
  expect(refused.out.match(/^Outbox$/gm)).toHaveLength(1);
  await j.server.stop();
  const gone = await doctor(j, ['doctor']);
  expect(gone).toMatchObject({ code: 1, out: expect.stringContaining('nothing listens at the address') });
  expect((await doctor(j, ['doctor', '--offline'])).code).toBe(0);
});

test.runIf(isFullRun)('in a locale that is not UTF-8 only ASCII is printed', async () => {
  const j = await journey({ seed });
  await j.see('ann');
  const latin = ['env', 'LC_ALL=de_DE.ISO-8859-1', `XDG_CACHE_HOME=${j.folder}/jörg …`];
  for (const words of [['doctor', '--offline'], ['status'], ['paths'], ['keys'], ['--help'], ['dóctor']]) {
    const { out, err } = await doctor(j, words, latin);
    expect(out + err).toMatch(/^[\n -~]+$/);
  }
  const { out } = await doctor(j, ['paths'], latin);
  expect(out).toContain('/j?rg ...');
  const { checks } = JSON.parse((await doctor(j, ['doctor', '--offline', '--json'], latin)).out) as Found;
  expect(JSON.stringify(checks)).toContain('jörg');
});

test('an unknown capability is refused', async () => {
  const j = await journey({ seed, start: false });
  const capability = await doctor(j, ['doctor', '--forget', 'bogus']);
  expect(capability).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^msg-tui: there is no capability "bogus"/),
  });
});

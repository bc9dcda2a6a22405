import { chmodSync, chownSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../src/config/file.ts';
import { addProfile } from '../../src/config/profiles.ts';
import { pipeIn } from '../support/system/pipe.ts';
import { configWithProfiles, temporaryDirectory } from './files.ts';

describe('config.toml', () => {
  test('counts as empty if the file is missing', async () => {
    const config = await loadConfig(join(temporaryDirectory(), 'config.toml'));
    expect([...config.profiles]).toEqual([]);
    expect(config).toMatchObject({ defaultProfile: null, values: null, warnings: [] });
  });

  test('sets the time before a message leaves, and whether reading is revealed', async () => {
    const config = await parseConfig('config.toml', 'undo_send_seconds = 2.5\nreveal_reading = false\n');
    expect(config.values).toMatchObject({ undo_send_seconds: 2.5, reveal_reading: false, resend: 'ask' });
    expect(config.warnings).toEqual([]);
  });

  test('sets whether a message may be sent again automatically', async () => {
    const config = await parseConfig('config.toml', 'resend = "auto-after-check"');
    expect(config).toMatchObject({ values: { resend: 'auto-after-check' }, warnings: [] });
  });

  test('has profiles, a default profile and a theme', async () => {
    const config = await parseConfig('config.toml', configWithProfiles);
    expect([...config.profiles.keys()]).toEqual(['work', 'at home', 'home']);
    expect(config.profiles.get('work')?.server).toBe('https://work.example.com');
    expect(config).toMatchObject({ defaultProfile: 'home', values: { theme: 'dark' }, warnings: [] });
  });

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['a syntax error', 'theme = "dark"\nserver = https://x\n', /^config\.toml:2: .*correct this line$/],
    ['a quote that is not closed', '\ntheme = "dark\nbell = 1', /^config\.toml:2: a quote is not closed; correct/],
    ['a single quote that is not closed', "theme = 'dark # it's\n", /^config\.toml:1: .*correct this line$/],
    [
      'a quote with escapes that is not closed',
      'theme = "da\\"rk\n',
      /^config\.toml:1: a quote is not closed; correct/,
    ],
    ['a control character', 'theme = "da\u0001"\n', /^config\.toml:1: (?!a quote).*; correct this line$/],
    ['a wrong type', 'theme = 7', /^config\.toml:1: theme must be a text in quotes/],
    [
      'a hold that is too long',
      'undo_send_seconds = 11',
      /^config\.toml:1: undo_send_seconds must be a number from 0 to 10/,
    ],
    ['a choice that is none', 'resend = "always"', /^config\.toml:1: resend must be "ask" or "auto-after-check"/],
    ['a switch that is none', '\nreveal_reading = "no"', /^config\.toml:2: reveal_reading must be true or false/],
    ['a wrong type in a profile', '\n[profiles.work]\n\nserver = true', /^config\.toml:4: server must be a text/],
    ['a profile without server', '\n\n[profiles.work]\n', /^config\.toml:3: profile "work" has no server; add/],
    ['a profile that is no table', '[profiles]\nwork = "https://x"', /^config\.toml:2: write the profile as a table/],
    ['profiles that are no tables', '\nprofiles = 3', /^config\.toml:2: write profiles as tables/],
    [
      'a default that is not there',
      'default_profile = "worc"\n[profiles.work]\nserver = "x"',
      /^config\.toml:1: there is no profile "worc"; the only one is "work"$/,
    ],
    ['an empty text', 'theme = " "', /^config\.toml:1: theme must be/],
  ];
  test.each(wrong)('with %s is an error with its line', async (_, text, message) => {
    await expect(parseConfig('config.toml', text)).rejects.toThrow(message);
  });

  test('gets only error messages of one line', async () => {
    for (const [, text] of wrong) {
      const error: unknown = await parseConfig('f', text).catch((reason: unknown) => reason);
      expect(String(error)).not.toContain('\n');
    }
  });

  test('gets a warning with line and suggestion for each unknown key', async () => {
    const text = 'Default-Profile = "x"\n\n[profiles."my work"]\nserver = "https://x"\nservr = 1\n';
    const { warnings } = await parseConfig('c', text);
    expect(warnings).toEqual([
      'c:1: unknown key "Default-Profile"; did you mean default_profile?',
      'c:5: unknown key "servr"; did you mean server?',
    ]);
  });

  test('gets a warning with the line of an unknown theme', async () => {
    const config = await parseConfig('c', '\ntheme = "purple"\n');
    expect(config).toMatchObject({
      values: { theme: null },
      warnings: [
        'c:2: there is no theme "purple"; use dark, light, high-contrast, colour-blind, ansi, none or the name of a file such as "mine.toml"',
      ],
    });
  });

  const many = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n');

  test.each([
    ['blanks on a line', `unknown = 1\n${' '.repeat(200_000)}\nother = 2\n`],
    ['blanks before a comment', `${' '.repeat(200_000)}# =\nother = 2\n`],
    ['blanks inside of a text', `a = """\n${' '.repeat(200_000)}x\n"""\nother = 2\n`],
    ['quotes inside of a text', `a = '''\n${'"\\'.repeat(100_000)} =\n'''\nother = 2\n`],
    ['unknown keys', many(50_000, (index) => `key${index} = 1`)],
    ['profiles', many(20_000, (index) => `[profiles.p${index}]\nserver = "x"`)],
    ['profiles with unknown keys', many(20_000, (index) => `[profiles.p${index}]\nserver = "x"\ny = 1`)],
  ])('with very many %s is read in linear time', async (_, text) => {
    const startedAt = performance.now();
    await parseConfig('c', text);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('with very many unknown keys gets a warning for the first ones, and the number of the others', async () => {
    const { warnings } = await parseConfig(
      'c',
      many(50_000, (index) => `key${index} = 1`),
    );
    expect(warnings).toHaveLength(21);
    expect(warnings[19]).toMatch(/^c:20: unknown key "key19"/);
    expect(warnings[20]).toBe('c: 49980 more keys are unknown');
  });

  test('of more than a megabyte is one clear line', async () => {
    const file = join(temporaryDirectory(), 'config.toml');
    writeFileSync(file, '#'.repeat(1_000_001));
    await expect(loadConfig(file)).rejects.toThrow(/config\.toml: this is larger than 1 MB$/);
  });

  test('is one clear line if it is a directory', async () => {
    const directory = temporaryDirectory();
    await expect(loadConfig(directory)).rejects.toThrow(/this is a directory and no file/);
  });
});

test('a device and a file without an end are refused before they are read', async () => {
  const big = join(temporaryDirectory(), 'config.toml');
  writeFileSync(big, '');
  truncateSync(big, 2 ** 40);
  await expect(loadConfig(big)).rejects.toThrow(/larger than 1 MB/);
  await expect(loadConfig('/dev/zero')).rejects.toThrow(/a device/);
});

describe.skipIf(process.platform === 'win32')('a config.toml of other users', () => {
  const written = (mode: number): string => {
    const file = join(temporaryDirectory(), 'config.toml');
    writeFileSync(file, configWithProfiles);
    chmodSync(file, mode);
    return file;
  };

  test('is refused if everybody can write to it, or another group can', async () => {
    const refusal = /^\S+config\.toml: other users can write to this file; run chmod go-w on it$/;
    await expect(loadConfig(written(0o666))).rejects.toThrow(refusal);
    expect((await loadConfig(written(0o664))).defaultProfile).toBe('home');
    if (process.getuid?.() !== 0) return;
    const file = written(0o664);
    chownSync(file, 0, 65534);
    await expect(loadConfig(file)).rejects.toThrow(refusal);
  });

  test.runIf(process.getuid?.() === 0)('is refused if another user owns it', async () => {
    const file = written(0o644);
    chownSync(file, 65534, 65534);
    await expect(loadConfig(file)).rejects.toThrow('this belongs to another user (uid 65534); put a copy of your own');
    await expect(addProfile(file, 'new', 'https://x.example.com')).rejects.toThrow('belongs to another user');
  });
});

test.skipIf(process.platform === 'win32')(
  'a pipe in the place of config.toml is refused and not waited for',
  async () => {
    const pipe = pipeIn(temporaryDirectory(), 'config.toml');
    await expect(loadConfig(pipe)).rejects.toThrow(`${pipe}: this is a pipe or a device and no file`);
    await expect(addProfile(pipe, 'work', 'https://x.example.com')).rejects.toThrow('this is a pipe');
  },
);

test('token_command of a profile is a list or a line; any other value is reported with its line', async () => {
  const of = (value: string) =>
    parseConfig('c', `[profiles.work]\nserver = "https://a.example"\ntoken_command = ${value}\n`);
  expect((await of('["pass", "show chat"]')).profiles.get('work')?.tokenCommand).toEqual(['pass', 'show chat']);
  expect((await of('"pass show chat"')).profiles.get('work')?.tokenCommand).toEqual(['pass', 'show', 'chat']);
  for (const wrong of ['7', '[]', '[""]', '["a", 1]', '"\'open"'])
    await expect(of(wrong)).rejects.toThrow(/^c:3: token_command must be a program and its arguments, as in/);
});

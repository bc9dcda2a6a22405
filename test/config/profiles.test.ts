import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../src/config/file.ts';
import { addProfile, loadProfile } from '../../src/config/profiles.ts';
import { configWithProfiles, temporaryDirectory } from './files.ts';

describe('the profile of a run', () => {
  const none = { server: null, profile: null };

  test('comes from the command line, MSG_TUI_SERVER, MSG_TUI_PROFILE, the default, or is the first one', async () => {
    const config = await parseConfig('c', configWithProfiles);
    const both = { server: 'https://env.example.com', profile: 'work' };
    expect(loadProfile(config, { ...none, profile: 'at home' })?.server).toBe('https://other.example.com');
    expect(loadProfile(config, both)).toEqual({
      source: 'environment',
      name: 'environment',
      server: both.server,
      tokenCommand: null,
    });
    expect(loadProfile(config, { ...none, profile: 'work' })?.name).toBe('work');
    expect(loadProfile(config, none)?.name).toBe('home');
    const without = await parseConfig('c', configWithProfiles.replace('default_profile', '# default_profile'));
    expect(loadProfile(without, none)).toEqual({
      source: 'config',
      name: 'work',
      server: 'https://work.example.com',
      tokenCommand: null,
    });
  });

  test('is none if nothing is configured; an unknown name is an error', async () => {
    const empty = await parseConfig('c', '');
    expect(loadProfile(empty, none)).toBeNull();
    expect(() => loadProfile(empty, { ...none, profile: 'work' })).toThrow(
      'c: there is no profile "work"; none is configured',
    );
    const config = await parseConfig('c', configWithProfiles);
    expect(() => loadProfile(config, { ...none, profile: 'constructor' })).toThrow(
      /there are "work", "at home", "home"/,
    );
  });
});

describe('addProfile', () => {
  test('creates the file, and makes the first profile the default', async () => {
    const file = join(temporaryDirectory(), 'new', 'config.toml');
    await addProfile(file, 'work', 'https://work.example.com');
    const config = await loadConfig(file);
    expect(config.defaultProfile).toBe('work');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('appends, and keeps every byte before', async () => {
    const file = join(temporaryDirectory(), 'config.toml');
    writeFileSync(file, configWithProfiles.trimEnd());
    await addProfile(file, 'third', 'https://x.example.com/a"b\\c');
    expect(readFileSync(file, 'utf8').startsWith(configWithProfiles)).toBe(true);
    const config = await loadConfig(file);
    expect([...config.profiles.keys()]).toEqual(['work', 'at home', 'home', 'third']);
    expect(config.profiles.get('third')?.server).toBe('https://x.example.com/a"b\\c');
  });

  test('changes nothing when called again; another server under the same name is refused', async () => {
    const file = join(temporaryDirectory(), 'config.toml');
    writeFileSync(file, configWithProfiles);
    await addProfile(file, 'work', 'https://work.example.com');
    await expect(addProfile(file, 'work', 'https://evil.example.com')).rejects.toThrow(/already exists/);
    expect(readFileSync(file, 'utf8')).toBe(configWithProfiles);
  });

  test('refuses a file that does not parse and an invalid name, and writes nothing', async () => {
    const file = join(temporaryDirectory(), 'config.toml');
    writeFileSync(file, 'theme = \n');
    await expect(addProfile(file, 'work', 'https://x')).rejects.toThrow(/:1: /);
    writeFileSync(file, 'profiles = { home = { server = "https://x" } }\n');
    await expect(addProfile(file, 'work', 'https://x')).rejects.toThrow(/config\.toml/);
    await expect(addProfile(file, 'a]b', 'https://x')).rejects.toThrow(/profile name/);
    expect(readFileSync(file, 'utf8')).toBe('profiles = { home = { server = "https://x" } }\n');
  });

  test('says what to write by hand if the profiles are in an inline table', async () => {
    const file = join(temporaryDirectory(), 'config.toml');
    const text = 'profiles = { home = { server = "https://x" } }\n';
    writeFileSync(file, text);
    await expect(addProfile(file, 'work', 'https://y')).rejects.toThrow(
      `${file}: the profile cannot be added in place; write work = { server = "https://y" } into profiles by hand`,
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
    writeFileSync(file, text.replace(' } }', ' }, work = { server = "https://y" } }'));
    expect((await loadConfig(file)).profiles.get('work')?.server).toBe('https://y');
  });

  test('follows a link and keeps it', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'dotfiles'));
    const target = join(directory, 'dotfiles', 'config.toml');
    writeFileSync(target, configWithProfiles);
    const link = join(directory, 'config.toml');
    symlinkSync(target, link);
    await addProfile(link, 'third', 'https://x.example.com');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('[profiles.third]');
  });
});

/** What the settings screen does with config.toml. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chatSettings, settingsOf } from '../../../src/cli/config/chat-settings.ts';
import { SettingsFile } from '../../../src/cli/config/settings-file.ts';
import { readEnvironment, type Variables } from '../../../src/config/environment.ts';
import { settingIds } from '../../../src/config/settings-table.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

async function opened(text: string | null, variables: Variables = {}) {
  const file = join(temporaryDirectory(), 'new', 'config.toml');
  if (text !== null) {
    mkdirSync(dirname(file));
    writeFileSync(file, text);
  }
  const settings = new SettingsFile(file, readEnvironment(variables));
  const page = await settings.read();
  const of = (id: string) => page.entries.find((entry) => entry.id === id);
  return { file, settings, page, of, text: () => readFileSync(file, 'utf8') };
}

test('every setting has its value, its source, and the values to step through', async () => {
  const { page, of, file } = await opened('# mine\nmouse = false\n', { MSG_TUI_THEME: 'light' });
  expect(page.problem).toBeNull();
  expect(page.entries.map(({ id }) => id).sort()).toEqual([...settingIds].sort());
  expect(page.entries.filter(({ group }) => group === 'Other')).toEqual([]);
  expect(of('mouse')).toMatchObject({ value: false, source: 'config.toml:2', isInFile: true, choices: [true, false] });
  expect(of('theme')).toMatchObject({ value: 'light', source: 'MSG_TUI_THEME', variable: 'MSG_TUI_THEME' });
  expect(of('undo_send_seconds')).toMatchObject({ value: 0, choices: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
  expect(of('notify.quiet_hours')).toMatchObject({ value: null, source: 'default', choices: null });
  expect(of('keys.bind')).toMatchObject({ value: null, elsewhere: expect.stringContaining('the help') });
  mkdirSync(join(dirname(file), 'themes'));
  writeFileSync(join(dirname(file), 'themes', 'mine.toml'), '');
  const again = new SettingsFile(file, readEnvironment({}));
  expect((await again.read()).entries.find(({ id }) => id === 'theme')?.choices).toContain('mine.toml');
});

test('the chat knows every setting, also without a readable file', async () => {
  const known = (await opened(null)).page.entries.map(({ id }) => id);
  const wrong = await chatSettings(readEnvironment({}), Promise.reject(new Error('no such file')));
  expect(wrong.settings.known.map(({ id }) => id)).toEqual(known);
  expect(settingsOf({ values: null }).known).toEqual(wrong.settings.known);
});

test('a value takes effect in the running program before it is written, and unset means the default', async () => {
  const { settings } = await opened('mouse = false\n');
  expect(settings.changes({}, { mouse: true, 'notify.method': 'bell' })).toMatchObject({
    mouse: true,
    notify: { method: 'bell' },
  });
  expect(settings.changes({}, { mouse: null })).toEqual({ mouse: true });
  expect(settings.changes({ mouse: true }, { mouse: true })).toEqual({});
});

test('writing keeps comments and order, and an invalid value is reported in one line', async () => {
  const { settings, text } = await opened('# mine\nmouse = false # here\n[notify]\nmethod = "bell"\n');
  expect(await settings.write({ mouse: true, theme: 'dark', 'notify.method': null })).toEqual({
    said: 'Written to config.toml: mouse, theme, notify.method',
  });
  expect(text()).toBe('# mine\nmouse = true # here\ntheme = "dark"\n');
  expect(settings.check('notify.quiet_hours', '22')).toEqual({
    problem: 'notify.quiet_hours must be two different times of the day, as in 22:00-07:00',
  });
  expect(await settings.write({ 'notify.method': 'command' })).toEqual({
    problem: expect.stringContaining('needs command'),
  });
  expect(await settings.set('thme', 'dark')).toEqual({ problem: 'There is no setting "thme"; did you mean theme?' });
  expect(await settings.set('keys.bind', 'x')).toEqual({ problem: expect.stringContaining('must be a table') });
  expect(await settings.set('keys.bind', '{ "app.quitt" = "f9" }')).toEqual({
    problem: expect.stringContaining('did you mean app.quit?'),
  });
  expect(await settings.set('notify.command', '["say", "{title}"]')).toHaveProperty('said');
  expect(text()).toContain('command = ["say", "{title}"]');
  expect(await settings.set('hooks.arrival', "/bin/on-message --to 'me and you'")).toHaveProperty('said');
  expect(text()).toContain('arrival = ["/bin/on-message", "--to", "me and you"]');
  expect(settings.check('hooks.arrival', "/bin/on-message 'me")).toEqual({
    problem: 'hooks.arrival has a quote that is not closed',
  });
});

test('the first setting creates the file, and a setting that takes effect after a restart says so', async () => {
  const { settings, file, text } = await opened(null);
  expect(existsSync(file)).toBe(false);
  expect(await settings.set('theme', 'dark')).toHaveProperty('said');
  expect(text()).toBe('theme = "dark"\n');
  writeFileSync(file, '[profiles.a]\nserver = "https://a.example"\n');
  expect(await settings.set('default_profile', 'a')).toEqual({
    said: 'Written to config.toml: default_profile; default_profile will take effect after a restart',
  });
});

test.each(['theme = [', 'mouse = "no"\n', 'notify = 3\n'])(
  '%j is reported, and nothing is written to it',
  async (wrong) => {
    const { page, settings, text } = await opened(wrong);
    expect(page.problem).toMatch(/config\.toml:1: \S.*/);
    expect(page.problem).not.toContain('\n');
    expect(await settings.write({ theme: 'dark' })).toHaveProperty('problem');
    expect(text()).toBe(wrong);
  },
);

test('of several problems, the one that has to be corrected is named and the others are counted', async () => {
  const { page } = await opened('theme = "drak"\nfoo = 1\nmouse = "no"\n');
  expect(page.problem).toMatch(/^config\.toml:3: mouse .*\(and 2 more: see msg-tui config check\)$/);
});

test('an unknown key does not prevent writing', async () => {
  const { page, settings } = await opened('foo = 1\n');
  expect(page.problem).toBeNull();
  expect(await settings.write({ theme: 'dark' })).toHaveProperty('said');
});

test('what another program writes into the file at the same time is not overwritten', async () => {
  const { settings, file, text } = await opened('mouse = false\n');
  const written = settings.write({ theme: 'dark' });
  writeFileSync(file, 'mouse = false\nkeyring = false\n');
  expect(await written).toHaveProperty('said');
  expect(text()).toBe('mouse = false\nkeyring = false\ntheme = "dark"\n');
});

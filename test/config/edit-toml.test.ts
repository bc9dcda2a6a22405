import { expect, test } from 'vitest';
import { renameTable, setInToml, unsetInToml } from '../../src/config/edit-toml.ts';

const file = `# mine
theme = "dark"   # at night
resend = 'ask'

# how I am notified
[notify] # here
command = [
  "notify-send", # a ] in a comment
  "{title}",
]
title = true

[profiles."at home"]
server = "https://x.example"
`;

const set = (text: string, path: string, literal: string) => setInToml('c', text, path.split('.'), literal);
const unset = (text: string, path: string) => unsetInToml('c', text, path.split('.'));

test('a value is replaced, and everything around it stays', async () => {
  expect(await set(file, 'theme', '"light"')).toBe(file.replace('"dark"', '"light"'));
  const list = /\[\n[\s\S]*\n\]/;
  expect(await set(file, 'notify.command', '["say"]')).toBe(file.replace(list, '["say"]'));
});

test('a new key goes after the others of its table, or into a new table', async () => {
  expect(await set(file, 'mouse', 'false')).toBe(file.replace("'ask'\n", "'ask'\nmouse = false\n"));
  expect(await set(file, 'notify.method', '"bell"')).toBe(file.replace('= true\n', '= true\nmethod = "bell"\n'));
  expect(await set('a = 1', 'notify.method', '"bell"')).toBe('a = 1\n\n[notify]\nmethod = "bell"\n');
  expect(await set('', 'theme', '"dark"')).toBe('theme = "dark"\n');
  expect(await set('# x\n[notify]\n', 'theme', '"dark"')).toBe('theme = "dark"\n\n# x\n[notify]\n');
  expect(await set('notify.title = true\n', 'notify.method', '"bell"')).toBe(
    'notify.title = true\nnotify.method = "bell"\n',
  );
  expect(await set('a = 1\r\n', 'theme', '"dark"')).toBe('a = 1\r\ntheme = "dark"\r\n');
});

test('a key is removed with its line', async () => {
  expect(await unset(file, 'theme')).toBe(file.replace('theme = "dark"   # at night\n', ''));
  expect(await unset(file, 'mouse')).toBe(file);
  const made = 'a = 1\n\n[notify]\nmethod = "bell"\n';
  expect(await unset(made, 'notify.method')).toBe('a = 1\n');
  expect(await unset(`${made}# x\n`, 'notify.method')).toBe('a = 1\n\n[notify]\n# x\n');
  expect(await unset(`${made}title = true\n`, 'notify.method')).toBe('a = 1\n\n[notify]\ntitle = true\n');
});

test('lines inside of a multi-line text are not taken for keys', async () => {
  const text = 'a = """\ntheme = "x"\n[notify]\n"""\n';
  expect(await set(text, 'theme', '"dark"')).toBe(`${text}theme = "dark"\n`);
});

test('a key that cannot be changed in place stays as it is', async () => {
  expect(await set('notify = { title = true }\n', 'notify.method', '"bell"')).toBeNull();
  expect(await unset('notify = { title = true }\n', 'notify.title')).toBeNull();
});

test('a table is removed with the tables in it, and renamed in its place; comments stay', async () => {
  const text = [
    'theme = "dark"',
    '',
    '# at work',
    '[profiles.work] # mine',
    'server = "https://a.example"',
    '',
    '["profiles"."work".more]',
    'x = """',
    '[profiles.work]',
    '"""',
    '',
    '[profiles.home]',
    'server = "https://b.example"',
    '',
  ].join('\n');
  expect(await unsetInToml('c', text, ['profiles', 'work'])).toBe(
    'theme = "dark"\n\n# at work\n\n[profiles.home]\nserver = "https://b.example"\n',
  );
  expect(await unsetInToml('c', text, ['profiles', 'other'])).toBe(text);
  expect(await renameTable('c', text, ['profiles', 'work'], 'office')).toBe(
    text
      .replace('[profiles.work] #', '[profiles.office] #')
      .replace('["profiles"."work".more]', '[profiles.office.more]'),
  );
  const inline = 'profiles = { work = { server = "https://a.example" } }\n';
  expect(await unsetInToml('c', inline, ['profiles', 'work'])).toBeNull();
  expect(await renameTable('c', inline, ['profiles', 'work'], 'office')).toBeNull();
  const dotted = 'profiles.work.server = "https://a.example"\nprofiles.home.server = "https://b.example"\n';
  expect(await unsetInToml('c', dotted, ['profiles', 'work'])).toBe('profiles.home.server = "https://b.example"\n');
});

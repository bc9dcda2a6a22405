import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadOwnThemes, themeProblems } from '../../../src/cli/config/own-themes.ts';
import { isThemeFile } from '../../../src/config/theme.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

function folder() {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'themes'));
  const write = (text: string, name = 'mine.toml'): void => writeFileSync(join(directory, 'themes', name), text);
  return { configFile: join(directory, 'config.toml'), write };
}

const linkOf = (themes: Awaited<ReturnType<typeof loadOwnThemes>>, name = 'mine.toml') =>
  themes.of(name)?.dark.colours.link.ink;

test('the theme of the first frame is loaded at once, another one when it has been read', async () => {
  const { configFile, write } = folder();
  write('[dark]\nlink = "#00ff00"\n');
  write('[dark]\nlink = "#ffff00"\n', 'other.toml');
  const themes = await loadOwnThemes(configFile, 'mine.toml');
  expect(linkOf(themes)).toEqual([0, 255, 0]);
  expect(themes.of('dark')).toBeNull();
  await expect.poll(() => linkOf(themes, 'other.toml')).toEqual([255, 255, 0]);
});

test('a change of the theme file is taken over, and what is wrong in it is reported once', async () => {
  const { configFile, write } = folder();
  write('[dark]\nlink = "#00ff00"\n');
  const themes = await loadOwnThemes(configFile, 'mine.toml');
  const said: (string | null)[] = [];
  let painted = 0;
  const stop = themes.follow(
    (problem) => said.push(problem),
    () => painted++,
  );
  write('[dark]\nlink = "#333333"\nmuted = "grey"\n');
  await expect
    .poll(() => said)
    .toEqual([
      'mine.toml: [dark] link: the contrast with the background is 1.7 to 1; text needs 4.5 to 1 (and 1 more: see msg-tui config check)',
    ]);
  expect(linkOf(themes)).toEqual([51, 51, 51]);
  expect(painted).toBeGreaterThan(0);
  write('[dark\n');
  await expect.poll(() => said.at(-1)).toMatch(/mine\.toml:1: /);
  expect(linkOf(themes)).not.toEqual([51, 51, 51]);
  write('[dark]\nlink = "#00ff00"\n');
  await expect.poll(() => said.at(-1)).toBeNull();
  write('[dark\n');
  await expect.poll(() => said.at(-1)).toMatch(/mine\.toml:1: /);
  expect(themes.of('dark')).toBeNull();
  await expect.poll(() => said.at(-1)).toBeNull();
  stop();
});

test('a change of the file that a symbolic link points to is taken over', async () => {
  const { configFile, write } = folder();
  const target = join(temporaryDirectory(), 'harbour.toml');
  const other = join(temporaryDirectory(), 'other.toml');
  writeFileSync(target, '[dark]\nlink = "#00ff00"\n');
  write('[dark]\nlink = "#ffff00"\n', 'plain.toml');
  const link = join(dirname(configFile), 'themes', 'mine.toml');
  symlinkSync(target, link);
  const themes = await loadOwnThemes(configFile, 'plain.toml');
  const stop = themes.follow(
    () => undefined,
    () => undefined,
  );
  await expect.poll(() => linkOf(themes)).toEqual([0, 255, 0]);
  writeFileSync(target, '[dark]\nlink = "#ff8800"\n');
  await expect.poll(() => linkOf(themes)).toEqual([255, 136, 0]);
  writeFileSync(other, '[dark]\nlink = "#00ffff"\n');
  rmSync(link);
  symlinkSync(other, link);
  await expect.poll(() => linkOf(themes)).toEqual([0, 255, 255]);
  writeFileSync(other, '[dark]\nlink = "#00ff00"\n');
  await expect.poll(() => linkOf(themes)).toEqual([0, 255, 0]);
  stop();
});

test('a file in a folder that is created while the chat is open is taken over', async () => {
  const directory = temporaryDirectory();
  const themes = await loadOwnThemes(join(directory, 'config.toml'), 'mine.toml');
  const said: (string | null)[] = [];
  const stop = themes.follow(
    (problem) => said.push(problem),
    () => undefined,
  );
  expect(said.at(-1)).toMatch(/no such file/);
  mkdirSync(join(directory, 'themes'));
  writeFileSync(join(directory, 'themes', 'mine.toml'), '[dark]\nlink = "#00ff00"\n');
  await expect.poll(() => said.at(-1)).toBeNull();
  expect(linkOf(themes)).toEqual([0, 255, 0]);
  stop();
});

test('without its file a theme has the colours of the built-in theme, and a notice says so', async () => {
  const { configFile } = folder();
  expect(await themeProblems(configFile, 'none.toml')).toEqual([
    `${join(dirname(configFile), 'themes', 'none.toml')}: there is no such file or folder (ENOENT)`,
  ]);
  expect(await themeProblems(configFile, 'dark')).toEqual([]);
});

test.each(['../x.toml', 'a/b.toml', '.toml', '.hidden.toml', 'a\\b.toml', 'mine', 'a\u001b.toml', ''])(
  '%j is not the name of a theme file',
  (name) => expect(isThemeFile(name)).toBe(false),
);

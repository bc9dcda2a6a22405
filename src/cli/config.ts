/** `msg-tui config`: prints, checks and changes config.toml. */

import { writeAtomically } from '../config/atomic-write.ts';
import { setInToml, unsetInToml } from '../config/edit-toml.ts';
import { readEnvironment } from '../config/environment.ts';
import { systemCause } from '../config/errors.ts';
import { inspectConfig, problemLine, readConfigText } from '../config/file.ts';
import { currentPaths } from '../config/paths.ts';
import { isProfileName } from '../config/profiles.ts';
import { readWords } from '../config/setting-words.ts';
import { type SettingId, settingOf } from '../config/settings-table.ts';
import { nearest } from '../config/suggest.ts';
import { normaliseBaseUrl } from '../protocol/base-url.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { plain, plainJson } from './ascii-output.ts';
import {
  exampleFile,
  settingNames,
  settingsAsJson,
  settingsAsMarkdown,
  settingsAsText,
  settingValues,
  valueText,
} from './config-values.ts';
import { editConfig } from './edit-config.ts';
import { ExitError, exitCodes, messageOf } from './exit.ts';
import { keyProblems } from './key-problems.ts';
import { processOutput } from './output/print.ts';
import { themeProblems } from './own-themes.ts';
import { settingsOf } from './settings.ts';

export interface ListOptions {
  readonly json?: boolean;
  readonly example?: boolean;
  readonly markdown?: boolean;
}

export const printPath = (): void => print(currentPaths().configFile);

const print = (text: string): void => void process.stdout.write(`${plain(sanitizeLine(text))}\n`);

const inspectFile = async (file: string) => inspectConfig(file, readConfigText(file));

export async function list({ json, example, markdown }: ListOptions): Promise<void> {
  if (example === true) return void process.stdout.write(plain(exampleFile()));
  if (markdown === true) return void process.stdout.write(plain(settingsAsMarkdown()));
  const file = currentPaths().configFile;
  const settings = settingValues(await inspectFile(file), readEnvironment());
  if (json === true) return void process.stdout.write(plainJson(settingsAsJson(file, settings)));
  const output = processOutput();
  output.text(settingsAsText(settings, output.columns));
}

export async function get(name: string): Promise<void> {
  const id = knownSetting(name);
  const file = currentPaths().configFile;
  const found = settingValues(await inspectFile(file), readEnvironment()).find((setting) => setting.id === id);
  const value = found?.value ?? null;
  if (value !== null) print(typeof value === 'string' ? value : valueText(value));
}

/** @throws ExitError */
function knownSetting(name: string): SettingId {
  const id = settingOf(name);
  if (id !== null) return id;
  const near = nearest(name, settingNames);
  const hint = near === null ? 'msg-tui config list prints them all' : `did you mean ${near}?`;
  throw new ExitError(exitCodes.usage, `there is no setting ${JSON.stringify(name)}; ${hint}`);
}

export async function set(name: string, words: readonly string[]): Promise<void> {
  const profile = /^profiles\.([^.]+)\.server$/.exec(name)?.[1];
  if (profile !== undefined) return setServer(profile, words);
  const id = knownSetting(name);
  const read = readWords(id, words);
  if ('problem' in read) throw new ExitError(exitCodes.usage, read.problem);
  const file = currentPaths().configFile;
  const before = readConfigText(file);
  const text = await setInToml(file, before, id.split('.'), read.literal);
  if (text === null) throw notInPlace(file, id);
  const wrong = (await inspectConfig(file, text)).problems.find(({ key }) => key === id);
  if (wrong !== undefined) throw new ExitError(exitCodes.usage, wrong.text);
  if (text !== before) save(file, text);
  const { variable, from } = { variable: '', ...sourceAfter(id) };
  if (from === 'environment')
    process.stderr.write(plain(`msg-tui: saved, but ${variable} is set and overrides config.toml\n`));
}

/** Changes the server of a profile, or adds the profile. @throws ExitError */
async function setServer(name: string, [address = '', ...more]: readonly string[]): Promise<void> {
  if (more.length > 0) throw new ExitError(exitCodes.usage, 'a profile has one server: give one address');
  // An http address is judged at the start, which knows --insecure-http.
  const server = normaliseBaseUrl(address, { insecureHttp: true });
  if ('problem' in server) throw new ExitError(exitCodes.usage, server.problem);
  if (!isProfileName(name)) throw new ExitError(exitCodes.usage, 'a profile name has 1 to 64 letters, digits, - and _');
  const file = currentPaths().configFile;
  const before = readConfigText(file);
  const path = ['profiles', name, 'server'];
  const text = await setInToml(file, before, path, JSON.stringify(server.url));
  if (text === null) throw notInPlace(file, path.join('.'));
  if (text !== before) save(file, text);
}

function sourceAfter(id: SettingId): { readonly from: string; readonly variable?: string } {
  const { profile, theme } = readEnvironment();
  if (id === 'theme' && theme !== null) return { from: 'environment', variable: 'MSG_TUI_THEME' };
  if (id === 'default_profile' && profile !== null) return { from: 'environment', variable: 'MSG_TUI_PROFILE' };
  return { from: 'file' };
}

export async function unset(name: string): Promise<void> {
  const id = knownSetting(name);
  const file = currentPaths().configFile;
  const before = readConfigText(file);
  const text = await unsetInToml(file, before, id.split('.'));
  if (text === null) throw notInPlace(file, id);
  if (text === before) process.stderr.write(plain(`msg-tui: ${id} is not set in ${sanitizeLine(file)}\n`));
  else save(file, text);
}

const notInPlace = (file: string, id: string): ExitError =>
  new ExitError(
    exitCodes.failure,
    `${file}: ${id} is written in a form that cannot be changed in place; use msg-tui config edit`,
  );

/** @throws ExitError */
function save(file: string, text: string): void {
  try {
    writeAtomically(file, text, 0o600);
  } catch (error) {
    throw new ExitError(exitCodes.failure, `${file}: the setting was not saved: ${systemCause(error)}`);
  }
}

export async function check(): Promise<void> {
  const file = currentPaths().configFile;
  const text = readConfigText(file);
  const { themeProblem } = readEnvironment();
  const inVariables = themeProblem === null ? [] : [themeProblem];
  const lines = [...(await problemsOf(file, text)), ...(await problemsOfTheme(file, text)), ...inVariables];
  for (const line of lines) print(line);
  if (lines.length > 0) process.exitCode = exitCodes.failure;
  else print(`${file}: nothing is wrong`);
}

const problemsOfTheme = async (file: string, text: string): Promise<readonly string[]> => {
  const inFile = await inspectConfig(file, text).catch(() => null);
  return themeProblems(file, readEnvironment().theme ?? inFile?.values.theme ?? null);
};

/** Never throws: a text that is no TOML has one problem. */
async function problemsOf(file: string, text: string): Promise<readonly string[]> {
  try {
    const inspected = await inspectConfig(file, text);
    const lines = inspected.problems.map((problem) => problemLine(file, problem));
    return [...lines, ...keyProblems(settingsOf(inspected).keys).map((problem) => `${file}: ${problem}`)];
  } catch (error) {
    return [messageOf(error)];
  }
}

export async function edit(): Promise<void> {
  const file = currentPaths().configFile;
  const before = readConfigText(file);
  const text = await editConfig(before === '' ? exampleFile() : before, (edited) => problemsOf('config.toml', edited));
  if (text === null || text === before) print('Nothing was changed.');
  else save(file, text);
}

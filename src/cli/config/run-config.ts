/** `msg-tui config`: prints, checks and changes config.toml. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { writeAtomically } from '../../config/atomic-write.ts';
import { setInToml, unsetInToml } from '../../config/edit-toml.ts';
import { readEnvironment } from '../../config/environment.ts';
import { systemCause } from '../../config/errors.ts';
import {
  changeConfigText,
  inspectConfig,
  parseToml,
  problemLine,
  readConfigText,
  replaceConfigText,
} from '../../config/file.ts';
import { currentPaths } from '../../config/paths.ts';
import { readWords } from '../../config/setting-words.ts';
import { overridingVariable, type SettingId, settingOf } from '../../config/settings-table.ts';
import { nearest } from '../../config/suggest.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { processOutput } from '../output/print.ts';
import { forLocale, jsonForLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import { configProblems, newProblem } from './config-problems.ts';
import { editConfig } from './edit-in-editor.ts';
import { themeProblems } from './own-themes.ts';
import { fieldLiteral, fieldText, profileField, requireRemovable } from './profile-fields.ts';
import {
  exampleFile,
  settingNames,
  settingsAsJson,
  settingsAsMarkdown,
  settingsAsText,
  settingValues,
  valueText,
} from './setting-values.ts';

export interface ListOptions {
  readonly json?: boolean;
  readonly example?: boolean;
  readonly markdown?: boolean;
}

export const printPath = (): void => print(currentPaths().configFile);

const print = (text: string): void => void process.stdout.write(`${forLocale(sanitizeLine(text))}\n`);

const inspectFile = async (file: string) => inspectConfig(file, readConfigText(file));

export async function list({ json, example, markdown }: ListOptions): Promise<void> {
  if (example === true) return void process.stdout.write(forLocale(exampleFile()));
  if (markdown === true) return void process.stdout.write(forLocale(settingsAsMarkdown()));
  const file = currentPaths().configFile;
  const inspected = await inspectFile(file);
  for (const problem of inspected.problems)
    process.stderr.write(forLocale(`msg-tui: ${sanitizeLine(problemLine(file, problem))}\n`));
  const settings = settingValues(inspected, readEnvironment());
  if (json === true) return void process.stdout.write(jsonForLocale(settingsAsJson(file, settings)));
  const output = processOutput();
  output.text(settingsAsText(settings, output.columns));
}

/** @throws ExitError where the file holds a value that cannot be used */
export async function get(name: string): Promise<void> {
  const file = currentPaths().configFile;
  const inspected = await inspectFile(file);
  const field = profileField(name);
  const id = field === null ? knownSetting(name) : name;
  const wrong = inspected.problems.find(({ key }) => key === id);
  if (wrong !== undefined) throw new ExitError(exitCodes.failure, problemLine(file, wrong));
  if (field !== null) return printValue(fieldText(inspected, field));
  const value = settingValues(inspected, readEnvironment()).find((setting) => setting.id === id)?.value ?? null;
  printValue(value === null || typeof value === 'string' ? value : valueText(value));
}

const printValue = (text: string | null): void => {
  if (text !== null) print(text);
};

/** @throws ExitError */
function knownSetting(name: string): SettingId {
  const id = settingOf(name);
  if (id !== null) return id;
  const near = nearest(name, settingNames);
  const hint = near === null ? 'msg-tui config list prints them all' : `did you mean ${near}?`;
  throw new ExitError(exitCodes.usage, `there is no setting ${JSON.stringify(name)}; ${hint}`);
}

export async function set(name: string, words: readonly string[]): Promise<void> {
  const field = profileField(name);
  const id = field === null ? knownSetting(name) : name;
  const literal = field === null ? literalOf(knownSetting(name), words) : fieldLiteral(field, words);
  const file = currentPaths().configFile;
  await changeConfigText(file, async (before) => {
    const text = await setInToml(file, before, id.split('.'), literal);
    if (text === null) throw notInPlace(file, id);
    const problem = await newProblem(file, before, text, [field === null ? id : `profiles.${field.profile}`]);
    if (problem !== null) throw new ExitError(exitCodes.usage, problem);
    return text;
  });
  const variable = overridingVariable(id, readEnvironment());
  if (variable !== null)
    process.stderr.write(forLocale(`msg-tui: saved, but ${variable} is set and overrides config.toml\n`));
}

/** @throws ExitError */
function literalOf(id: SettingId, words: readonly string[]): string {
  const read = readWords(id, words);
  if ('problem' in read) throw new ExitError(exitCodes.usage, read.problem);
  return read.literal;
}

export async function unset(name: string): Promise<void> {
  const field = profileField(name);
  if (field !== null) requireRemovable(field);
  const id = field === null ? knownSetting(name) : name;
  const file = currentPaths().configFile;
  const isChanged = await changeConfigText(file, async (before) => {
    const text = await unsetInToml(file, before, id.split('.'));
    if (text === null) throw notInPlace(file, id);
    return text;
  });
  if (!isChanged) process.stderr.write(forLocale(`msg-tui: ${id} is not set in ${sanitizeLine(file)}\n`));
}

const notInPlace = (file: string, id: string): ExitError =>
  new ExitError(
    exitCodes.failure,
    `${file}: ${id} is written in a form that cannot be changed in place; use msg-tui config edit`,
  );

export async function check(): Promise<void> {
  const file = currentPaths().configFile;
  const { theme, themeProblem } = readEnvironment();
  const inVariables = [...(themeProblem === null ? [] : [themeProblem]), ...(await themeProblems(file, theme))];
  const lines = [...(await problemLines(file, file, readConfigText(file))), ...inVariables];
  for (const line of lines) print(line);
  if (lines.length > 0) process.exitCode = exitCodes.failure;
  else print(`${file}: nothing is wrong`);
}

/** Never throws: a text that is no TOML has one problem. @param name how the lines call the file */
async function problemLines(name: string, file: string, text: string): Promise<readonly string[]> {
  try {
    await parseToml(name, text);
    return (await configProblems(file, text)).map((problem) => problemLine(name, problem));
  } catch (error) {
    return [messageOf(error)];
  }
}

export async function edit(): Promise<void> {
  const file = currentPaths().configFile;
  const before = readConfigText(file);
  const text = await editConfig(
    before === '' ? exampleFile() : before,
    (edited) => problemLines('config.toml', file, edited),
    (saved) => process.stderr.write(forLocale(`msg-tui: ${sanitizeLine(keepBeside(file, saved))}\n`)),
  );
  if (text === null || text === before) print('Nothing was changed.');
  else saveEdited(file, before, text);
}

/** Saves the text in a new file where config.toml does not take it, as the editor may have been open for long. */
function saveEdited(file: string, before: string, text: string): void {
  let isSaved: boolean;
  try {
    isSaved = replaceConfigText(file, before, text);
  } catch (error) {
    throw new ExitError(exitCodes.failure, `${messageOf(error)}; ${keepBeside(file, text)}`);
  }
  if (isSaved) return;
  const kept = keepBeside(file, text, ': compare both, and run msg-tui config edit again');
  throw new ExitError(exitCodes.failure, `${file} was changed while it was edited, and stays as it is; ${kept}`);
}

/**
 * Saves the text beside config.toml, or in a folder of its own for temporary files where it cannot be written there.
 * @param remedy what to do with the text
 * @returns what became of the text, in words
 */
function keepBeside(file: string, text: string, remedy = ''): string {
  const name = `${basename(file)}.edited-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`;
  let cause = '';
  // A new folder, as others may put a link of that name into the one for temporary files.
  for (const folderOf of [() => dirname(file), () => mkdtempSync(join(tmpdir(), 'msg-tui-'))]) {
    try {
      const kept = join(folderOf(), name);
      writeAtomically(kept, text, 0o600);
      return `your text is in ${kept}${remedy}`;
    } catch (error) {
      cause = systemCause(error);
    }
  }
  return `your text could not be kept: ${cause}`;
}

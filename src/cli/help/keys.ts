/** `msg-tui keys`: the key table, from the one command table, with the user's keys or those of a profile. */
import { formatKeys, type KeysFormat } from '../../commands/key-table.ts';
import { profileNames } from '../../commands/profiles/profiles.ts';
import { keymapFor } from '../../commands/table.ts';
import { loadConfig } from '../../config/file.ts';
import { currentPaths } from '../../config/paths.ts';
import { type KeySettings, standardKeys } from '../../state/model/key-settings.ts';
import { settingsOf } from '../config/chat-settings.ts';
import { keyProblems } from '../config/key-problems.ts';
import { jsonDocument } from '../output/print.ts';
import { forLocale, jsonForLocale } from '../process/ascii-output.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

const formats: readonly KeysFormat[] = ['text', 'markdown', 'json'];

/**
 * @param profile null for the keys of config.toml
 * @throws ExitError for an unknown format or profile
 */
export async function printKeys(format: string, profile: string | null): Promise<void> {
  const known = formats.find((name) => name === format);
  if (known === undefined)
    throw new ExitError(exitCodes.usage, `there is no format "${format}"; use ${formats.join(', ')}`);
  const keymap = keymapFor(profile === null ? await ownKeys() : keysOfProfile(profile));
  const keys = formatKeys(known, keymap, process.stdout.columns || undefined);
  process.stdout.write(`${known === 'json' ? jsonForLocale(keys) : forLocale(keys)}\n`);
}

/** Prints one line for each thing that is wrong, or a JSON document, and sets the exit code of the process. */
export async function checkKeys(isJson: boolean): Promise<void> {
  const problems = keyProblems(await ownKeys());
  if (isJson) process.stdout.write(jsonForLocale(jsonDocument({ problems })));
  else process.stdout.write(forLocale(problems.length === 0 ? 'The keys are fine.\n' : `${problems.join('\n')}\n`));
  if (problems.length > 0) process.exitCode = exitCodes.failure;
}

const ownKeys = async (): Promise<KeySettings> => settingsOf(await loadConfig(currentPaths().configFile)).keys;

function keysOfProfile(name: string): KeySettings {
  const profile = profileNames.find((one) => one === name);
  if (profile === undefined)
    throw new ExitError(exitCodes.usage, `there is no key profile "${name}"; use ${profileNames.join(', ')}`);
  return { ...standardKeys, profile };
}

/** `profiles.NAME.server` and `profiles.NAME.token_command`, as `msg-tui config get`, `set` and `unset` take them. */
import { parse } from 'smol-toml';
import { commandWords, isCommand } from '../../config/command-words.ts';
import { namesThereAre } from '../../config/profile-settings.ts';
import { isProfileName, profileNameRule } from '../../config/profiles.ts';
import type { SettingsInFile } from '../../config/settings-in-file.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { valueText } from './setting-values.ts';

export interface ProfileField {
  readonly profile: string;
  readonly field: 'server' | 'token_command';
}

/** Null for a name that is none of these. */
export function profileField(name: string): ProfileField | null {
  const [, profile, field] = /^profiles\.([^.]+)\.(server|token_command)$/.exec(name) ?? [];
  return profile === undefined ? null : { profile, field: field === 'server' ? field : 'token_command' };
}

/** As it is printed; null where it is not set. @throws ExitError when there is no such profile */
export function fieldText(
  { profiles }: Pick<SettingsInFile, 'profiles'>,
  { profile, field }: ProfileField,
): string | null {
  const found = profiles.get(profile);
  if (found === undefined)
    throw new ExitError(exitCodes.usage, `there is no profile ${JSON.stringify(profile)}${namesThereAre(profiles)}`);
  if (field === 'server') return found.server;
  return found.tokenCommand === null ? null : valueText(found.tokenCommand);
}

/** The words as TOML. @throws ExitError */
export function fieldLiteral({ profile, field }: ProfileField, words: readonly string[]): string {
  if (!isProfileName(profile)) throw new ExitError(exitCodes.usage, profileNameRule);
  return field === 'server' ? serverLiteral(words) : commandLiteral(words);
}

function serverLiteral([address = '', ...more]: readonly string[]): string {
  if (more.length > 0) throw new ExitError(exitCodes.usage, 'a profile has one server: give one address');
  // An http address is judged at the start, which knows --insecure-http.
  const server = normaliseBaseUrl(address, { insecureHttp: true });
  if ('problem' in server) throw new ExitError(exitCodes.usage, server.problem);
  return JSON.stringify(server.url);
}

/** A single word is a list as TOML writes it, or a command line. */
function commandLiteral(words: readonly string[]): string {
  const [word = ''] = words;
  const command = words.length > 1 ? words : word.trim().startsWith('[') ? listIn(word) : commandWords(word);
  if (command === null || !isCommand(command))
    throw new ExitError(
      exitCodes.usage,
      'token_command must be a program and its arguments, as in token_command = ["pass", "show", "chat"]',
    );
  return valueText(command);
}

function listIn(word: string): readonly unknown[] | null {
  try {
    const { value } = parse(`value = ${word}\n`);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** @throws ExitError for what a profile cannot be without */
export function requireRemovable({ profile, field }: ProfileField): void {
  if (field === 'server')
    throw new ExitError(
      exitCodes.usage,
      `a profile needs its server; msg-tui profiles remove ${profile} removes the profile`,
    );
}

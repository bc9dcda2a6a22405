/** `msg-tui logout`: removes the token and the cache of a profile, and reports what was removed and what was kept. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withAccountFlags } from '../../config/account-flags.ts';
import { readEnvironment } from '../../config/environment.ts';
import { loadConfig } from '../../config/file.ts';
import { systemKeyring } from '../../config/keyring.ts';
import { currentPaths } from '../../config/paths.ts';
import { type Profile, setTokenCommand } from '../../config/profiles.ts';
import { ownContentIn, unsentIn } from '../../storage/inspect.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { jsonDocument, processOutput } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { chosenProfile } from '../sign-in/chosen-profile.ts';
import type { FindAccountOptions } from '../sign-in/find-account.ts';
import type { LoginPorts } from './login.ts';
import { filesOf, lockProfile, type ProfileFiles, removeDirectory, removeTokenOfProfile } from './profile-files.ts';

export interface LogoutOptions {
  readonly profile?: string;
  readonly discardUnsent?: boolean;
  readonly json?: boolean;
}

type LogoutPorts = Pick<LoginPorts, 'environment' | 'paths' | 'keyring' | 'output'>;

const processPorts = (): LogoutPorts => ({
  environment: readEnvironment(),
  paths: currentPaths(),
  keyring: systemKeyring,
  output: processOutput(),
});

/** @throws ExitError */
export async function logout(options: LogoutOptions, ports: LogoutPorts = processPorts()): Promise<void> {
  const config = await loadConfig(ports.paths.configFile);
  const flags = options.profile === undefined ? {} : { profile: options.profile };
  const environment = withAccountFlags(ports.environment, flags);
  const profile = ofConfig(chosenProfile(config, environment));
  const files = filesOf(ports.paths, profile);
  const { directories } = files;
  const unsent = unsentIn(directories.data);
  // Names that cannot be read may be there.
  const hasNames = ownContentIn(directories.data)?.hasNames ?? unsent === null;
  const unlock = lockProfile(files, 'nothing was removed');
  let tokenFrom: 'keyring' | 'file' | 'command' | null;
  let hadCache: boolean;
  try {
    tokenFrom = await removeToken(files, profile, ports);
    hadCache = removeDirectory(directories.cache);
  } finally {
    unlock();
  }
  const isDiscarded = options.discardUnsent === true && removeDirectory(directories.data);
  report(
    {
      profile,
      tokenFrom,
      hadCache,
      unsent,
      hasNames,
      isDiscarded,
      hasData: existsSync(join(directories.data, 'outbox.db')),
    },
    options,
    { ...ports, environment },
  );
}

function ofConfig(profile: Profile | null): Profile {
  if (profile === null) throw new ExitError(exitCodes.notSignedIn, 'no account is set up; msg-tui login adds one');
  if (profile.source === 'config') return profile;
  throw new ExitError(
    exitCodes.usage,
    'MSG_TUI_SERVER names the account, and nothing of it is in config.toml; unset it, or give --profile NAME',
  );
}

/** @returns where the token was; null for none */
async function removeToken(
  files: ProfileFiles,
  { name, tokenCommand }: Profile,
  ports: Pick<FindAccountOptions, 'paths' | 'keyring'>,
): Promise<'keyring' | 'file' | 'command' | null> {
  const from = await removeTokenOfProfile(files, ports);
  if (tokenCommand === null) return from;
  await setTokenCommand(ports.paths.configFile, name, null);
  return from ?? 'command';
}

interface Outcome {
  readonly profile: Profile;
  readonly tokenFrom: 'keyring' | 'file' | 'command' | null;
  readonly hadCache: boolean;
  /** Null where it cannot be read. */
  readonly unsent: number | null;
  readonly hasNames: boolean;
  readonly isDiscarded: boolean;
  readonly hasData: boolean;
}

const tokenWords = {
  keyring: 'the token, from the keyring',
  file: 'the token, from the file',
  command: 'the token command, from config.toml',
};

function report(outcome: Outcome, { json }: LogoutOptions, { output, environment }: LogoutPorts): void {
  if (json === true) output.json(jsonDocument(asJson(outcome)));
  else for (const line of linesOf(outcome)) output.text(`${line}\n`);
  if (environment.token !== null)
    output.remark(sanitizeLine('MSG_TUI_TOKEN is still set, and is used for this profile'));
}

const asJson = ({ profile, tokenFrom, hadCache, unsent, isDiscarded, hasData }: Outcome) => ({
  profile: profile.name,
  server: profile.server,
  removed: { token: tokenFrom, cache: hadCache, local_data: isDiscarded, unsent: isDiscarded ? unsent : 0 },
  kept: { local_data: hasData, unsent: hasData ? unsent : 0 },
});

function unsentWords(unsent: number | null): string {
  if (unsent === null) return 'an outbox that cannot be read, and may have unsent texts';
  return unsent === 1 ? 'one unsent text' : `${unsent} unsent texts`;
}

type Removed = Pick<Outcome, 'tokenFrom' | 'hadCache' | 'unsent' | 'hasNames' | 'isDiscarded'>;

const ownWords = ({ unsent, hasNames }: Pick<Outcome, 'unsent' | 'hasNames'>): readonly string[] => [
  ...(unsent === 0 ? [] : [unsentWords(unsent)]),
  ...(hasNames ? ['the names and notes that exist only here'] : []),
];

/** What was removed of a profile, as parts of a sentence. */
export const removedWords = ({ tokenFrom, hadCache, isDiscarded, ...own }: Removed): readonly string[] => [
  ...(tokenFrom === null ? [] : [tokenWords[tokenFrom]]),
  ...(hadCache ? ['the cached messages'] : []),
  ...(isDiscarded ? [...ownWords(own), 'the local data'] : []),
];

function linesOf(outcome: Outcome): readonly string[] {
  const { profile, unsent, hasNames, hasData } = outcome;
  const own = ownWords(outcome);
  const them = unsent === 1 && !hasNames ? 'it' : 'them';
  const removed = removedWords(outcome);
  const kept = [...(hasData ? own : []), 'the profile in config.toml'];
  return [
    `Removed: ${removed.length === 0 ? 'nothing' : removed.join('; ')}.`,
    `Kept: ${kept.join('; ')}.`,
    ...(hasData && unsent !== null && unsent > 0
      ? [
          `msg-tui login --profile ${profile.name} opens ${them} again; msg-tui logout --discard-unsent removes ${them}.`,
        ]
      : []),
  ];
}

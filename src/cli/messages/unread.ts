/**
 * `msg-tui unread`: how many messages are unread, for a status bar. It reads the files alone: it loads neither the screen,
 * nor the client of the server, nor the parser of command lines.
 */
import { accountDirectories } from '../../config/accounts.ts';
import type { Environment } from '../../config/environment.ts';
import { loadConfig } from '../../config/file.ts';
import { directoriesOfProfile } from '../../config/known-tokens.ts';
import { currentPaths, type Paths, type ProfileDirectories, profileDirectories } from '../../config/paths.ts';
import { profileName } from '../../config/profile-name.ts';
import type { Profile } from '../../config/profiles.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { shownConversation } from '../../state/local/outbox.ts';
import { isQuiet } from '../../state/local/quiet.ts';
import { readUnreadCounts, type UnreadCounts } from '../../storage/unread-counts.ts';
import { accountEnvironment } from '../accounts/account-environment.ts';
import { chosenProfile } from '../accounts/chosen-profile.ts';
import { ExitError, exitCodes, messageOf } from '../exit.ts';
import { type Output, processOutput } from '../output/print.ts';
import type { UnreadOptions } from './unread-options.ts';

/** Rejects with ExitError: 3 without an account, 1 for files that cannot be read. */
export async function unread(options: UnreadOptions, output: Output = processOutput()): Promise<void> {
  await unreadTotal(await directoriesOf(options), options.json === true, output);
}

/** Rejects with ExitError 1 for files that cannot be read. */
export async function unreadTotal(directories: ProfileDirectories, isJson: boolean, output: Output): Promise<void> {
  const found = countsIn(directories);
  const { loud, total } = loudUnread(found);
  if (!isJson) {
    output.text(`${total}\n`);
    return;
  }
  // Names need the sanitiser, which takes longer to load than the number takes.
  const { unreadJson } = await import('./unread-json.ts');
  output.json(unreadJson(total, loud, found.local));
}

/** What the header of the chat counts: all but muted and archived conversations. */
export function loudUnread({ counts, local }: UnreadCounts) {
  const shown = counts.flatMap((one) => {
    const conversation = shownConversation(one.conversation, local.outbox);
    return conversation === null ? [] : [{ ...one, conversation }];
  });
  const loud = shown.filter(({ conversation }) => !isQuiet(conversation));
  return { loud, total: loud.reduce((sum, { count }) => sum + count, 0) };
}

function countsIn(directories: ProfileDirectories): UnreadCounts {
  try {
    return readUnreadCounts(directories);
  } catch (error) {
    throw new ExitError(exitCodes.failure, messageOf(error));
  }
}

async function directoriesOf(flags: UnreadOptions): Promise<ProfileDirectories> {
  const environment = accountEnvironment(flags);
  const paths = currentPaths();
  const profile = chosenProfile(await loadConfig(paths.configFile), environment);
  const directories = profile === null ? null : await directoriesOfAccount(paths, environment, profile);
  if (directories !== null) return directories;
  throw new ExitError(exitCodes.notSignedIn, environment.tokenProblem ?? 'not signed in; run msg-tui login');
}

/** The directories that the chat uses; null where they are named after a token that is not at hand. */
async function directoriesOfAccount(
  paths: Paths,
  environment: Environment,
  profile: Profile,
): Promise<ProfileDirectories | null> {
  const base = normaliseBaseUrl(profile.server, { insecureHttp: true });
  if ('problem' in base) throw new ExitError(exitCodes.usage, base.problem);
  const server = base.url;
  if (profile.source === 'config')
    return directoriesOfProfile(paths, { server, profile: profile.name }, environment.token);
  const token = environment.token ?? (await keptToken(paths, server));
  return token === null ? null : accountDirectories(profileDirectories(paths, { server, token }), server);
}

/** A token in the keyring is not waited for. */
async function keptToken(paths: Paths, server: string): Promise<string | null> {
  const { findKept } = await import('../../config/token-store.ts');
  const kept = findKept({ paths }, { server, profile: profileName(server) });
  return kept !== null && 'token' in kept ? kept.token : null;
}

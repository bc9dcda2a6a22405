/**
 * `msg-tui unread`: how many messages are unread, for a status bar. It reads the files alone: it loads neither the screen,
 * nor the client of the server, nor the parser of command lines.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../config/environment.ts';
import { loadConfig } from '../../config/file.ts';
import { currentPaths, type Paths, type ProfileDirectories } from '../../config/paths.ts';
import type { Profile } from '../../config/profiles.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { isMutedOrArchived } from '../../state/local/muting.ts';
import { shownConversation } from '../../state/local/optimistic-values.ts';
import { readUnreadCounts, type UnreadCounts } from '../../storage/unread-counts.ts';
import { type Output, processOutput } from '../output/print.ts';
import { ExitError, exitCodes, messageOf, notSignedInText } from '../process/exit.ts';
import { directoriesOfAccount } from '../sign-in/account-directories.ts';
import { accountEnvironment, chosenProfile } from '../sign-in/chosen-profile.ts';
import { withTokenWarning } from '../sign-in/token-warning.ts';
import type { UnreadOptions } from './unread-options.ts';

/** Rejects with ExitError: 3 without an account, or for one that is signed out, 1 for files that cannot be read. */
export async function unread(options: UnreadOptions, output: Output = processOutput()): Promise<void> {
  const environment = accountEnvironment(options);
  await withTokenWarning(
    environment.tokenWarning,
    async () => unreadTotal(await directoriesOf(environment), options.json === true, output),
    output.remark,
  );
}

/** Rejects with ExitError 1 for files that cannot be read. */
export async function unreadTotal(directories: ProfileDirectories, isJson: boolean, output: Output): Promise<void> {
  const found = countsIn(directories);
  const { counted, total } = headerUnread(found);
  if (!isJson) {
    output.text(`${total}\n`);
    return;
  }
  // Names need the sanitiser, which takes longer to load than the number takes.
  const { unreadJson } = await import('./unread-json.ts');
  output.json(unreadJson(total, counted, found.local));
}

/** The counts of the conversations that are neither muted nor archived, as in the header of the chat. */
export function headerUnread({ counts, local }: UnreadCounts) {
  const shown = counts.flatMap((one) => {
    const conversation = shownConversation(one.conversation, local.outbox);
    return conversation === null ? [] : [{ ...one, conversation }];
  });
  const counted = shown.filter(({ conversation }) => !isMutedOrArchived(conversation));
  return { counted, total: counted.reduce((sum, { count }) => sum + count, 0) };
}

function countsIn(directories: ProfileDirectories): UnreadCounts {
  try {
    return readUnreadCounts(directories);
  } catch (error) {
    throw new ExitError(exitCodes.failure, messageOf(error));
  }
}

async function directoriesOf(environment: Environment): Promise<ProfileDirectories> {
  const paths = currentPaths();
  const profile = chosenProfile(await loadConfig(paths.configFile), environment);
  const directories = profile === null ? null : await directoriesOfAccount(paths, environment, profile);
  if (profile === null || directories === null)
    throw new ExitError(exitCodes.notSignedIn, environment.tokenProblem ?? notSignedInText);
  // A logout removes the cache as well, so that nothing else is read while there is one.
  const isSignedIn = existsSync(join(directories.cache, 'cache.db')) || (await hasToken(paths, environment, profile));
  if (isSignedIn) return directories;
  const { name, server } = profile;
  const text = `profile ${name} is not signed in to ${server}: run msg-tui login --profile ${name}, or set MSG_TUI_TOKEN`;
  throw new ExitError(exitCodes.notSignedIn, environment.tokenProblem ?? text);
}

/** Whether there is a token or a place to ask for it. Neither the keyring nor a token command is asked. */
async function hasToken(paths: Paths, { token, tokenCommand }: Environment, profile: Profile): Promise<boolean> {
  if (token !== null || tokenCommand !== null || profile.tokenCommand !== null) return true;
  // The directories of such an account are named after its token, which is known where they are.
  if (profile.source === 'environment') return true;
  const base = normaliseBaseUrl(profile.server, { insecureHttp: true });
  const { findSavedToken } = await import('../../config/token-store.ts');
  return 'url' in base && findSavedToken({ paths }, { server: base.url, profile: profile.name }) !== null;
}

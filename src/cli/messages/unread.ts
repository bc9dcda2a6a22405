/**
 * `msg-tui unread`: how many messages are unread, for a status bar. It reads the files alone: it loads neither the screen,
 * nor the client of the server, nor the parser of command lines.
 */
import { loadConfig } from '../../config/file.ts';
import { currentPaths, type ProfileDirectories } from '../../config/paths.ts';
import { isMutedOrArchived } from '../../state/local/muting.ts';
import { shownConversation } from '../../state/local/optimistic-values.ts';
import { readUnreadCounts, type UnreadCounts } from '../../storage/unread-counts.ts';
import { accountEnvironment, chosenProfile } from '../accounts/chosen-profile.ts';
import { ExitError, exitCodes, messageOf, signIn } from '../exit.ts';
import { directoriesOfAccount } from '../headless/account-directories.ts';
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

/** The counts of the conversations that are neither muted nor archived, as in the header of the chat. */
export function loudUnread({ counts, local }: UnreadCounts) {
  const shown = counts.flatMap((one) => {
    const conversation = shownConversation(one.conversation, local.outbox);
    return conversation === null ? [] : [{ ...one, conversation }];
  });
  const loud = shown.filter(({ conversation }) => !isMutedOrArchived(conversation));
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
  throw new ExitError(exitCodes.notSignedIn, environment.tokenProblem ?? signIn);
}

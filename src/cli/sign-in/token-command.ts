/** Reads a token from the command that prints it, as `pass show chat` does. The token itself is in no message. */
import { childEnvironment } from '../../config/child-environment.ts';
import { commandLine } from '../../config/command-words.ts';
import { checkToken } from '../../config/credentials.ts';
import { CommandFailed, outputOf } from '../../hooks/command-output.ts';

/** The time that the command may take, in which the user may have to unlock a password store. */
const usualTimeoutMs = 30_000;
const mostBytes = 64_000;

/** Says in its message, which is for the user, why there is no token. */
class NoToken extends Error {
  override readonly name = 'NoToken';
}

/** Resolves to the first line that the command prints: password stores keep notes below it. Rejects with `NoToken`. */
export async function tokenOfCommand(
  argv: readonly string[],
  { signal, timeoutMs = usualTimeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<string> {
  const line = commandLine(argv);
  let output: string;
  try {
    const job = { argv, environment: childEnvironment([]), timeoutMs, mostBytes };
    output = await outputOf(signal === undefined ? job : { ...job, signal });
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    throw new NoToken(`token command: ${error.message}. Run it by hand to see why: ${line}`);
  }
  const checked = checkToken(output.trimStart().split(/\r?\n/, 1)[0] ?? '');
  if ('problem' in checked)
    throw new NoToken(`token command: ${checked.problem}, in the first line that it printed (${line})`);
  return checked.token;
}

/** Says that others can read the file of `--token-file`, for a command, which has no screen to show it on. */
import type { SafeText } from '../../text/safe-text.ts';
import { forLocale } from '../process/ascii-output.ts';
import { ExitError } from '../process/exit.ts';

const toStderr = (line: SafeText): void => void process.stderr.write(`msg-tui: ${forLocale(line)}\n`);

/**
 * Runs the command, and prints the warning after its output, or adds it to its error: with --json, the error is the only
 * document on stderr.
 * @param warning null for nothing
 */
export async function withTokenWarning<T>(
  warning: string | null,
  run: () => Promise<T>,
  remark: (line: SafeText) => void = toStderr,
): Promise<T> {
  if (warning === null) return run();
  // Loaded here: most commands have no warning, and `unread` answers before this would be loaded.
  const { sanitizeLine } = await import('../../text/safe/sanitize.ts');
  try {
    const result = await run();
    remark(sanitizeLine(warning));
    return result;
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    // Nothing is printed of an error without a line; `tail` ends in no other way.
    if (error.message === '') remark(sanitizeLine(warning));
    const warnings = [warning, ...(error.details.warnings ?? [])];
    throw new ExitError(error.code, error.message, { ...error.details, warnings });
  }
}

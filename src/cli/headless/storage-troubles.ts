/** Says what is wrong with the local files: a command has no screen for the notices about them. */
import type { Notice } from '../../state/model/app-state.ts';
import { isFilesName } from '../../state/model/screen-state.ts';
import type { AppStore } from '../../state/store.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { forLocale } from '../process/ascii-output.ts';
import { ExitError } from '../process/exit.ts';

/** Whether the notice is about the files as a whole, and not about one change. */
export const isAboutFiles = ({ about }: Notice): boolean => isFilesName(about);

const troublesOf = (store: AppStore): readonly string[] =>
  store
    .getState()
    .screen.notices.filter(isAboutFiles)
    .map(({ text }) => text);

/** Prints on stderr what is wrong with the local files. */
export function printTroubles(store: AppStore): void {
  for (const text of troublesOf(store)) process.stderr.write(`msg-tui: ${forLocale(sanitizeLine(text))}\n`);
}

/** Adds what is wrong with the local files to the error: with --json, the error is the only document on stderr. */
export function withTroubles(error: unknown, store: AppStore): unknown {
  const troubles = troublesOf(store);
  if (!(error instanceof ExitError) || troubles.length === 0) return error;
  const warnings = [...troubles, ...(error.details.warnings ?? [])];
  return new ExitError(error.code, error.message, { ...error.details, warnings });
}

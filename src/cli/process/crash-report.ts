/** Writes an unexpected error into a file, so that the line on the terminal can be short (R-CRASH). */
import { closeSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { createRedact, type Redact } from '../../api/http/redact.ts';
import { debugError } from '../../storage/ledger/debug-log.ts';
import { prepareDirectory } from '../../storage/sqlite/private-files.ts';
import { sanitizeBody, sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { messageOf } from './exit.ts';
import { version } from './version.ts';

export interface CrashReporter {
  /** Writes the report. @returns the line for the terminal, which names the file where there is one */
  report(error: unknown): SafeText;
  /** Takes the token out of all reports from now on. */
  hide(token: string): void;
  /** The tokens that were to be hidden. */
  hidden(): readonly string[];
}

const keptReports = 5;
const longestReport = 64 * 1024;
const longestMessage = 200;
export const isCrashReport = (name: string): boolean => /^crash-[\dTZ-]+\.txt$/.test(name);

/** @param directory the folder of the reports; a missing one is made, readable by the user alone */
export function createCrashReporter(directory: string, now: () => number = Date.now): CrashReporter {
  const redacts: Redact[] = [createRedact('')];
  const tokens: string[] = [];
  const redact: Redact = (text) => redacts.reduce((left, take) => take(left), text);
  return {
    hide(token) {
      tokens.push(token);
      redacts.push(createRedact(token));
    },
    hidden: () => tokens,
    report(error) {
      debugError('crash', error);
      const message = sanitizeLine(redact(messageOf(error)).slice(0, longestMessage));
      const file = writeReport(directory, now(), redact(detailsOf(error)).slice(0, longestReport));
      const where = file === null ? literal('') : safe`; the details are in ${sanitizeLine(file)}`;
      return safe`msg-tui: internal error: ${message}${where}`;
    },
  };
}

/** Inspects the error, and catches what that throws: inspecting a value may run code of that value. */
function detailsOf(error: unknown): string {
  try {
    return inspect(error, { depth: 4 });
  } catch {
    return messageOf(error);
  }
}

/** Returns null when the disk refuses, as the error itself must still be reported. */
function writeReport(directory: string, now: number, raw: string): string | null {
  const name = `crash-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.txt`;
  const about = `msg-tui ${version}, Node ${process.version}, ${process.platform} ${process.arch}`;
  try {
    prepareDirectory(directory);
    const file = openSync(join(directory, name), 'wx', 0o600);
    try {
      writeFileSync(file, `${about}\n\n${sanitizeBody(raw)}\n`);
    } finally {
      closeSync(file);
    }
    removeOld(directory);
    return join(directory, name);
  } catch {
    return null;
  }
}

function removeOld(directory: string): void {
  const reports = readdirSync(directory).filter(isCrashReport).sort();
  for (const name of reports.slice(0, -keptReports)) rmSync(join(directory, name), { force: true });
}

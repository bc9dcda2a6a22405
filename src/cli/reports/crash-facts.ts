/** Reads facts about the program from a crash report: the class of the error and where it was thrown. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { framesOf, isCode } from '../../storage/ledger/debug-log.ts';
import { isCrashReport } from '../crash-report.ts';

export interface CrashFacts {
  readonly time: string;
  /** Version, Node and platform of the program that crashed. */
  readonly program: string;
  readonly error: string;
  readonly stack: readonly string[];
}

/** The newest crash report without the message of its error, which may quote anything; null where there is none. */
export function lastCrash(directory: string): CrashFacts | null {
  try {
    const name = readdirSync(directory).filter(isCrashReport).sort().at(-1);
    return name === undefined ? null : crashFacts(name, readFileSync(join(directory, name), 'utf8'));
  } catch {
    return null;
  }
}

function crashFacts(name: string, text: string): CrashFacts {
  const [about = '', , first = ''] = text.split('\n');
  const [error = ''] = first.split(':');
  return {
    time: name.replace(/^crash-|\.txt$/g, ''),
    program: /^msg-tui [\w.-]+, Node v[\d.]+, \w+ \w+$/.test(about) ? about : 'unknown',
    error: isCode(error) && /(Error|Problem|Failure)$/.test(error) ? error : 'unknown',
    stack: framesOf(text),
  };
}

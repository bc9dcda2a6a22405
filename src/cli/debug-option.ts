/** `--debug-log FILE`, which every command and the chat take. It is read before all other options. */
import { systemCause } from '../config/errors.ts';
import { debug, openDebugLog } from '../storage/ledger/debug-log.ts';
import { ExitError, exitCodes } from './exit.ts';
import { version } from './version.ts';

const flag = '--debug-log';

/**
 * Opens the debug log that the arguments ask for.
 * @returns the arguments without the option
 * @throws ExitError when the file is not named or cannot be written
 */
export function withDebugLog(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const at = argv.findIndex((word, index) => index < end && (word === flag || word.startsWith(`${flag}=`)));
  if (at < 0) return argv;
  const isJoined = argv[at] !== flag;
  const file = isJoined ? argv[at]?.slice(flag.length + 1) : argv[at + 1];
  if (file === undefined || file === '' || (!isJoined && at + 1 >= end))
    throw new ExitError(exitCodes.usage, `${flag} needs a file, as in ${flag} debug.jsonl`);
  const rest = argv.filter((_, index) => index !== at && (isJoined || index !== at + 1));
  open(file);
  const [first = ''] = rest;
  const command = /^[a-z]+$/.test(first) ? first : 'chat';
  debug('start', { version, node: process.version, platform: process.platform, arch: process.arch, command });
  return rest;
}

function open(file: string): void {
  try {
    openDebugLog(file);
  } catch (error) {
    throw new ExitError(exitCodes.failure, `the debug log ${file} cannot be written: ${systemCause(error)}`);
  }
}

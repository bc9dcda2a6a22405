/** Reads the flags of the chat without commander, which would slow down its start. */
import type { TuiOptions } from './tui.tsx';

const flags = { '--ascii': 'ascii', '--insecure-http': 'insecureHttp' } as const;
const isFlag = (argument: string): argument is keyof typeof flags => Object.hasOwn(flags, argument);
const tokenFlag = '--token-file';
const archiveFlag = '--archive';

export interface ChatOptions extends TuiOptions {
  /** The archive to open instead of an account. */
  readonly archive: string | null;
}

/** Returns null for a command, and for anything else that is not understood here. */
export function chatOptions(argv: readonly string[]): ChatOptions | null {
  const options = {
    ascii: false,
    insecureHttp: false,
    tokenFile: null as string | null,
    archive: null as string | null,
  };
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (isFlag(argument)) options[flags[argument]] = true;
    else if (argument.startsWith(`${tokenFlag}=`)) options.tokenFile = argument.slice(tokenFlag.length + 1);
    else if (argument === tokenFlag && argv[at + 1] !== undefined) options.tokenFile = argv[++at] ?? null;
    else if (argument.startsWith(`${archiveFlag}=`)) options.archive = argument.slice(archiveFlag.length + 1);
    else if (argument === archiveFlag && argv[at + 1] !== undefined) options.archive = argv[++at] ?? null;
    else return null;
  }
  return options;
}

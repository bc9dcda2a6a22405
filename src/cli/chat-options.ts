/** Reads the flags of the chat without commander, which would slow down its start. */
import type { TuiOptions } from './tui.tsx';

const flags = { '--ascii': 'ascii', '--insecure-http': 'insecureHttp' } as const;
const valued = {
  '--profile': 'profile',
  '--token-file': 'tokenFile',
  '--token-command': 'tokenCommand',
  '--archive': 'archive',
} as const;

export interface ChatOptions extends TuiOptions {
  /** The archive to open instead of an account. */
  readonly archive?: string;
}

const isIn = <Table extends object>(table: Table, name: string): name is keyof Table & string =>
  Object.hasOwn(table, name);

/** Returns null for a command, and for anything else that commander has to read. */
export function chatOptions(argv: readonly string[]): ChatOptions | null {
  const options: Record<string, string | boolean> = { ascii: false, insecureHttp: false };
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    const equals = argument.indexOf('=');
    const name = equals < 0 ? argument : argument.slice(0, equals);
    const value = equals < 0 ? argv[at + 1] : argument.slice(equals + 1);
    if (argument === '--' && at === argv.length - 1) break;
    if (isIn(flags, argument)) options[flags[argument]] = true;
    else if (isIn(valued, name) && value !== undefined) {
      options[valued[name]] = value;
      if (equals < 0) at++;
    } else return null;
  }
  return options as unknown as ChatOptions;
}

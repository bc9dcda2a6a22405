/** Reads the options of `msg-tui unread` without commander, which takes longer to load than the command takes. */

export interface UnreadOptions {
  readonly json?: boolean;
  readonly profile?: string;
  readonly tokenFile?: string;
}

const valued = { '--profile': 'profile', '--token-file': 'tokenFile' } as const;
const isValued = (flag: string): flag is keyof typeof valued => Object.hasOwn(valued, flag);

/** Returns null for another command, and for options that commander has to read, such as `--help`. */
export function unreadOptions([command, ...argv]: readonly string[]): UnreadOptions | null {
  if (command !== 'unread') return null;
  const options: { json?: boolean; profile?: string; tokenFile?: string } = {};
  for (let at = 0; at < argv.length; at++) {
    const [flag = '', ...rest] = (argv[at] ?? '').split('=');
    if (flag === '--json' && rest.length === 0) options.json = true;
    else if (isValued(flag)) {
      const value = rest.length > 0 ? rest.join('=') : argv[++at];
      if (value === undefined || value.trim() === '') return null;
      options[valued[flag]] = value;
    } else return null;
  }
  return options;
}

/**
 * Reads the options of the chat, and those that every command takes as well, without commander, which would slow down the
 * start of the chat.
 */
import type { Variables } from '../config/environment.ts';
import { systemCause } from '../config/errors.ts';
import { debug, openDebugLog } from '../storage/ledger/debug-log.ts';
import type { TuiOptions } from './chat/tui.tsx';
import { ExitError, exitCodes } from './process/exit.ts';
import { version } from './process/version.ts';

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

/**
 * Returns null for a command, and for anything else that commander has to read.
 * @throws ExitError for an empty value, as a variable of a script may be that is not set
 */
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
      if (value.trim() === '') throw new ExitError(exitCodes.usage, `the value of ${name} is empty`);
      options[valued[name]] = value;
      if (equals < 0) at++;
    } else return null;
  }
  return options as unknown as ChatOptions;
}

interface ValuedOption {
  /** Undefined where nothing follows the option. */
  readonly value: string | undefined;
  /** The arguments without the option and its value. */
  readonly rest: readonly string[];
}

/** Finds `--name VALUE` or `--name=VALUE` anywhere before `--`; of several the last one counts. Null where there is none. */
function valuedOption(argv: readonly string[], name: string): ValuedOption | null {
  const first = firstOption(argv, name);
  return first === null ? null : (valuedOption(first.rest, name) ?? first);
}

function firstOption(argv: readonly string[], name: string): ValuedOption | null {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const at = argv.findIndex((word, index) => index < end && (word === name || word.startsWith(`${name}=`)));
  if (at < 0) return null;
  if (argv[at] !== name) return { value: argv[at]?.slice(name.length + 1), rest: argv.toSpliced(at, 1) };
  return { value: at + 1 < end ? argv[at + 1] : undefined, rest: argv.toSpliced(at, 2) };
}

/**
 * Sets the variables that the environment is read from, as `--color WHEN` asks for.
 * @returns the arguments without the option
 * @throws ExitError for another value than the three
 */
export function withColor(argv: readonly string[], env: Variables): readonly string[] {
  const option = valuedOption(argv, '--color');
  if (option === null) return argv;
  const { value, rest } = option;
  if (value === 'always' || value === 'never')
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR_FORCE']) delete env[name];
  if (value === 'always') env.FORCE_COLOR = '1';
  else if (value === 'never') env.NO_COLOR = '1';
  else if (value !== 'auto') throw new ExitError(exitCodes.usage, '--color is auto, always or never');
  return rest;
}

/**
 * Opens the debug log that `--debug-log FILE` asks for.
 * @returns the arguments without the option
 * @throws ExitError when the file is not named or cannot be written
 */
export function withDebugLog(argv: readonly string[]): readonly string[] {
  const option = valuedOption(argv, '--debug-log');
  if (option === null) return argv;
  const { value: file, rest } = option;
  if (file === undefined || file === '')
    throw new ExitError(exitCodes.usage, '--debug-log needs a file, as in --debug-log debug.jsonl');
  openLog(file);
  const [first = ''] = rest;
  const command = /^[a-z]+$/.test(first) ? first : 'chat';
  debug('start', { version, node: process.version, platform: process.platform, arch: process.arch, command });
  return rest;
}

function openLog(file: string): void {
  try {
    openDebugLog(file);
  } catch (error) {
    throw new ExitError(exitCodes.failure, `the debug log ${file} cannot be written: ${systemCause(error)}`);
  }
}

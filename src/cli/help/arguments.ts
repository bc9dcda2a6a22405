/**
 * Checks the names of commands on a command line before commander reads it, turns `help X` into `X --help`, and finds the
 * options of a command.
 */
import type { Command, Option } from 'commander';
import { nearest } from '../../config/suggest.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { chatOptionRows, colorOptionRow, debugOptionRow } from './chat-option-rows.ts';
import { pathOf } from './help-text.ts';
import { isTopic, type Topic, topicNames } from './topics.ts';
import { chatOnly } from './usage-line.ts';

/** @throws ExitError for a name that no command has */
export function readHelp(program: Command, words: readonly string[]): Topic | readonly string[] {
  const names = words.filter((word) => !word.startsWith('-'));
  const [first] = names;
  if (first !== undefined && isTopic(first)) return first;
  let command = program;
  for (const name of names) {
    if (name === 'help' || command.commands.length === 0) break;
    command = subCommand(command, name) ?? refuse(command, name, command === program ? topicNames : []);
  }
  return [...pathOf(command).split(' '), '--help'].filter((word) => word !== '');
}

/**
 * Moves options from before the name of a command to after it: `--profile work send ann` is `send --profile work ann`.
 * @throws ExitError for an option of the chat that the command does not have, or that lacks its value
 */
export function withOptionsAfter(program: Command, argv: readonly string[]): readonly string[] {
  let start = 0;
  while (argv[start]?.startsWith('-') === true) {
    const [name = '', value] = (argv[start] ?? '').split('=', 2);
    const option = chatOptionRows.find(({ long }) => long === name);
    if (option === undefined) {
      if (start > 0) refuseUnknown(program, name);
      return argv;
    }
    if (option.required && value === undefined && argv[start + 1] === undefined)
      throw new ExitError(exitCodes.usage, `option '${option.flags}' argument missing; see msg-tui --help`);
    start += option.required && value === undefined ? 2 : 1;
  }
  let command = program;
  let end = start;
  for (; end < argv.length; end++) {
    const next = subCommand(command, argv[end] ?? '');
    if (next === undefined) break;
    command = next;
  }
  if (start === 0 || command === program) return argv;
  const leading = argv.slice(0, start);
  const hidden = [command, defaultOf(command)].flatMap((one) => one?.options ?? []);
  const known = [...optionsOf(command), ...hidden].map(({ long }) => long);
  const wrong = leading
    .map((word) => word.split('=', 1)[0] ?? '')
    .find((word) => isChatOption(word) && !known.includes(word));
  if (wrong !== undefined) {
    const flags = chatOptionRows.find(({ long }) => long === wrong)?.flags ?? wrong;
    throw new ExitError(exitCodes.usage, `${pathOf(command)} has no option ${wrong}; ${chatOnly(flags)}`);
  }
  return [...argv.slice(start, end), ...withoutOtherMeaning(command, leading), ...argv.slice(end)];
}

/** Leaves out `--profile NAME` before `keys`, whose own `--profile` is that of the keys: it opens no account. */
function withoutOtherMeaning(command: Command, leading: readonly string[]): readonly string[] {
  const ofAccounts = chatOptionRows.find(({ long }) => long === '--profile');
  if (command.options.every(({ long, flags }) => long !== '--profile' || flags === ofAccounts?.flags)) return leading;
  return leading.filter((word, at) => !/^--profile(=|$)/.test(word) && leading[at - 1] !== '--profile');
}

/** Refuses an unknown option after one of the chat: commander would name that one, which it does not know either. */
function refuseUnknown(program: Command, word: string): void {
  const known = optionsOf(program).some(({ long, short }) => long === word || short === word);
  if (!known && word !== '--') throw new ExitError(exitCodes.usage, `unknown option '${word}'; see msg-tui --help`);
}

const isChatOption = (word: string): boolean => chatOptionRows.some(({ long }) => long === word);

const isHelpOption = (word: string | undefined): boolean => word === '--help' || word === '-h';

/** Whether the line asks for the help of what follows: `help send` or `--help send`. */
export const asksForHelp = ([first, second]: readonly string[]): boolean =>
  first === 'help' || (isHelpOption(first) && second?.startsWith('-') === false);

/** @throws ExitError for a word in the place of a command that no command has */
export function checkCommands(program: Command, argv: readonly string[]): void {
  let command = program;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--' || word === 'help') return;
    if (word.startsWith('-')) {
      // The options of the chat are not among those of the program.
      const own = command === program ? [...command.options, ...chatOptionRows] : command.options;
      const option = own.find(({ long, short }) => long === word || short === word);
      // Commander names an option that is not known. It prints the help whatever follows.
      if (option === undefined && !word.includes('=') && !isHelpOption(word)) return;
      if (option?.required === true) at++;
      continue;
    }
    if (command.commands.length === 0 || takesWords(command)) return;
    command = subCommand(command, word) ?? refuse(command, word);
  }
}

function takesWords(command: Command): boolean {
  return [command, defaultOf(command)].some((one) => (one?.registeredArguments.length ?? 0) > 0);
}

/** The sub-command that runs where none is named. */
function defaultOf(command: Command): Command | undefined {
  const { _defaultCommandName: name } = command as Command & { readonly _defaultCommandName?: string | null };
  return command.commands.find((one) => one.name() === name);
}

const subCommand = ({ commands }: Command, name: string): Command | undefined =>
  commands.find((one) => one.name() === name || one.aliases().includes(name));

function refuse(command: Command, word: string, more: readonly string[] = []): never {
  const names = [...command.commands.map((one) => one.name()), ...more];
  const near = nearest(word, names);
  const path = pathOf(command);
  const help = path === '' ? 'msg-tui --help' : `msg-tui ${path} --help`;
  const list =
    names.length > 6 ? `${help} lists them` : `there are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const hint = near === null ? list : `did you mean ${near}?`;
  throw new ExitError(exitCodes.usage, `${path === '' ? '' : `${path}: `}there is no command "${word}"; ${hint}`);
}

/** The options that the help shows, and those of the default sub-command. */
export function optionsOf(command: Command): readonly Option[] {
  const options = command.createHelp().visibleOptions(command);
  const meant = defaultOf(command);
  const more = [...(meant?.createHelp().visibleOptions(meant) ?? []), debugOptionRow, colorOptionRow];
  return [...options, ...more.filter(({ long }) => !options.some((one) => one.long === long))];
}

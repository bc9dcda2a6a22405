/** Finds in the tree of the commands what may follow on a half-typed command line. */
import type { Argument, Command, Option } from 'commander';
import { optionsOf } from '../help/arguments.ts';

/** A value that an option or a command takes. */
export interface ExpectedValue {
  /** The name of the value in the help: `conversation`, `file`. */
  readonly name: string;
  /** The option that takes the value, as `--profile`; null for an argument. */
  readonly option: string | null;
  readonly choices: readonly string[];
  readonly command: Command;
  /** The arguments of the command that are typed already. */
  readonly operands: readonly string[];
}

export interface Expected {
  /** The word at the cursor. */
  readonly word: string;
  /** The part of the word before the value: `--view=`. */
  readonly prefix: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
  readonly value: ExpectedValue | null;
  /** The values of options that are typed already, by the long name of the option; '' for one that takes none. */
  readonly given: ReadonlyMap<string, string>;
}

interface Walk {
  command: Command;
  operands: string[];
  given: Map<string, string>;
  /** The option whose value comes next. */
  pending: Option | null;
  isLiteral: boolean;
  isHelp: boolean;
}

/** @param words the words after the name of the program; the last one is at the cursor */
export function expectedAfter(program: Command, words: readonly string[]): Expected {
  const walk: Walk = {
    command: program,
    operands: [],
    given: new Map(),
    pending: null,
    isLiteral: false,
    isHelp: false,
  };
  for (const word of words.slice(0, -1)) step(walk, word);
  return nextOf(walk, words.at(-1) ?? '');
}

function step(walk: Walk, word: string): void {
  const { command, pending } = walk;
  if (pending !== null && !(pending.optional && word.startsWith('-'))) {
    walk.given.set(pending.long ?? '', word);
    if (!pending.variadic) walk.pending = null;
    return;
  }
  walk.pending = null;
  if (walk.isLiteral) walk.operands.push(word);
  else if (word === '--') walk.isLiteral = true;
  else if (word.startsWith('-') && word !== '-') readOption(walk, word);
  else if (word === 'help' && walk.operands.length === 0 && command.commands.length > 0) walk.isHelp = true;
  else {
    const next = walk.operands.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (next === undefined) walk.operands.push(word);
    else walk.command = next;
  }
}

function readOption(walk: Walk, word: string): void {
  const [name = '', value] = splitAtEquals(word);
  const option = optionsOf(walk.command).find(({ long, short }) => long === name || short === name);
  if (option === undefined) return;
  if (value !== undefined) walk.given.set(option.long ?? '', value);
  else if (option.required || option.optional) walk.pending = option;
  else walk.given.set(option.long ?? '', '');
}

function nextOf({ command, operands, given, pending, isLiteral, isHelp }: Walk, word: string): Expected {
  const nothing = { word, prefix: '', commands: [], options: [], value: null, given };
  const expected = ({ name, choices, option }: Pick<ExpectedValue, 'name' | 'choices' | 'option'>): ExpectedValue => ({
    name,
    choices,
    option,
    command,
    operands,
  });
  if (isHelp) return { ...nothing, commands: operands.length === 0 ? visibleCommands(command) : [] };
  if (pending !== null && !(pending.optional && word.startsWith('-')))
    return { ...nothing, value: expected(valueOfOption(pending)) };
  if (word.startsWith('-') && !isLiteral) {
    const [name = '', value] = splitAtEquals(word);
    if (value === undefined) return { ...nothing, options: optionsOf(command) };
    const option = optionsOf(command).find(({ long }) => long === name);
    const isValue = option?.required === true || option?.optional === true;
    return { ...nothing, prefix: `${name}=`, value: isValue ? expected(valueOfOption(option)) : null };
  }
  const commands = operands.length === 0 && !isLiteral ? visibleCommands(command) : [];
  const argument = argumentAt(command, operands.length);
  const value = argument === null ? null : { name: argument.name(), choices: argument.argChoices ?? [], option: null };
  return { ...nothing, commands, value: value === null ? null : expected(value) };
}

function argumentAt({ registeredArguments }: Command, at: number): Argument | null {
  const last = registeredArguments.at(-1);
  return registeredArguments[at] ?? (last?.variadic === true ? last : null);
}

const valueOfOption = ({ flags, long, argChoices }: Option): Pick<ExpectedValue, 'name' | 'choices' | 'option'> => ({
  name: /[<[]([^>\].]+)/.exec(flags)?.[1] ?? '',
  choices: argChoices ?? [],
  option: long ?? null,
});

const visibleCommands = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command);

/** The name and the value of `--name=value`; the word alone where it has no value. */
function splitAtEquals(word: string): readonly string[] {
  const at = word.indexOf('=');
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

/** Refuses arguments and options without text before a command runs. */
import type { Command } from 'commander';
import { ExitError, exitCodes } from './exit.ts';

/** Arguments that may be empty: the commands say more about an empty text, and a setting may be empty. */
const mayBeEmpty: readonly string[] = ['text', 'value', 'words'];

type NameOf = (command: Command) => string;

/**
 * @param nameOf the name of a command in the error, such as `config get`
 * @throws ExitError 2, so that a script whose variable is not set fails before anything is read or sent
 */
export function refuseEmptyValues(command: Command, nameOf: NameOf): void {
  const { registeredArguments, processedArgs } = command;
  for (const [at, argument] of registeredArguments.entries())
    if (!mayBeEmpty.includes(argument.name()) && isEmpty(processedArgs[at]))
      refuse(nameOf(command), `<${argument.name()}>`);
  // Options of `serve` are written before its sub-command.
  for (let one: Command | null = command; one !== null; one = one.parent) refuseEmptyOptions(one, nameOf);
}

function refuseEmptyOptions(command: Command, nameOf: NameOf): void {
  for (const option of command.options) {
    const name = option.attributeName();
    const isTyped = command.getOptionValueSource(name) === 'cli';
    // An option with an empty default, such as --phone of serve, may be given without text as well.
    if (isTyped && option.defaultValue !== '' && isEmpty(command.getOptionValue(name)))
      refuse(nameOf(command), option.flags);
  }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.some(isEmpty);

function refuse(name: string, what: string): never {
  throw new ExitError(exitCodes.usage, `${name}: the value of ${what} is empty`);
}

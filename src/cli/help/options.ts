/** Finds the options that a command takes. */
import type { Command, Option } from 'commander';
import { colorOptionRow, debugOptionRow } from './chat-option-rows.ts';

/** The options that the help shows, and those of the default sub-command. */
export function optionsOf(command: Command): readonly Option[] {
  const options = command.createHelp().visibleOptions(command);
  const { _defaultCommandName: name } = command as Command & { readonly _defaultCommandName?: string | null };
  const meant = command.commands.find((one) => one.name() === name);
  const more = [...(meant?.createHelp().visibleOptions(meant) ?? []), debugOptionRow, colorOptionRow];
  return [...options, ...more.filter(({ long }) => !options.some((one) => one.long === long))];
}

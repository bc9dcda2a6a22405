/** `msg-tui __commands`: all commands, variables and settings as JSON, of which scripts/docs.mjs makes pages. */
import type { Command } from 'commander';
import { rowOf, settingIds } from '../../config/settings-table.ts';
import { variables } from '../../config/variables.ts';
import { version } from '../process/version.ts';
import { filled } from './format.ts';
import { afterText, pathOf } from './help-text.ts';
import { fileRows } from './topics.ts';

/** @param program the tree of all commands */
export function commandsJson(program: Command): string {
  const settings = settingIds.map((id) => {
    const { about, default: fallback } = rowOf(id);
    return { id, about, default: fallback };
  });
  return `${JSON.stringify({ version, commands: describe(program), variables, files: fileRows, settings })}\n`;
}

/** Describes the command and all its sub-commands, each after its parent. */
function describe(command: Command): readonly unknown[] {
  const help = command.createHelp();
  const own = {
    path: pathOf(command),
    description: command.description(),
    usage: command.usage(),
    group: command.helpGroup(),
    help: filled(`${command.helpInformation()}\n${afterText(command)}`),
    text: filled(afterText(command)),
    arguments: help.visibleArguments(command).map((one) => ({
      name: help.argumentTerm(one),
      about: help.argumentDescription(one),
    })),
    options: help
      .visibleOptions(command)
      .map((one) => ({ flags: help.optionTerm(one), about: help.optionDescription(one) })),
  };
  return [own, ...command.commands.flatMap(describe)];
}

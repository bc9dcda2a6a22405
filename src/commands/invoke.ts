/** The one way in which a command is run, whether a key, a click or the palette asks for it. */
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { parseWords } from './parameters.ts';

/** Says why where the command cannot run now, or not with these words. */
export function invoke(context: CommandContext, command: Command, words: readonly string[] = []): void {
  const reason = command.disabled?.(context.get()) ?? null;
  const parsed = reason === null ? parseWords(command.parameters ?? {}, words) : { problem: reason };
  if ('problem' in parsed) notify(context, parsed.problem);
  else command.run(context, parsed.values);
}

/** Commands that the user made of others in config.toml. */
import { memoLast } from '../state/collections/memo.ts';
import type { KeySettings, Macro } from '../state/model/key-settings.ts';
import { canonical, macroId } from './bindings.ts';
import type { Command } from './command.ts';
import { invoke, problemWith } from './invoke.ts';
import { notify } from './notify.ts';

/**
 * Returns the macros as commands; one that names an unknown command, or none, is left out. `keyProblems` reports it.
 */
export const macroCommands = memoLast((settings: KeySettings, table: readonly Command[]): readonly Command[] =>
  Object.entries(settings.macros).flatMap(([name, macro]) => macroCommand(name, macro, table) ?? []),
);

function macroCommand(name: string, { keys, run }: Macro, table: readonly Command[]): Command | null {
  const steps = run.map((id) => table.find((one) => one.id === id));
  const [first] = steps;
  if (first === undefined || steps.includes(undefined)) return null;
  const commands = steps.flatMap((step) => step ?? []);
  return {
    id: macroId(name),
    title: `Macro ${name}: ${run.join(', ')}`,
    group: first.group,
    where: first.where,
    keys: canonical(keys),
    // A command in the middle that nothing takes back must wait as well.
    ...(commands.some(({ isFinal }) => isFinal !== undefined) && { isFinal: true }),
    // One that repeats the last action would repeat itself.
    ...(commands.some((one) => one.isRepeatable) && !run.includes('action.repeat') && { isRepeatable: true }),
    run(context) {
      for (const command of commands) {
        const problem = problemWith(context.get(), command, []);
        if (problem !== null) {
          notify(context, `Macro ${name} stopped at ${command.id}: ${problem}`, { tone: 'warning' });
          return;
        }
        invoke(context, command);
      }
    },
  };
}

/** The command table in groups, as `msg-tui keys` writes it. */
import type { Command, CommandGroup } from './command.ts';
import { commandGroups } from './command-rank.ts';
import { keysLabel } from './label.ts';

export type HelpRow =
  | { readonly kind: 'heading'; readonly title: CommandGroup }
  | { readonly kind: 'command'; readonly id: string; readonly keys: string; readonly title: string }
  | { readonly kind: 'blank' };

/** Groups the commands in the order of the table, also those without a key. */
export function helpRows(commands: readonly Command[], keysOf: (id: string) => readonly string[]): readonly HelpRow[] {
  return commandGroups
    .filter((group) => commands.some((command) => command.group === group))
    .flatMap((group, index): readonly HelpRow[] => [
      ...(index === 0 ? [] : [{ kind: 'blank' } as const]),
      { kind: 'heading', title: group },
      ...commands
        .filter((command) => command.group === group)
        .map(({ id, title }) => ({ kind: 'command' as const, id, title, keys: keysLabel(keysOf(id)) })),
    ]);
}

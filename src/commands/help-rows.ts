/** The rows of the help overlay: the command table in groups. */
import type { Command, CommandGroup } from './command.ts';
import { keysLabel } from './label.ts';

export type HelpRow =
  | { readonly kind: 'heading'; readonly title: CommandGroup }
  | { readonly kind: 'command'; readonly id: string; readonly keys: string; readonly title: string }
  | { readonly kind: 'blank' };

const groups: readonly CommandGroup[] = [
  'Anywhere',
  'Conversations',
  'Messages',
  'Composer',
  'Text editing',
  'Dialogs',
];

/** Grouped, in the order of the table. Commands without a key stand there too, so that they can be given one. */
export function helpRows(commands: readonly Command[], keysOf: (id: string) => readonly string[]): readonly HelpRow[] {
  return groups.flatMap((group, index): readonly HelpRow[] => [
    ...(index === 0 ? [] : [{ kind: 'blank' } as const]),
    { kind: 'heading', title: group },
    ...commands
      .filter((command) => command.group === group)
      .map(({ id, title }) => ({ kind: 'command' as const, id, title, keys: keysLabel(keysOf(id)) })),
  ]);
}

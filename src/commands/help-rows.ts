/** The rows of the help overlay: the command table in groups. */
import type { Command, CommandGroup } from './command.ts';
import { keysLabel } from './label.ts';

export type HelpRow =
  | { readonly kind: 'heading'; readonly title: CommandGroup }
  | { readonly kind: 'command'; readonly id: string; readonly keys: string; readonly title: string }
  | { readonly kind: 'blank' };

/** Indents a title that goes on in the next line. */
export type HelpLine = HelpRow | { readonly kind: 'rest'; readonly title: string };

/** Widths of the help in cells: its largest with the frame, that of frame and margin, and that of the key column. */
export const helpColumns = { widest: 86, frame: 6, keys: 20 } as const;

/** Returns the lines as they stand on a screen of so many columns. */
export function helpLines(rows: readonly HelpRow[], columns: number): readonly HelpLine[] {
  const { widest, frame, keys } = helpColumns;
  const room = Math.min(widest + 2, columns) - frame - keys - 3;
  return rows.flatMap((row): readonly HelpLine[] => {
    if (row.kind !== 'command') return [row];
    const [title = '', ...rest] = titleLines(row.title, room - Math.max(0, row.keys.length - keys));
    return [{ ...row, title }, ...rest.map((more) => ({ kind: 'rest' as const, title: more }))];
  });
}

/** Wraps our own texts, every character of which takes one cell. */
function titleLines(title: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of title.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

const groups: readonly CommandGroup[] = [
  'Anywhere',
  'Conversations',
  'Messages',
  'Composer',
  'Text editing',
  'Dialogs',
];

/** Groups the commands in the order of the table, also those without a key. */
export function helpRows(commands: readonly Command[], keysOf: (id: string) => readonly string[]): readonly HelpRow[] {
  return groups.flatMap((group, index): readonly HelpRow[] => [
    ...(index === 0 ? [] : [{ kind: 'blank' } as const]),
    { kind: 'heading', title: group },
    ...commands
      .filter((command) => command.group === group)
      .map(({ id, title }) => ({ kind: 'command' as const, id, title, keys: keysLabel(keysOf(id)) })),
  ]);
}

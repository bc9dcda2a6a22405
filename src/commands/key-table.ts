/** Writes the key table as text, Markdown or JSON, as `msg-tui keys` prints it. */
import type { Command, CommandGroup } from './command.ts';
import { commandGroups } from './command-rank.ts';
import { createKeymap, type Keymap } from './keymap.ts';
import { keysLabel } from './label.ts';
import { commands as table } from './table.ts';

export type KeysFormat = 'text' | 'markdown' | 'json';

export function formatKeys(
  format: KeysFormat,
  keymap: Keymap = createKeymap(table),
  columns = Number.POSITIVE_INFINITY,
): string {
  return `${formats[format](keymap, columns)}\n`;
}

/** Writes keys, title and id in columns, for a terminal; the title below the others where a line would be too long. */
function keysAsText({ commands, keysOf }: Keymap, columns: number): string {
  const rows = helpRows(commands, keysOf);
  const entries = rows.filter((row) => row.kind === 'command');
  const keyWidth = Math.max(...entries.map(({ keys }) => keys.length));
  const titleWidth = Math.max(...entries.map(({ title }) => title.length));
  const isNarrow = entries.some(({ id }) => keyWidth + titleWidth + id.length + 6 > columns);
  return rows
    .map((row) => {
      if (row.kind === 'blank') return '';
      if (row.kind === 'heading') return row.title;
      if (isNarrow)
        return [`  ${row.keys === '' ? '' : `${row.keys}  `}${row.id}`, ...indentedLines(row.title, columns)].join(
          '\n',
        );
      return `  ${row.keys.padEnd(keyWidth)}  ${row.title.padEnd(titleWidth)}  ${row.id}`;
    })
    .join('\n');
}

/** Breaks the title into lines of at most `columns` columns. */
function indentedLines(title: string, columns: number): readonly string[] {
  const indent = '      ';
  const lines: string[] = [];
  for (const word of title.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && line.length <= columns) lines[lines.length - 1] = line;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

/** Writes the JSON document of `msg-tui keys`, with the canonical names of the keys. */
function keysAsJson({ commands, keysOf }: Keymap): string {
  const rows = commands.map(({ id, title, group, where, slash }) => ({
    id,
    title,
    group,
    where,
    keys: keysOf(id),
    ...(slash === undefined ? {} : { slash }),
  }));
  return JSON.stringify({ schema: 1, keys: rows }, null, 2);
}

/** Writes one Markdown table a group, for the documentation, and one of the slash commands. */
function keysAsMarkdown({ commands, keysOf }: Keymap): string {
  const groups = helpRows(commands, keysOf).map((row) => {
    if (row.kind === 'blank') return '';
    if (row.kind === 'heading') return `## ${row.title}\n\n| Keys | Does | Command |\n|---|---|---|`;
    return `| ${escapeCell(row.keys)} | ${escapeCell(row.title)} | \`${row.id}\` |`;
  });
  return [
    ...groups,
    '',
    '## Slash commands',
    '',
    '| Typed | Does | Command |',
    '|---|---|---|',
    ...slashCells(commands),
  ].join('\n');
}

const slashCells = (commands: Keymap['commands']): readonly string[] =>
  commands.flatMap(({ id, slash, title, parameters = {} }) => {
    const takes = Object.keys(parameters).map((name) => ` [${name}]`);
    return slash === undefined ? [] : [`| \`/${slash}${takes.join('')}\` | ${escapeCell(title)} | \`${id}\` |`];
  });

const escapeCell = (text: string): string => text.replace(/[\\|`*_]/g, '\\$&');

const formats: Readonly<Record<KeysFormat, (keymap: Keymap, columns: number) => string>> = {
  text: keysAsText,
  markdown: keysAsMarkdown,
  json: keysAsJson,
};

/** The command table in groups, as `msg-tui keys` writes it. */
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

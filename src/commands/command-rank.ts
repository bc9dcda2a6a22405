/** Finds the commands that match what is typed in the help or the palette, and puts them in order. */
import { type CommandNames, type CommandQuery, commandLevel, commandNames } from '../state/search/command-query.ts';
import type { Command, CommandGroup, Context } from './command.ts';
import { keyLabel, keysLabel } from './label.ts';
import { freeText, parseWords } from './parameters.ts';

/** A command that can be found. */
export interface ListedCommand {
  /** The row of a match, which stands in no group. */
  readonly row: RankedCommand;
  /** The names to search in, which are made when something is typed. */
  readonly names: () => CommandNames;
}

/** A row of the help or the palette. */
export interface RankedCommand {
  readonly command: Command;
  /** The keys as the screen shows them; '' for none. */
  readonly keys: string;
  /** Null while something is typed: the best match comes first then. */
  readonly group: CommandGroup | 'Recent' | null;
  /** How well it matches what is typed; 0 while nothing is typed. */
  readonly level: number;
  /** The values of its parameters that are typed after its slash name. */
  readonly words?: readonly string[];
}

/** @param own what is typed for this command alone */
export function listCommand(command: Command, keys: readonly string[], own?: readonly string[]): ListedCommand {
  let made: CommandNames | null = null;
  return {
    row: { command, keys: keysLabel(keys), group: null, level: 0 },
    names() {
      made ??= commandNames(command.title, namesOf(command), namesOfKeys(keys), own);
      return made;
    },
  };
}

/** A setting is found by its name, written as it is or with blanks, and by its values. */
function namesOf({ id, slash, setting }: Command): readonly string[] {
  if (setting === undefined) return slash === undefined ? [id] : [id, `/${slash}`];
  return [['setting', setting.id, ...setting.id.split(/[._]/), ...setting.values].join(' ')];
}

export interface RankOptions {
  readonly commands: readonly ListedCommand[];
  readonly query: CommandQuery;
  /** What is typed, unfolded: values of a command may be names. */
  readonly typed: string;
  /** The contexts that were in force before the list was opened. */
  readonly contexts: readonly Context[];
  /** The ids of commands that were run before, the most and latest used first. */
  readonly used: readonly string[];
}

export const commandGroups: readonly CommandGroup[] = [
  'Anywhere',
  'Conversations',
  'Messages',
  'Composer',
  'Text editing',
  'Settings',
  'Dialogs',
];

const mostRecent = 5;

export const rankCommands = (options: RankOptions): readonly RankedCommand[] =>
  options.query.text === '' ? inGroups(options) : matching(options);

/** Commands used before come first, then the groups, those whose keys work where the keyboard was before the others. */
function inGroups({ commands, contexts, used }: RankOptions): readonly RankedCommand[] {
  const rows = commands.map(({ row }) => row);
  const byId = new Map(rows.map((row) => [row.command.id, row]));
  const recent = used.flatMap((id) => byId.get(id) ?? []).slice(0, mostRecent);
  const others = rows.filter((row) => !recent.includes(row));
  return [
    ...recent.map((row) => ({ ...row, group: 'Recent' as const })),
    ...groupsFor(contexts).flatMap((group) =>
      others.filter(({ command }) => command.group === group).map((row) => ({ ...row, group })),
    ),
  ];
}

const groupOfPane: Readonly<Partial<Record<Context, CommandGroup>>> = {
  list: 'Conversations',
  messages: 'Messages',
  composer: 'Composer',
};

function groupsFor(contexts: readonly Context[]): readonly CommandGroup[] {
  const own = contexts.flatMap((context) => groupOfPane[context] ?? []);
  return [...new Set([...own, ...commandGroups])];
}

function matching({ commands, query, typed, contexts, used }: RankOptions): readonly RankedCommand[] {
  const places = new Map(used.map((id, place) => [id, place]));
  const found: Match[] = [];
  for (const { row, names } of commands) {
    const level = commandLevel(names(), query);
    if (level === 0) continue;
    const { id, where } = row.command;
    const isHere = where.some((context) => contexts.includes(context));
    found.push({ row, level, isHere, place: places.get(id) ?? used.length });
  }
  return found
    .sort((a, b) => b.level - a.level || Number(b.isHere) - Number(a.isHere) || a.place - b.place)
    .map(({ row, level }): RankedCommand => ({ ...row, level }))
    .concat(
      withValues(
        commands.filter(({ row }) => !found.some((other) => other.row === row)),
        typed,
      ),
    );
}

/** The command that is typed with its values, as after a slash: `mute 8h`. */
function withValues(commands: readonly ListedCommand[], typed: string): readonly RankedCommand[] {
  const [name = '', ...words] = typed.trim().replace(/^\//, '').split(/\s+/);
  if (words.length === 0) return [];
  return commands
    .filter(({ row: { command } }) => command.slash === name.toLowerCase() && command.parameters !== undefined)
    .map(({ row }) => ({ ...row, level: isSure(row.command, words) ? sureLevel : valuesLevel, words }));
}

/** Whether the first word is a value that is no free text, such as a duration: nobody types that to find a title. */
function isSure({ parameters = {} }: Command, words: readonly string[]): boolean {
  return Object.values(parameters)[0] !== freeText && 'values' in parseWords(parameters, words);
}

/** Below that of a title in which words begin with all that is typed, above that of one that has it elsewhere. */
const valuesLevel = 3.5;
const sureLevel = 7;

interface Match {
  readonly row: RankedCommand;
  readonly level: number;
  /** Whether the command's keys work where the keyboard was. */
  readonly isHere: boolean;
  /** The command's place among those that were run before. */
  readonly place: number;
}

/** The keys as they are written in the configuration, and as the screen shows them. */
const namesOfKeys = (keys: readonly string[]): readonly string[] => keys.flatMap((key) => [key, keyLabel(key)]);

/** Finds the command of a key: a tree of keys for each context, with the user's own keys, and the conflicts in it. */
import { type Command, type Context, takesText } from './command.ts';

export interface KeyMatch {
  readonly command: Command;
  /** Position of the keys among those of the command. */
  readonly nth: number;
}

/** Two commands with the same keys in one context, or with keys that are the beginning of the other's. */
export interface KeyConflict {
  readonly context: Context;
  /** The keys of the first command, which runs, and of the second, which does not. */
  readonly key: string;
  readonly other: string;
  readonly ids: readonly [string, string];
}

/** A key that may come next in a sequence; without a command, more keys follow. */
export interface NextKey {
  readonly key: string;
  readonly match: KeyMatch | null;
}

/** A sequence is written with blanks between its keys: `g g`. */
export interface Keymap {
  readonly commands: readonly Command[];
  find(contexts: readonly Context[], keys: string): KeyMatch | null;
  /** Returns the keys that may follow these; none where no sequence begins with them. */
  follow(contexts: readonly Context[], keys: string): readonly NextKey[];
  /** Returns the keys to show: those that reach the program and run the command; none for an unknown id. */
  keysOf(id: string): readonly string[];
  /** Digits before a command that moves the selection say how often. */
  readonly hasCounts: boolean;
  readonly conflicts: readonly KeyConflict[];
}

export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

export interface KeymapOptions {
  readonly hasCounts?: boolean;
  /** The commands whose keys the user has chosen: these come before the keys of all others. */
  readonly own?: ReadonlySet<string>;
}

/** Keys that have a name and type no character. The space bar is not among them, as it types a blank. */
export const namedKeys: ReadonlySet<string> = new Set(
  'enter tab escape backspace delete insert up down left right home end pageup pagedown'.split(' '),
);

/** Whether the key types something: a character without Ctrl or Alt, or the space bar. */
export const isBareCharacter = (key: string): boolean =>
  !/^(ctrl|alt|shift)\+./.test(key) && !namedKeys.has(key) && !/^f\d+$/.test(key);

/** Whether the first key of the sequence types something, so that it is text wherever text is typed. */
const beginsWithText = (keys: string): boolean => isBareCharacter(keys.split(' ', 1)[0] ?? '');

export function createKeymap(
  commands: readonly Command[],
  overrides: KeyOverrides = {},
  { hasCounts = false, own = new Set() }: KeymapOptions = {},
): Keymap {
  const keys = new Map(
    commands.map((command) => [
      command.id,
      Object.hasOwn(overrides, command.id) ? (overrides[command.id] ?? []) : command.keys,
    ]),
  );
  const { table, conflicts } = index(commands, keys, own);
  const rows = (contexts: readonly Context[], sequence: string): readonly Row[] =>
    takesText(contexts) && beginsWithText(sequence)
      ? []
      : contexts.flatMap((context) => table.get(context) ?? []).filter((row) => holds(row, sequence));
  const find: Keymap['find'] = (contexts, sequence) => rows(contexts, sequence)[0]?.commands.get(sequence) ?? null;
  return {
    commands,
    hasCounts,
    keysOf: shownKeys(commands, keys, find),
    conflicts,
    find,
    follow(contexts, sequence) {
      const found = rows(contexts, sequence);
      const command = found.findIndex((row) => row.commands.has(sequence));
      return nextKeys(command < 0 ? found : found.slice(0, command), sequence);
    },
  };
}

/** Returns the keymap without the keys that the terminal does not send: they are not shown. */
export function withoutLostKeys(keymap: Keymap, lost: ReadonlySet<string>): Keymap {
  if (lost.size === 0) return keymap;
  const isSent = (sequence: string): boolean => !sequence.split(' ').some((key) => lost.has(key));
  return { ...keymap, keysOf: (id) => keymap.keysOf(id).filter(isSent) };
}

/** The keys of each command are found when they are asked for first. */
function shownKeys(
  commands: readonly Command[],
  keys: ReadonlyMap<string, readonly string[]>,
  find: Keymap['find'],
): Keymap['keysOf'] {
  const shown = new Map<string, readonly string[]>();
  return (id) => {
    const known = shown.get(id);
    if (known !== undefined) return known;
    const where = commands.find((command) => command.id === id)?.where ?? [];
    // What works everywhere is hidden by what works in every pane.
    const places = where.map((context): readonly Context[] => (context === 'always' ? ['global', context] : [context]));
    const runs = (key: string): boolean => places.some((contexts) => find(contexts, key)?.command.id === id);
    const found = (keys.get(id) ?? []).filter(runs);
    shown.set(id, found);
    return found;
  };
}

/** The keys of one context. */
interface Row {
  readonly commands: Map<string, KeyMatch>;
  /** The keys that follow a beginning, which is written as a sequence. */
  readonly next: Map<string, Set<string>>;
}

const holds = (row: Row, sequence: string): boolean => row.commands.has(sequence) || row.next.has(sequence);

/** @param rows innermost context first; its keys hide those of the others */
function nextKeys(rows: readonly Row[], sequence: string): readonly NextKey[] {
  const found = new Map<string, NextKey>();
  for (const row of rows)
    for (const key of row.next.get(sequence) ?? [])
      if (!found.has(key)) found.set(key, { key, match: row.commands.get(`${sequence} ${key}`) ?? null });
  return [...found.values()];
}

/** The beginnings of a sequence, the longest last: `a b c` has `a` and `a b`. */
function beginnings(sequence: string): readonly string[] {
  if (!sequence.includes(' ')) return [];
  const keys = sequence.split(' ');
  return keys.slice(1).map((_, i) => keys.slice(0, i + 1).join(' '));
}

/** A key of a pane must not hide one of these contexts, whose commands work in it. */
const wider: Readonly<Partial<Record<Context, readonly Context[]>>> = {
  list: ['global', 'always'],
  messages: ['global', 'always'],
  composer: ['global', 'always'],
  global: ['always'],
};

function index(
  commands: readonly Command[],
  keys: ReadonlyMap<string, readonly string[]>,
  own: ReadonlySet<string>,
): { readonly table: ReadonlyMap<Context, Row>; readonly conflicts: readonly KeyConflict[] } {
  const table = new Map<Context, Row>();
  const conflicts: KeyConflict[] = [];
  const isOwn = ({ id }: Command): boolean => own.has(id);
  /** A key that the user has chosen for all panes is not hidden by a usual key of one of them. */
  const chosenAround = (context: Context, key: string): Held | null =>
    (own.size === 0 ? [] : (wider[context] ?? []))
      .map((name) => clash(table.get(name) ?? emptyRow(), key))
      .find((held) => held !== null && isOwn(held.match.command) && !isText(context, key)) ?? null;
  for (const command of [...commands.filter(isOwn), ...commands.filter((one) => !isOwn(one))]) {
    for (const context of command.where) {
      const row = table.get(context) ?? emptyRow();
      table.set(context, row);
      (keys.get(command.id) ?? []).forEach((key, nth) => {
        const held = clash(row, key) ?? (isOwn(command) ? null : chosenAround(context, key));
        if (held === null) add(row, key, { command, nth });
        else conflicts.push({ context, key: held.keys, other: key, ids: [held.match.command.id, command.id] });
      });
    }
  }
  return { table, conflicts: [...conflicts, ...hidden(table)] };
}

const emptyRow = (): Row => ({ commands: new Map(), next: new Map() });

/** What is typed into the composer is no command there. */
const isText = (context: Context, key: string): boolean => context === 'composer' && beginsWithText(key);

function add({ commands, next }: Row, sequence: string, match: KeyMatch): void {
  commands.set(sequence, match);
  const keys = sequence.split(' ');
  beginnings(sequence).forEach((beginning, i) => {
    const held = next.get(beginning) ?? new Set();
    next.set(beginning, held.add(keys[i + 1] ?? ''));
  });
}

interface Held {
  readonly keys: string;
  readonly match: KeyMatch;
}

/** Returns the binding that has the same keys, a beginning of them, or them as its beginning. */
function clash(row: Row, sequence: string): Held | null {
  const same = [sequence, ...beginnings(sequence)].find((keys) => row.commands.has(keys));
  const longer = row.next.has(sequence)
    ? [...row.commands.keys()].find((keys) => keys.startsWith(`${sequence} `))
    : undefined;
  const keys = same ?? longer;
  const match = keys === undefined ? undefined : row.commands.get(keys);
  return keys === undefined || match === undefined ? null : { keys, match };
}

/** Finds keys of a pane that hide keys of commands that work in every pane. */
function hidden(table: ReadonlyMap<Context, Row>): readonly KeyConflict[] {
  return [...table].flatMap(([context, inner]) =>
    (wider[context] ?? []).flatMap((name) => {
      const outer = table.get(name);
      if (outer === undefined) return [];
      return [...inner.commands].flatMap(([key, { command }]): readonly KeyConflict[] => {
        const held = isText(context, key) ? null : clash(outer, key);
        if (held === null || held.match.command.id === command.id) return [];
        return [{ context, key, other: held.keys, ids: [command.id, held.match.command.id] }];
      });
    }),
  );
}

/** From keys to commands: lookup along the context stack, the user's overrides, conflicts. */
import { type Command, type Context, takesText } from './command.ts';

export interface KeyMatch {
  readonly command: Command;
  /** Position of the key among the command's keys. */
  readonly nth: number;
}

/** Two commands that want one key in one context; the first one has it. */
export interface KeyConflict {
  readonly context: Context;
  readonly key: string;
  readonly ids: readonly string[];
}

export interface Keymap {
  readonly commands: readonly Command[];
  find(contexts: readonly Context[], key: string): KeyMatch | null;
  /** Returns the keys after overrides; none for a command without keys and for an unknown id. */
  keysOf(id: string): readonly string[];
  readonly conflicts: readonly KeyConflict[];
  /** Overridden ids that no command has. */
  readonly unknownIds: readonly string[];
}

export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

const namedKeys = new Set(
  'enter tab escape backspace delete insert up down left right home end pageup pagedown'.split(' '),
);

/** Whether the key types something: a character without Ctrl or Alt, or the space bar. */
export const isBareCharacter = (key: string): boolean =>
  !/^(ctrl|alt|shift)\+./.test(key) && !namedKeys.has(key) && !/^f\d+$/.test(key);

export function createKeymap(commands: readonly Command[], overrides: KeyOverrides = {}): Keymap {
  const keys = new Map(
    commands.map((command) => [
      command.id,
      Object.hasOwn(overrides, command.id) ? (overrides[command.id] ?? []) : command.keys,
    ]),
  );
  const keysOf = (id: string): readonly string[] => keys.get(id) ?? [];
  const { table, conflicts } = index(commands, keysOf);
  return {
    commands,
    keysOf,
    conflicts,
    unknownIds: Object.keys(overrides).filter((id) => !keys.has(id)),
    find(contexts, key) {
      if (takesText(contexts) && isBareCharacter(key)) return null;
      for (const context of contexts) {
        const match = table.get(context)?.get(key);
        if (match !== undefined) return match;
      }
      return null;
    },
  };
}

type Table = ReadonlyMap<Context, ReadonlyMap<string, KeyMatch>>;

function index(
  commands: readonly Command[],
  keysOf: (id: string) => readonly string[],
): { readonly table: Table; readonly conflicts: readonly KeyConflict[] } {
  const table = new Map<Context, Map<string, KeyMatch>>();
  const conflicts: KeyConflict[] = [];
  for (const command of commands) {
    for (const context of command.where) {
      const row = table.get(context) ?? new Map<string, KeyMatch>();
      table.set(context, row);
      keysOf(command.id).forEach((key, nth) => {
        const held = row.get(key);
        if (held === undefined) row.set(key, { command, nth });
        else conflicts.push({ context, key, ids: [held.command.id, command.id] });
      });
    }
  }
  return { table, conflicts };
}

/** Reads the names of keys as users write them: `Ctrl-K`, `ctrl+k`, `Alt-Shift-↓`, `PgUp`, `g g`. */
import { isBareCharacter, namedKeys } from './keymap.ts';

const aliases: Readonly<Record<string, string>> = {
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  ins: 'insert',
  pgup: 'pageup',
  pgdn: 'pagedown',
  pgdown: 'pagedown',
  '↑': 'up',
  '↓': 'down',
  '←': 'left',
  '→': 'right',
};

const longestSequence = 4;

/** Returns the canonical name (terminal/events.ts); null where it is none. */
export function parseKeys(written: string): string | null {
  const keys = written.trim().split(/ +/);
  const parsed = keys.map(parseKey);
  return keys.length > longestSequence || parsed.includes(null) ? null : parsed.join(' ');
}

function parseKey(written: string): string | null {
  const [, prefix = '', base = ''] = /^((?:(?:ctrl|alt|shift)[+-])*)(.+)$/isu.exec(written) ?? [];
  const modifiers = new Set(prefix.toLowerCase().split(/[+-]/));
  const name = nameOf(base);
  if (name === null) return null;
  const isCharacter = [...name].length === 1;
  if (modifiers.has('shift') && !isCharacter && !namedKeys.has(name) && !/^f\d+$/.test(name)) return null;
  const before = ['ctrl', 'alt', ...(isCharacter ? [] : ['shift'])].filter((one) => modifiers.has(one));
  return [...before, isCharacter ? withCase(name, modifiers) : name].join('+');
}

function nameOf(base: string): string | null {
  if ([...base].length === 1 && aliases[base] === undefined) return base;
  const lower = base.toLowerCase();
  const name = Object.hasOwn(aliases, lower) ? aliases[lower] : lower;
  return name !== undefined && (name === 'space' || !isBareCharacter(name)) ? name : null;
}

/** After Ctrl a letter is small unless Shift is pressed too. */
function withCase(character: string, modifiers: ReadonlySet<string>): string {
  if (modifiers.has('shift')) return character.toUpperCase();
  return modifiers.has('ctrl') ? character.toLowerCase() : character;
}

/** Makes the labels of keys on the screen: `ctrl+k` is Ctrl-K, `down` is ↓. */
import { RecentMap } from '../state/collections/memo.ts';

const modifiers: Readonly<Record<string, string>> = { ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift' };

const names: Readonly<Record<string, string>> = {
  enter: 'Enter',
  tab: 'Tab',
  escape: 'Esc',
  backspace: 'Backspace',
  delete: 'Del',
  insert: 'Ins',
  space: 'Space',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  home: 'Home',
  end: 'End',
  pageup: 'PgUp',
  pagedown: 'PgDn',
};

/** The labels that were made, as the help needs those of all commands for each letter typed in it. */
const labels = new RecentMap<string, string>(1_000);

/** Characters keep their case; after Ctrl, where keys are called by their capital, a capital is written with its Shift. */
export function keyLabel(keys: string): string {
  const known = labels.get(keys);
  if (known !== undefined) return known;
  const label = keys.split(' ').map(oneLabel).join(' ');
  labels.set(keys, label);
  return label;
}

function oneLabel(key: string): string {
  const parts = /^((?:(?:ctrl|alt|shift)\+)*)(.+)$/s.exec(key);
  const isShifted = /^ctrl\+(?:alt\+)?\p{Lu}$/u.test(key);
  const prefix = [...(parts?.[1] ?? '').split('+').filter((part) => part !== ''), ...(isShifted ? ['shift'] : [])];
  const name = parts?.[2] ?? key;
  return [...prefix.map((part) => modifiers[part] ?? part), baseLabel(name, prefix)].join('-');
}

function baseLabel(name: string, prefix: readonly string[]): string {
  const named = names[name];
  if (named !== undefined) return named;
  return /^f\d+$/.test(name) || prefix.includes('ctrl') ? name.toUpperCase() : name;
}

/** All keys of a command: `j / ↓`; a run of digits as `Alt-1…9`. */
export function keysLabel(keys: readonly string[]): string {
  const first = keys[0];
  const last = keys.at(-1);
  if (first === undefined || last === undefined) return '';
  return isDigitRun(keys) ? `${keyLabel(first)}…${last.slice(-1)}` : keys.map(keyLabel).join(' / ');
}

function isDigitRun(keys: readonly string[]): boolean {
  const first = keys[0] ?? '';
  const start = Number(first.slice(-1));
  return (
    keys.length > 2 && /\d$/.test(first) && keys.every((key, index) => key === `${first.slice(0, -1)}${start + index}`)
  );
}

/** Reads the keys of vim's normal and visual modes: a state machine with one transition a key. */
import type { VimCommand, VimMode, VimOperator, VimPending } from '../../model/vim.ts';

export const nothingPending: VimPending = {
  keys: '',
  register: null,
  operator: null,
  operatorCount: null,
  count: null,
  prefix: null,
};

export type Read = { readonly pending: VimPending } | { readonly command: VimCommand } | null;

/** A higher count is taken as this one. */
const mostTimes = 9_999;

const motions: ReadonlySet<string> = new Set('h j k l w b e W B E 0 ^ $ G ; , % { }'.split(' '));
const simple: ReadonlySet<string> = new Set('~ J p P u ctrl+r . i a I A o O R v V'.split(' '));
const visualOnly: Readonly<Record<string, VimOperator>> = { '~': '~', u: 'u', U: 'U', x: 'd', s: 'c' };
const operators: ReadonlySet<string> = new Set(['d', 'c', 'y']);
/** After `g`, and alone after themselves: `gUU` is `gUgU`. */
const caseOperators: ReadonlySet<string> = new Set(['u', 'U', '~']);
const findPrefixes: ReadonlySet<string> = new Set(['f', 'F', 't', 'T']);
/** There is no search in the draft; its words are read, so that they are no commands, and Enter after them sends nothing. */
const searches: ReadonlySet<string> = new Set(['/', '?']);
const objects: ReadonlySet<string> = new Set([...'wWp"\'`()b[]{}B<>']);
/** After `g`. */
const afterG: ReadonlySet<string> = new Set(['g', 'j', 'k', 'e', 'E', '_', 'J']);

/** Keys that combine an operator and a motion. The action `lines` is that of a doubled operator, as in `dd`. */
const short: Readonly<Record<string, { readonly operator: VimOperator; readonly action: string }>> = {
  D: { operator: 'd', action: '$' },
  C: { operator: 'c', action: '$' },
  Y: { operator: 'y', action: 'lines' },
  S: { operator: 'c', action: 'lines' },
  s: { operator: 'c', action: 'l' },
  x: { operator: 'd', action: 'l' },
  X: { operator: 'd', action: 'h' },
};
const shortVisual: Readonly<Record<string, VimOperator>> = { D: 'd', X: 'd', C: 'c', S: 'c', R: 'c', Y: 'y' };

/** Returns what is pending after the key, or the command that it completes; null where the keys mean nothing. */
export function readKey(before: VimPending, key: string, mode: VimMode): Read {
  const pending = { ...before, keys: before.keys + (key === 'enter' ? '⏎' : key) };
  if (before.prefix !== null) return afterPrefix(pending, before.prefix, key, mode);
  if (/^[1-9]$/.test(key) || (key === '0' && before.count !== null)) {
    return { pending: { ...pending, count: Math.min(mostTimes, (before.count ?? 0) * 10 + Number(key)) } };
  }
  if (key === '"' || key === 'g' || findPrefixes.has(key) || searches.has(key))
    return { pending: { ...pending, prefix: key } };
  if (before.operator !== null) return afterOperator(pending, before.operator, key);
  return mode === 'normal' ? inNormal(pending, key) : inVisual(pending, key);
}

function afterPrefix(pending: VimPending, prefix: string, key: string, mode: VimMode): Read {
  if (searches.has(prefix)) return isCharacter(key) ? { pending } : key === 'backspace' ? shortened(pending) : null;
  const next = { ...pending, prefix: null };
  if (prefix === 'r') {
    const char = key === 'enter' ? '\n' : key;
    return isCharacter(char) ? complete(next, 'r', char) : null;
  }
  if (!isCharacter(key)) return null;
  if (prefix === '"') return pending.operator === null ? { pending: { ...next, register: key } } : null;
  if (findPrefixes.has(prefix)) return complete(next, prefix, key);
  if (prefix === 'g' && caseOperators.has(key)) return caseOperator(next, key as VimOperator, mode);
  if (prefix === 'g') return afterG.has(key) ? complete(next, `g${key}`) : null;
  return objects.has(key) ? complete(next, prefix, key) : null;
}

function caseOperator(pending: VimPending, operator: VimOperator, mode: VimMode): Read {
  if (mode !== 'normal') return complete({ ...pending, operator }, 'selected');
  return pending.operator === null
    ? withOperator(pending, operator)
    : afterOperator(pending, pending.operator, operator);
}

const withOperator = (pending: VimPending, operator: VimOperator): Read => ({
  pending: { ...pending, operator, operatorCount: pending.count, count: null },
});

/** The search without the key and the character before it; null where that was its sign. */
function shortened(pending: VimPending): Read {
  const keys = [...pending.keys.slice(0, -'backspace'.length)].slice(0, -1).join('');
  return /[/?]/.test(keys) ? { pending: { ...pending, keys } } : null;
}

/** All other keys come by their names, such as `f5` and `alt+x`. */
const isCharacter = (key: string): boolean => [...key].length === 1;

function afterOperator(pending: VimPending, operator: VimOperator, key: string): Read {
  if (key === operator) return complete(pending, 'lines');
  if (key === 'i' || key === 'a') return { pending: { ...pending, prefix: key } };
  return motions.has(key) ? complete(pending, key) : null;
}

function inNormal(pending: VimPending, key: string): Read {
  if (operators.has(key)) return withOperator(pending, key as VimOperator);
  if (key === 'r') return { pending: { ...pending, prefix: 'r' } };
  const meant = short[key];
  if (meant !== undefined) return complete({ ...pending, operator: meant.operator }, meant.action);
  return motions.has(key) || simple.has(key) ? complete(pending, key) : null;
}

/** An operator acts on what is selected, at once. */
function inVisual(pending: VimPending, key: string): Read {
  if (key === 'i' || key === 'a' || key === 'r') return { pending: { ...pending, prefix: key } };
  const onLines = shortVisual[key];
  if (onLines !== undefined) return complete({ ...pending, operator: onLines }, 'selected-lines');
  const operator = operators.has(key) ? (key as VimOperator) : visualOnly[key];
  if (operator !== undefined) return complete({ ...pending, operator }, 'selected');
  return motions.has(key) || 'oJpPvV'.includes(key) ? complete(pending, key) : null;
}

function complete({ register, operator, operatorCount, count }: VimPending, action: string, char = ''): Read {
  const product = operatorCount === null && count === null ? null : (operatorCount ?? 1) * (count ?? 1);
  return {
    command: { register, operator, action, char, count: product === null ? null : Math.min(mostTimes, product) },
  };
}

/** Reads `application/x-www-form-urlencoded` text with bracket notation into a tree, strictly and within limits. */

/**
 * `a=1` is a string, `a[]=1&a[]=2` a list, `a[b]=1` a map. `a[][b]=1&a[][b]=2` is read as `a[0][b]=1&a[1][b]=2`: empty
 * brackets in the middle mean the last element, or a new one when the last one has that name already (as Rails, Stripe
 * and qs write lists of objects). Maps, not objects: a name such as `__proto__` is only a name.
 */
export type FormValue = string | readonly string[] | FormMap;
export type FormMap = ReadonlyMap<string, FormValue>;

type Building = Map<string, string | string[] | Building>;

export const formLimits = { pairs: 1000, depth: 3 } as const;

export class FormError extends Error {
  override readonly name = 'FormError';
  /** The wrong parameter as it was written; null when the error concerns none. */
  readonly parameter: string | null;
  constructor(message: string, parameter: string | null = null) {
    super(message);
    this.parameter = parameter;
  }
}

/** Throws `FormError` on bad encoding, bad brackets, a name given twice, NUL characters, and beyond `formLimits`. */
export function decodeForm(text: string): FormMap {
  const root: Building = new Map();
  const numbered = new Set<Building>();
  let pairs = 0;
  for (const pair of text.split(/&+/, formLimits.pairs + 2)) {
    if (pair === '') continue;
    pairs += 1;
    if (pairs > formLimits.pairs) throw new FormError(`more than ${formLimits.pairs} parameters`);
    const cut = pair.indexOf('=');
    const name = decodePart(cut < 0 ? pair : pair.slice(0, cut));
    place(root, numbered, name, cut < 0 ? '' : decodePart(pair.slice(cut + 1)));
  }
  return root;
}

function decodePart(encoded: string): string {
  let text: string;
  try {
    text = decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new FormError('the parameters are not percent-encoded UTF-8');
  }
  if (text.includes('\0')) throw new FormError('NUL characters are not allowed');
  return text;
}

/** `a[b][]` → `['a', 'b', '']`. */
function pathOf(name: string): readonly string[] {
  const open = name.indexOf('[');
  const head = open < 0 ? name : name.slice(0, open);
  if (head === '' || head.includes(']')) throw new FormError('a parameter without a proper name', name);
  if (open < 0) return [head];
  const rest = name.slice(open);
  const keys = rest.slice(1, -1).split('][');
  if (!rest.endsWith(']') || keys.some((key) => /[[\]]/.test(key))) throw new FormError('unbalanced brackets', name);
  if (keys.length > formLimits.depth) throw new FormError(`brackets deeper than ${formLimits.depth}`, name);
  if (keys.some((key, index) => key === '' && keys[index + 1] === '')) {
    throw new FormError('empty brackets cannot follow each other', name);
  }
  return [head, ...keys];
}

/** @param numbered the maps whose names are the numbers that empty brackets were given */
function place(root: Building, numbered: Set<Building>, name: string, value: string): void {
  const path = pathOf(name);
  const isList = path.length > 1 && path.at(-1) === '';
  const keys = isList ? path.slice(0, -1) : path;
  let map = root;
  for (const [index, written] of keys.slice(0, -1).entries()) {
    const key = written === '' ? numberFor(map, isList ? [] : keys.slice(index + 1)) : written;
    const next = map.get(key) ?? new Map();
    if (!(next instanceof Map)) throw new FormError('one name used in two ways', name);
    map.set(key, next);
    // A list is written either with numbers or with empty brackets: mixed, nobody could say which element is meant.
    if (keys[index + 1] === '' && next.size === 0) numbered.add(next);
    if ((keys[index + 1] === '') !== numbered.has(next)) throw new FormError('one name used in two ways', name);
    map = next;
  }
  const last = keys.at(-1) ?? '';
  const present = map.get(last);
  if (!isList) {
    if (present !== undefined) throw new FormError('given more than once', name);
    map.set(last, value);
  } else if (present === undefined) map.set(last, [value]);
  else if (Array.isArray(present)) present.push(value);
  else throw new FormError('one name used in two ways', name);
}

/** The last element, or the next one when the last one has a value of that name; without `rest` the last one. */
function numberFor(elements: Building, rest: readonly string[]): string {
  const last = String(Math.max(0, elements.size - 1));
  let value: FormValue | undefined = elements.get(last);
  for (const key of rest) value = value instanceof Map ? value.get(key) : undefined;
  return rest.length > 0 && value !== undefined ? String(elements.size) : last;
}

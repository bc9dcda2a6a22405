/**
 * Sets and removes one key in the text of a TOML file and leaves the rest as it is: comments, order, blank lines. The place
 * is found line by line, and the result counts only if the parser reads exactly the wanted change in it.
 */
import { isDeepStrictEqual } from 'node:util';
import { parseToml } from './file.ts';
import { keysOf } from './toml-lines.ts';

type Table = Readonly<Record<string, unknown>>;

/** An assignment of the file, as offsets in its text. */
interface Assignment {
  /** With the names of the table around it. */
  readonly path: readonly string[];
  readonly table: readonly string[];
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** After the newline. */
  readonly end: number;
}

interface Header {
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

interface Layout {
  readonly assignments: readonly Assignment[];
  readonly headers: readonly Header[];
}

/**
 * Null when the key is written in a way that cannot be changed in place, as inside of an inline table.
 * @param literal the value as TOML
 * @throws ConfigError when the text is no TOML
 */
export async function setInToml(
  file: string,
  text: string,
  path: readonly string[],
  literal: string,
): Promise<string | null> {
  const { value } = (await parseToml(file, `value = ${literal}\n`)) as { readonly value: unknown };
  const wanted = withValue(await parseToml(file, text), path, value);
  return checked(file, withLiteral(text, path, literal), wanted);
}

/**
 * Removes a key, or a table and the tables in it, and with the last key of a table its header. Comments stay. Returns the text
 * itself when the key is not there; null as for `setInToml`. Throws `ConfigError`.
 */
export async function unsetInToml(file: string, text: string, path: readonly string[]): Promise<string | null> {
  const before = await parseToml(file, text);
  if (!hasValue(before, path)) return text;
  const { assignments, headers } = layoutOf(text);
  const gone = isAlone(text, headers, before, path) ? path.slice(0, -1) : path;
  const inside = [...assignments, ...headers.map((one) => ({ ...one, isHeader: true }))]
    .filter((one) => isWithin(one.path, gone))
    .sort((one, other) => other.start - one.start);
  let next = text;
  for (const one of inside) {
    const above = next.slice(0, one.start);
    // The blank line above a header is removed with it.
    next = ('isHeader' in one ? above.replace(/(^|\n)\r?\n$/, '$1') : above) + next.slice(one.end);
  }
  return checked(file, next, withoutValue(before, path));
}

/** Whether nothing else is in the table of the key, nor a comment after its header. */
function isAlone(text: string, headers: readonly Header[], before: Table, path: readonly string[]): boolean {
  const table = path.slice(0, -1);
  const at = headers.findIndex((one) => isSame(one.path, table));
  const lines = text.slice(headers[at]?.start, headers[at + 1]?.start);
  const keys = Object.keys(table.reduce<Table>((outer, key) => tableIn(outer, key), before));
  return at >= 0 && keys.length === 1 && !lines.includes('#');
}

/** Gives a table that has a header another name. Null as for `setInToml`. Throws `ConfigError`. */
export async function renameTable(
  file: string,
  text: string,
  path: readonly string[],
  name: string,
): Promise<string | null> {
  const before = await parseToml(file, text);
  const next = layoutOf(text)
    .headers.filter((one) => isWithin(one.path, path))
    .reverse()
    .reduce((rest, { path: old, start, end }) => {
      const renamed = [...path.slice(0, -1), name, ...old.slice(path.length)].map(keyText).join('.');
      return (
        rest.slice(0, start) + rest.slice(start, end).replace(/\[[^[\]]*\]/, () => `[${renamed}]`) + rest.slice(end)
      );
    }, text);
  const table = path.reduce<Table>((outer, key) => tableIn(outer, key), before);
  return checked(file, next, withValue(withoutValue(before, path), [...path.slice(0, -1), name], table));
}

const isWithin = (one: readonly string[], path: readonly string[]): boolean => isSame(one.slice(0, path.length), path);

async function checked(file: string, text: string, wanted: Table): Promise<string | null> {
  try {
    const got = await parseToml(file, text);
    return isDeepStrictEqual(withoutEmpty(got), withoutEmpty(wanted)) ? text : null;
  } catch {
    return null;
  }
}

function withLiteral(text: string, path: readonly string[], literal: string): string {
  const { assignments, headers } = layoutOf(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const found = assignments.find((one) => isSame(one.path, path));
  if (found !== undefined) return text.slice(0, found.valueStart) + literal + text.slice(found.valueEnd);
  const parent = path.slice(0, -1);
  const insert = (at: number, line: string, before = ''): string => {
    const isOpen = at > 0 && text[at - 1] !== '\n';
    return `${text.slice(0, at)}${isOpen ? newline : ''}${before}${line}${newline}${text.slice(at)}`;
  };
  const line = `${path.slice(parent.length).map(keyText).join('.')} = ${literal}`;
  const header = headers.find((one) => isSame(one.path, parent));
  const beside = assignments.filter((one) => isSame(one.table, parent)).at(-1);
  if (parent.length === 0) {
    if (beside !== undefined) return insert(beside.end, line);
    const [first] = headers;
    return first === undefined ? insert(text.length, line) : insert(startOf(text, first), `${line}${newline}`);
  }
  if (header !== undefined) return insert(beside?.end ?? header.end, line);
  // Keys with dots, as in notify.method = "bell".
  const dotted = assignments.filter((one) => one.table.length === 0 && isSame(one.path.slice(0, -1), parent)).at(-1);
  if (dotted !== undefined) return insert(dotted.end, `${path.map(keyText).join('.')} = ${literal}`);
  const gap = text.trim() === '' ? '' : newline;
  return insert(text.length, line, `${gap}[${parent.map(keyText).join('.')}]${newline}`);
}

/** Where a table begins, with the comment directly above it. */
function startOf(text: string, { start }: Header): number {
  let at = start;
  for (;;) {
    const above = text.lastIndexOf('\n', at - 2) + 1;
    if (at === 0 || !text.slice(above, at).trimStart().startsWith('#')) return at;
    at = above;
  }
}

function layoutOf(text: string): Layout {
  const assignments: Assignment[] = [];
  const headers: Header[] = [];
  let table: readonly string[] = [];
  for (let start = 0; start < text.length; ) {
    const lineEnd = endOfLine(text, start);
    const line = text.slice(start, lineEnd).trim();
    if (line.startsWith('[')) {
      const inner = /^\[+((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])*)\]/.exec(line)?.[1] ?? '';
      table = keysOf(inner);
      headers.push({ path: table, start, end: lineEnd });
      start = lineEnd;
      continue;
    }
    const key = /^\s*((?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_.\-\t ])+)=[ \t]*/.exec(text.slice(start, lineEnd));
    if (key === null) {
      start = lineEnd;
      continue;
    }
    const valueStart = start + key[0].length;
    const valueEnd = endOfValue(text, valueStart);
    const end = endOfLine(text, valueEnd);
    assignments.push({ path: [...table, ...keysOf(key[1] ?? '')], table, start, valueStart, valueEnd, end });
    start = end;
  }
  return { assignments, headers };
}

/** After the newline. */
function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found + 1;
}

/** The end of the value, without the blanks and the comment that follow. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let end = from;
  for (let at = from; at < text.length; ) {
    const character = text[at] ?? '';
    if (character === '#' || character === '\n') {
      if (depth === 0) break;
      at = character === '#' ? endOfLine(text, at) : at + 1;
      continue;
    }
    if (character === '"' || character === "'") {
      at = endOfString(text, at);
      end = at;
      continue;
    }
    if ('[{'.includes(character)) depth += 1;
    if (']}'.includes(character)) depth -= 1;
    at += 1;
    if (character.trim() !== '') end = at;
  }
  return end;
}

function endOfString(text: string, from: number): number {
  const quote = text[from] ?? '';
  const mark = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let at = from + mark.length; at < text.length; at += 1) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text.startsWith(mark, at)) {
      let end = at + mark.length;
      // Up to two quotes may come before the three that end the text.
      while (mark.length === 3 && text[end] === quote) end += 1;
      return end;
    }
  }
  return text.length;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => isDeepStrictEqual([...one], [...other]);

const keyText = (name: string): string => (/^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name));

const tableIn = (table: Table, name: string): Table =>
  Object.hasOwn(table, name) && typeof table[name] === 'object' && table[name] !== null ? (table[name] as Table) : {};

function withValue(table: Table, [name = '', ...rest]: readonly string[], value: unknown): Table {
  return { ...table, [name]: rest.length === 0 ? value : withValue(tableIn(table, name), rest, value) };
}

function withoutValue(table: Table, [name = '', ...rest]: readonly string[]): Table {
  const { [name]: found, ...others } = table;
  return rest.length === 0 || found === undefined ? others : { ...table, [name]: withoutValue(found as Table, rest) };
}

const hasValue = (table: Table, [name = '', ...rest]: readonly string[]): boolean =>
  Object.hasOwn(table, name) && (rest.length === 0 || hasValue(tableIn(table, name), rest));

/** Plain objects, since the parser makes objects without a prototype; a table without keys counts as absent. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  const entries = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const);
  return new Map(entries.filter(([, inner]) => !(inner instanceof Map && inner.size === 0)));
}

/** Reads the reactions of a message: the people under each name where the server names them, else their number. */
import { type Fields, field, idField, isObject, maxName, stringField } from './fields.ts';
import type { Reaction } from './types.ts';

/** The number of people who reacted with this name, including those whom the server does not name. A person who is listed twice counts once. */
export const countOf = ({ by, unnamed = 0 }: Reaction): number => by.length + unnamed;

/** Whether every person who reacted is known. Only then can the list be sent back as a whole. */
export const areAllNamed = (reactions: readonly Reaction[]): boolean =>
  reactions.every(({ unnamed = 0 }) => unnamed === 0);

/** The strings that the server lists under a name, with repetitions, and the number of people without one. */
interface Users {
  readonly by: readonly string[];
  readonly unnamed: number;
}

type Found = readonly [name: string, users: Users];

const oneUnnamed: Users = { by: [], unnamed: 1 };
/** Somebody reacted with a name that cannot be read. */
const nameless: readonly Found[] = [['', oneUnnamed]];

/** The most reaction names that are kept of one message: comparing reactions takes the square of their number. */
const maxNames = 1_000;
/** The most people that are kept of one message, under all names together. */
const maxPeople = 10_000;

export interface ReadReactions {
  readonly reactions: readonly Reaction[];
  /** There were more names or people than are kept. A reaction without a name represents the names left out. */
  readonly isCut: boolean;
}

/**
 * API document §2.4 in every shape (server-differences: Reaction names): repeated names are joined, empty ones left
 * out. Rows with `name` or `emoji` and `users` are read as well. In any other shape no string is taken for a person
 * (R-PARSE): reactions are only counted.
 */
export function parseReactions(value: unknown): ReadReactions {
  const byName = new Map<string, { readonly by: Set<string>; repeats: number; unnamed: number }>();
  let people = 0;
  let isCut = false;
  const add = (name: string, { by, unnamed }: Users): void => {
    const key = name.length > maxName ? '' : name;
    const known = byName.get(key) ?? { by: new Set<string>(), repeats: 0, unnamed: 0 };
    const kept = key === '' ? [] : by.slice(0, maxPeople - people);
    known.repeats += kept.length - new Set(kept).size;
    known.unnamed += unnamed + by.length - kept.length;
    for (const one of kept) known.by.add(one);
    byName.set(key, known);
    people += kept.length;
    isCut ||= key !== '' && kept.length < by.length;
  };
  for (const [name, users] of readAll(value)) {
    if (users.by.length === 0 && users.unnamed === 0) continue;
    if (byName.size >= maxNames || people >= maxPeople) {
      isCut = true;
      add('', oneUnnamed);
      break;
    }
    add(name, users);
  }
  return { reactions: [...byName].map(asReaction), isCut };
}

const asReaction = ([name, { by, repeats, unnamed }]: readonly [
  string,
  { readonly by: ReadonlySet<string>; readonly repeats: number; readonly unnamed: number },
]): Reaction => ({
  name,
  by: [...by],
  ...(repeats > 0 ? { repeats } : {}),
  ...(unnamed > 0 ? { unnamed } : {}),
});

/** Yields one entry at a time, so that nothing is built from entries beyond the limit. */
function* readAll(value: unknown): Generator<Found> {
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) yield* readItem(item);
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === false || value === 0;

function readItem(item: unknown): Iterable<Found> {
  if (isNothing(item)) return [];
  if (typeof item === 'string') return [[item, oneUnnamed]];
  if (!isObject(item)) return nameless;
  const name = stringField(item, 'name', maxName + 1) ?? stringField(item, 'emoji', maxName + 1);
  if (name !== null) return [[name, ofRow(item)]];
  const entries = Object.entries(item);
  // The row has fields of other names.
  if (entries.some(([, value]) => typeof value === 'string' && value !== '')) return nameless;
  return readEntries(entries);
}

function* readEntries(entries: readonly (readonly [string, unknown])[]): Generator<Found> {
  for (const [key, value] of entries) yield [key, ofValue(value)];
}

function ofValue(value: unknown): Users {
  if (Array.isArray(value)) return ofList(value);
  if (isObject(value)) return ofRow(value);
  if (isNothing(value)) return { by: [], unnamed: 0 };
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? { by: [], unnamed: value }
    : oneUnnamed;
}

function ofRow(row: Fields): Users {
  const [list, count] = [field(row, 'users'), field(row, 'count') ?? null];
  if (!Array.isArray(list) && count === null) return oneUnnamed;
  const { by, unnamed } = ofList(Array.isArray(list) ? list : []);
  const more = Number(count) - by.length;
  return { by, unnamed: Math.max(unnamed, Number.isSafeInteger(more) ? more : 1) };
}

function ofList(list: readonly unknown[]): Users {
  // An empty string names nobody.
  const listed = list.filter((one) => one !== '');
  const by = listed.map(reactor).filter((one) => one !== null);
  return { by, unnamed: listed.length - by.length };
}

/** Reads people: strings as in the document, numbers as ids, a contact object as its username or id. */
function reactor(value: unknown): string | null {
  if (typeof value === 'string') return value.length > maxName ? null : value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return isObject(value) ? (stringField(value, 'username', maxName) ?? idField(value, 'id')) : null;
}

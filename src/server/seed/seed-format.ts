/** The seed file: people, groups and past conversations as JSON, checked before anything is written. */
import { ServiceError } from '../rules/service-error.ts';

export interface SeedPerson {
  readonly username: string;
  readonly phone_number?: string;
  readonly avatar_url?: string;
}

export interface SeedMessage {
  /** A username. */
  readonly from: string;
  readonly text: string;
  /** Unix seconds; zero or negative counts back from the moment of import. Without it: the moment of import. */
  readonly at?: number;
  /** As `at`. */
  readonly edited_at?: number;
  /** Reaction name → usernames. */
  readonly reactions?: Readonly<Record<string, readonly string[]>>;
  readonly attachments?: readonly {
    readonly file_url: string;
    readonly filename?: string;
    readonly file_type?: string;
    readonly file_size?: number;
  }[];
}

/** The state of a conversation for one person. */
export interface SeedState {
  readonly is_pinned?: boolean;
  readonly is_muted?: boolean;
  /** As `SeedMessage.at`. */
  readonly archived_at?: number;
  /** How many of the last messages of others are unread. Default 0. */
  readonly unread?: number;
  /** Index in `messages`. */
  readonly pinned_message?: number;
}

export interface SeedConversation {
  /** Exactly two usernames; or `group`. */
  readonly between?: readonly string[];
  readonly group?: string;
  readonly messages?: readonly SeedMessage[];
  /** By username. */
  readonly state?: Readonly<Record<string, SeedState>>;
}

export interface Seed {
  readonly users?: readonly SeedPerson[];
  readonly contacts?: readonly SeedPerson[];
  readonly groups?: readonly { readonly name: string; readonly members: readonly string[] }[];
  readonly conversations?: readonly SeedConversation[];
}

type Check = (value: unknown, at: string) => void;

const fail = (at: string, expected: string): never => {
  throw new ServiceError(400, 'seed_invalid', `${at || 'the seed'}: must be ${expected}`, { param: at });
};
const isText: Check = (value, at) =>
  (typeof value === 'string' && !value.includes('\0')) || fail(at, 'a text without NUL');
const isInteger: Check = (value, at) => Number.isSafeInteger(value) || fail(at, 'a whole number');
/**
 * The upper limit is that of a request: a larger number is in milliseconds, and its message would stay above all others. The
 * lower one keeps out what counts back to before 1970, as milliseconds do, too.
 */
const isTime: Check = (value, at) =>
  (Number.isSafeInteger(value) && Number(value) <= 1e11 && Number(value) > -Date.now() / 1_000) ||
  fail(at, 'a time as whole Unix seconds, not before 1970');
const isCount: Check = (value, at) =>
  (Number.isSafeInteger(value) && Number(value) >= 0) || fail(at, 'a whole number from 0 on');
const isFlag: Check = (value, at) => typeof value === 'boolean' || fail(at, 'true or false');

const list =
  (check: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) return void fail(at, 'a list');
    for (const [index, item] of value.entries()) check(item, `${at}[${index}]`);
  };
const entries = (value: unknown, at: string): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : fail(at, 'an object');
const record =
  (check: Check): Check =>
  (value, at) => {
    for (const [name, item] of entries(value, at)) check(item, `${at}.${name}`);
  };
/** The allowed fields; those whose name ends in `?` are optional. */
const object = (fields: Readonly<Record<string, Check>>): Check => {
  const known = new Map(Object.entries(fields).map(([name, check]) => [name.replace('?', ''), check]));
  const required = Object.keys(fields).filter((name) => !name.endsWith('?'));
  return (value, at) => {
    const present = new Map(entries(value, at));
    for (const name of required) if (!present.has(name)) fail(join(at, name), 'given');
    for (const [name, item] of present) (known.get(name) ?? unknownField)(item, join(at, name));
  };
};
const unknownField: Check = (_value, at) => void fail(at, 'left out: it is not a field of the seed format');
const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

const person = object({ username: isText, 'phone_number?': isText, 'avatar_url?': isText });
const attachment = object({ file_url: isText, 'filename?': isText, 'file_type?': isText, 'file_size?': isInteger });
const message = object({
  from: isText,
  text: isText,
  'at?': isTime,
  'edited_at?': isTime,
  'reactions?': record(list(isText)),
  'attachments?': list(attachment),
});
const state = object({
  'is_pinned?': isFlag,
  'is_muted?': isFlag,
  'archived_at?': isTime,
  'unread?': isCount,
  'pinned_message?': isCount,
});
const conversation = object({
  'between?': list(isText),
  'group?': isText,
  'messages?': list(message),
  'state?': record(state),
});
const seed = object({
  'users?': list(person),
  'contacts?': list(person),
  'groups?': list(object({ name: isText, members: list(isText) })),
  'conversations?': list(conversation),
});

/** Throws a `ServiceError` that names the first wrong place. */
export function checkSeed(value: unknown): Seed {
  seed(value, '');
  return value as Seed;
}

/**
 * Schemas of settings with a form of their own: the table [keys], and programs to be run without a shell. Ids and names
 * of keys are checked by the commands, which know them.
 */
import * as v from 'valibot';

const keys = v.union([v.string(), v.array(v.string())]);
const listed = (value: string | string[]): string[] => (typeof value === 'string' ? [value] : value);

/** `v.record` takes a list and a date for a table as well. */
const table = v.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date),
);

/**
 * Keys by command id. An id has a dot, which TOML reads as a table in a table unless the id is in quotes: both are taken.
 */
export const bindSchema = v.pipe(
  table,
  v.record(v.string(), v.union([keys, v.record(v.string(), keys)])),
  v.transform(
    (table): Readonly<Record<string, readonly string[]>> =>
      Object.fromEntries(
        Object.entries(table).flatMap(([id, value]) =>
          typeof value === 'string' || Array.isArray(value)
            ? [[id, listed(value)]]
            : Object.entries(value).map(([name, inner]) => [`${id}.${name}`, listed(inner)]),
        ),
      ),
  ),
);

export const macrosSchema = v.pipe(
  table,
  v.record(
    v.string(),
    v.strictObject({
      keys: v.optional(v.pipe(keys, v.transform(listed)), []),
      run: v.pipe(keys, v.transform(listed)),
    }),
  ),
);

const isMixed = (word: string): boolean => /\{(title|body)\}/.test(word) && !/^\{(title|body)\}$/.test(word);

/**
 * A program and its arguments, without a shell. `{title}` and `{body}` are replaced by words of other people, so they may not be
 * a part of an argument, where they could become code of a script.
 */
export const notifyArgv = v.pipe(
  v.array(v.pipe(v.string(), v.excludes('\0'))),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && (dataset.value[0] ?? '').trim() === '') addIssue();
  }),
  v.check(
    ([program = '', ...rest]) => !/\{(title|body)\}/.test(program) && !rest.some(isMixed),
    'write "{title}" and "{body}" as arguments of their own, as in ["say", "{title}"]',
  ),
);

/** A program and its arguments. It reads the document about the event on its standard input, never as an argument. */
export const hookArgv = v.pipe(
  v.array(v.pipe(v.string(), v.excludes('\0'))),
  v.rawCheck(({ dataset, addIssue }) => {
    if (dataset.typed && dataset.value[0]?.trim() === '') addIssue();
  }),
  v.check(
    (words) => !words.some((word) => /\{(title|body|text)\}/.test(word)),
    'a hook reads the message from its standard input, as JSON; remove the word in braces',
  ),
);

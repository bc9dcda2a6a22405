/** What the table [keys] of config.toml may hold. Ids and names of keys are checked by the commands, which know them. */
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

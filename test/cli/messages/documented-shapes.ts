/** The shapes of JSON documents as docs/json.md describes them: a table of fields and types under each heading. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

type Shape = ReadonlyMap<string, string>;

const page = readFileSync(join(import.meta.dirname, '../../../docs/json.md'), 'utf8');
const shapes = new Map<string, Shape>(
  page.split(/^#{2,4} /m).flatMap((section): [string, Shape][] => {
    const [heading = ''] = section.split('\n');
    const rows = [...section.matchAll(/^\| `(\w+)` \| ([\w ]+) \|/gm)];
    return rows.length === 0 ? [] : [[heading, new Map(rows.map(([, name = '', type = '']) => [name, type]))]];
  }),
);

/** Fails unless the value has exactly the fields of the section, each of its type. */
export function expectShape(section: string, { schema, ...value }: Readonly<Record<string, unknown>>): void {
  expect(schema).toBe(1);
  expect(problems(section, value, section)).toEqual([]);
}

function problems(section: string, value: unknown, path: string): readonly string[] {
  const shape = shapes.get(section);
  if (shape === undefined) return [`${path}: docs/json.md does not describe ${section}`];
  if (typeof value !== 'object' || value === null) return [`${path} is no object`];
  const unknown = Object.keys(value).filter((name) => !shape.has(name));
  const missing = [...shape.keys()].filter((name) => !Object.hasOwn(value, name));
  const fields = Object.entries(value).flatMap(([name, field]) =>
    fieldProblems(shape.get(name), field, `${path}.${name}`),
  );
  return [
    ...unknown.map((name) => `${path}.${name} is not described`),
    ...missing.map((name) => `${path}.${name} is missing`),
    ...fields,
  ];
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function fieldProblems(type: string | undefined, value: unknown, path: string): readonly string[] {
  if (type === undefined) return [];
  if (type.endsWith(' or null'))
    return value === null ? [] : fieldProblems(type.slice(0, -' or null'.length), value, path);
  if (type.startsWith('array of ')) {
    if (!Array.isArray(value)) return [`${path} is no array`];
    return value.flatMap((item, at) => fieldProblems(type.slice('array of '.length), item, `${path}[${at}]`));
  }
  const isRight: Readonly<Record<string, () => boolean>> = {
    string: () => typeof value === 'string',
    boolean: () => typeof value === 'boolean',
    integer: () => Number.isInteger(value),
    time: () => typeof value === 'string' && time.test(value),
    object: () => typeof value === 'object' && value !== null,
  };
  const check = isRight[type];
  if (check === undefined) return problems(type, value, path);
  return check() ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`];
}

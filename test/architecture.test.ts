/** Holds the dependency table of docs/ARCHITECTURE.md against the imports that the source really has. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../src');

/** Folder (or file at the top) → folders it may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  text: ['protocol'],
  config: [],
  api: ['protocol'],
  state: ['protocol', 'text'],
  storage: ['protocol', 'state'],
  sync: ['protocol', 'api', 'state'],
  commands: ['protocol', 'state'],
  terminal: ['text'],
  view: ['protocol', 'state', 'text'],
  ui: ['protocol', 'state', 'commands', 'text', 'terminal', 'view'],
  server: ['protocol'],
  'session.ts': ['protocol', 'text', 'config', 'api', 'state', 'storage', 'sync', 'terminal', 'view'],
  cli: '*'.split(''),
  'main.ts': '*'.split(''),
};

/** Only these files may import the folder on the left. */
const onlyFrom: Readonly<Record<string, readonly RegExp[]>> = {
  ui: [/^cli\/tui\.tsx$/],
  server: [/^cli\/serve\.ts$/, /^cli\/demo\.ts$/],
};

/** Only these folders may import the package on the left. */
const packageOwners: Readonly<Record<string, readonly RegExp[]>> = {
  undici: [/^api\//],
  ink: [/^ui\//],
  'ink-text-input': [/^ui\//],
  react: [/^ui\//, /^cli\/tui\.tsx$/],
  hono: [/^server\//],
  '@hono/node-server': [/^server\//],
  commander: [/^cli\//],
  open: [/^cli\/open-link\.ts$/],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isTypeOnly: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s*'([^']+)'|(?:^|[^.\w])import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g;
  return [...source.matchAll(pattern)].map((match) => ({
    from: relative(root, file),
    to: match[2] ?? match[3] ?? match[4] ?? '',
    isTypeOnly: match[1] !== undefined,
  }));
}

const layerOf = (path: string): string => path.split('/')[0] ?? path;
const all = sourceFiles(root).flatMap(importsOf);

describe('dependency table', () => {
  test('finds the imports at all', () => {
    expect(all.length).toBeGreaterThan(20);
  });

  test('every layer imports only what the table allows', () => {
    const wrong = all
      .filter((item) => item.to.startsWith('.'))
      .map((item) => ({ ...item, target: relative(root, resolve(root, dirname(item.from), item.to)) }))
      .filter(({ from, target }) => {
        const layer = layerOf(from);
        const allowed = mayImport[layer];
        if (allowed === undefined) return true;
        return layerOf(target) !== layer && !allowed.includes('*') && !allowed.includes(layerOf(target));
      })
      .map(({ from, target }) => `${from} → ${target}`);
    expect(wrong).toEqual([]);
  });

  test('ui and server are reached only through their doors', () => {
    const wrong = all
      .filter((item) => item.to.startsWith('.'))
      .map((item) => ({ from: item.from, target: relative(root, resolve(root, dirname(item.from), item.to)) }))
      .filter(({ from, target }) => {
        const doors = onlyFrom[layerOf(target)];
        return doors !== undefined && layerOf(from) !== layerOf(target) && !doors.some((door) => door.test(from));
      });
    expect(wrong).toEqual([]);
  });

  test('packages are imported by their owners alone', () => {
    const wrong = all.filter(({ from, to }) => {
      const name = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? to);
      const owners = packageOwners[name];
      return owners !== undefined && !owners.some((owner) => owner.test(from));
    });
    expect(wrong).toEqual([]);
  });

  test('only config and main read the environment', () => {
    const readers = sourceFiles(root)
      .filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file))
      .filter((file) => !/^(config\/|main\.ts$)/.test(file));
    expect(readers).toEqual([]);
  });

  test('only text makes text that may reach a terminal', () => {
    const makers = sourceFiles(root)
      .filter((file) => /\bas (unknown as )?SafeText\b|@ts-(ignore|expect-error)/.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file))
      .filter((file) => layerOf(file) !== 'text');
    expect(makers).toEqual([]);
  });
});

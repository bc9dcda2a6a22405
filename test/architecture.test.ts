/** Holds the dependency table of docs/ARCHITECTURE.md against the imports that the source really has. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { capabilityNames } from '../src/cli/health/capability-words.ts';

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
  notify: ['protocol', 'state', 'text'],
  hooks: [],
  terminal: ['text'],
  pictures: ['state'],
  view: ['protocol', 'state', 'text'],
  ui: ['protocol', 'state', 'commands', 'text', 'terminal', 'view'],
  server: ['protocol'],
  'session.ts': ['protocol', 'text', 'config', 'api', 'state', 'storage', 'sync', 'terminal', 'view'],
  cli: '*'.split(''),
  'main.ts': '*'.split(''),
};

/**
 * The rooms inside a folder, lowest first: a room may import those before it, and only where the table says so.
 * Files beside the rooms are above all of them.
 */
const rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  sync: {
    services: [],
    merge: ['services'],
    op: ['services'],
    read: ['services'],
    local: ['services'],
    search: ['services'],
    quirks: ['services', 'op', 'read'],
    outbox: ['services', 'merge', 'op', 'read', 'quirks'],
    poll: ['services', 'merge', 'read', 'quirks'],
    engine: ['services', 'merge', 'read', 'local', 'quirks', 'outbox', 'poll'],
  },
  state: {
    model: [],
    collections: [],
    cache: ['model', 'collections'],
    composer: ['model', 'collections'],
    local: ['model', 'collections', 'composer', 'cache'],
    select: ['model', 'collections', 'cache', 'composer', 'local'],
    pictures: ['model', 'collections', 'local'],
    view: ['model', 'collections', 'composer', 'local', 'select'],
    search: ['model', 'collections', 'composer', 'local', 'select', 'view'],
    details: ['model', 'collections', 'local', 'select', 'search', 'view'],
  },
  storage: { sqlite: [], ledger: ['sqlite'], outbox: ['sqlite'], cache: ['sqlite'] },
  api: { http: [], paging: [] },
  pictures: { decoder: [] },
  text: {
    unicode: [],
    safe: ['unicode'],
    emoji: ['unicode', 'safe'],
    layout: ['unicode', 'safe'],
    search: ['unicode', 'layout'],
    markdown: ['unicode', 'safe', 'layout'],
  },
  server: {
    store: [],
    rules: ['store'],
    http: ['store', 'rules'],
    seed: ['store', 'rules'],
    worker: ['store', 'rules', 'http'],
    demo: ['store', 'rules', 'seed'],
  },
  cli: {
    process: [],
    output: ['process'],
    names: ['process'],
    input: ['process'],
    config: ['process', 'output', 'input'],
    'sign-in': ['process', 'input', 'config'],
    archive: ['process', 'output', 'sign-in'],
    headless: ['process', 'config', 'sign-in', 'archive'],
    health: ['process', 'output', 'config', 'sign-in'],
    messages: ['process', 'output', 'names', 'input', 'sign-in', 'headless'],
    export: ['process', 'output', 'names', 'input', 'archive', 'headless'],
    hooks: ['process', 'output', 'config', 'headless'],
    accounts: ['process', 'output', 'input', 'sign-in', 'headless', 'messages'],
    reports: ['process', 'output', 'input', 'config', 'sign-in', 'headless', 'health'],
    help: ['process', 'output', 'config'],
    completion: ['names', 'config', 'sign-in', 'health', 'help'],
    serve: ['process', 'output', 'input', 'help'],
    chat: ['process', 'input', 'config', 'sign-in', 'archive', 'health', 'hooks', 'accounts'],
  },
};

/** Files beside the rooms that rooms may import, as every one of them needs the type or the error in it. */
const shared: readonly RegExp[] = [
  /^state\/store\.ts$/,
  /^api\/(errors|operations)\.ts$/,
  /^text\/(safe-text|links)\.ts$/,
];

/** Only these files may import the folder on the left. */
const onlyFrom: Readonly<Record<string, readonly RegExp[]>> = {
  ui: [/^cli\/chat\/tui\.tsx$/],
  server: [/^cli\/serve\//, /^cli\/chat\/demo\.ts$/],
};

/** Only these folders may import the package on the left. */
const packageOwners: Readonly<Record<string, readonly RegExp[]>> = {
  undici: [/^api\//],
  ink: [/^ui\//],
  'ink-text-input': [/^ui\//],
  react: [/^ui\//, /^cli\/chat\/tui\.tsx$/],
  hono: [/^server\//],
  '@hono/node-server': [/^server\//],
  pg: [/^server\/store\/postgres\//],
  commander: [/^cli\//],
  open: [/^cli\/chat\/open-link\.ts$/],
  'markdown-it': [/^text\/markdown\//],
  'highlight.js': [/^text\/markdown\/highlighter\.ts$/],
  'unicode-segmenter': [/^text\/unicode\//],
  'get-east-asian-width': [/^text\/unicode\//],
};

/**
 * Only these files may read an observed capability. Everything else asks `policyOf` what to do, so that a difference
 * between servers is decided in one place.
 */
const capabilityReaders: readonly RegExp[] = [
  /^protocol\/server-policy\.ts$/,
  // They observe: what they have seen is compared with what was known.
  /^api\/paging\//,
  /^sync\/services\/server-policy\.ts$/,
  // `doctor` lists what was observed.
  /^cli\/health\/capability-words\.ts$/,
];

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

const inside = all
  .filter((item) => item.to.startsWith('.'))
  .map(({ from, to }) => ({ from, target: relative(root, resolve(root, dirname(from), to)) }));

/** Every group of files that import each other in a circle. */
function circles(): string[] {
  const importsFrom = new Map<string, string[]>();
  for (const { from, target } of inside) importsFrom.set(from, [...(importsFrom.get(from) ?? []), target]);
  const reachable = new Map<string, ReadonlySet<string>>();
  for (const start of importsFrom.keys()) {
    const seen = new Set<string>();
    const open = [start];
    for (let file = open.pop(); file !== undefined; file = open.pop())
      for (const next of importsFrom.get(file) ?? []) if (!seen.has(next) && seen.add(next)) open.push(next);
    reachable.set(start, seen);
  }
  return [...reachable].filter(([file, seen]) => seen.has(file)).map(([file]) => file);
}

describe('rooms inside a folder', () => {
  test('every room is in the table', () => {
    for (const [folder, table] of Object.entries(rooms)) {
      const found = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
      expect(found.map(({ name }) => name).sort(), folder).toEqual(Object.keys(table).sort());
    }
  });

  test('the table itself has no cycle', () => {
    for (const [folder, table] of Object.entries(rooms)) {
      const order = Object.keys(table);
      const upward = Object.entries(table).flatMap(([room, below]) =>
        below.filter((one) => order.indexOf(one) >= order.indexOf(room)).map((one) => `${folder}/${room} → ${one}`),
      );
      expect(upward).toEqual([]);
    }
  });

  test('a room imports only what the table allows', () => {
    const wrong = inside
      .filter(({ from, target }) => layerOf(from) === layerOf(target) && rooms[layerOf(from)] !== undefined)
      .filter(({ from, target }) => {
        const table = rooms[layerOf(from)] ?? {};
        const [, room = ''] = from.split('/');
        const [, other = ''] = target.split('/');
        if (room === other || table[room] === undefined || shared.some((file) => file.test(target))) return false;
        return !(table[room] ?? []).includes(other);
      })
      .map(({ from, target }) => `${from} → ${target}`);
    expect(wrong).toEqual([]);
  });

  test('no files import each other in a cycle, types included', () => {
    expect(circles()).toEqual([]);
  });
});

describe('dependency table', () => {
  test('imports are found at all', () => {
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

  test('ui and server are imported only through their entry files', () => {
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

  test('only the policy, the observers and doctor read an observed capability', () => {
    const name = `(?:${capabilityNames.join('|')})`;
    const member = `\\b${name}\\??\\.value\\b`;
    const property = `\\bcapabilities\\??\\.${name}\\b`;
    const destructured = `\\{[^{}=]*\\b${name}\\b[^{}=]*\\}\\s*=\\s*[^;=]*\\bcapabilities\\b`;
    const read = new RegExp([member, property, destructured].join('|'));
    const readers = sourceFiles(root)
      .filter((file) => read.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file));
    expect(readers).toContain('protocol/server-policy.ts');
    expect(readers.filter((file) => !capabilityReaders.some((allowed) => allowed.test(file)))).toEqual([]);
  });

  test('only text makes text that may reach a terminal', () => {
    const makers = sourceFiles(root)
      .filter((file) => /\bas (unknown as )?SafeText\b|@ts-(ignore|expect-error)/.test(readFileSync(file, 'utf8')))
      .map((file) => relative(root, file))
      .filter((file) => layerOf(file) !== 'text');
    expect(makers).toEqual([]);
  });
});

describe('long files', () => {
  test('no file has more than 300 lines', () => {
    const lines = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;
    const long = sourceFiles(root).filter((file) => lines(file) > 300);
    expect(long.map((file) => relative(root, file))).toEqual([]);
  });
});

describe('long functions', () => {
  test('each file of src that may have a long function is in the decision with its reason, and no other', () => {
    const repository = resolve(root, '..');
    const { overrides } = JSON.parse(readFileSync(join(repository, 'biome.json'), 'utf8')) as {
      readonly overrides: readonly { readonly includes: readonly string[]; readonly linter: unknown }[];
    };
    const exempt = overrides
      .filter(({ linter }) => JSON.stringify(linter).includes('noExcessiveLinesPerFunction'))
      .flatMap(({ includes }) => includes.filter((name) => name.startsWith('src/')));
    const page = readFileSync(join(repository, 'docs/decisions/2026-11-long-functions.md'), 'utf8');
    const explained = [...page.matchAll(/^- `(src\/[^`]+)`: \S+ .*\.$/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(exempt.sort());
  });
});

describe('own text code', () => {
  test('each file of src/text is in the decision with what no package does, and no other', () => {
    const page = readFileSync(resolve(root, '../docs/decisions/2026-11-own-text-code.md'), 'utf8');
    const explained = [...page.matchAll(/^\| `(src\/text\/[^`]+)` \| \S+ .* \|$/gm)].map(([, name]) => name);
    const files = sourceFiles(join(root, 'text')).map((file) => relative(resolve(root, '..'), file));
    const named = files.filter((file) => !file.startsWith('src/text/markdown/'));
    expect(explained.sort()).toEqual(named.sort());
  });
});

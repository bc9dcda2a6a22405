/**
 * Functions out of dist/main.cjs itself. Suites that import from src/ are run a second time with these in their place
 * (test/built/vitest.config.ts), so that they judge the file that users get: what a bundler leaves out shows there alone.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

const root = join(import.meta.dirname, '../../..');

/** What the suites take from the built file, by the module that exports it. */
const exported: Readonly<Record<string, readonly string[]>> = {
  'src/api/client.ts': ['createClient'],
  'src/api/errors.ts': ['ApiError'],
  'src/api/paging/paging.ts': ['fetchNewest', 'fetchOlder', 'walkConversations'],
  'src/server/http/start.ts': ['startServer'],
  'src/server/store/sqlite/engine.ts': ['openSqlite'],
  'src/session.ts': ['openSession'],
  'src/storage/cache/open.ts': ['openCache'],
  'src/storage/sqlite/errors.ts': ['StorageError'],
  'src/storage/outbox/open.ts': ['openOutbox'],
  'src/sync/engine/engine.ts': ['createEngine'],
};

type Parts = Readonly<Record<string, () => Readonly<Record<string, unknown>>>>;

/**
 * By the same modules. The file runs as with `--version`, and prints nothing.
 * @public The modules that `standIn` makes call it.
 */
export function builtParts(main: string): Parts {
  const source = readFileSync(main, 'latin1');
  const entries = Object.entries(exported).map(([module, names]) => {
    // esbuild writes each module that is loaded late as `init_NAME=__esm({"PATH"(){…}})`, its exports as variables beside it.
    const start = source.split(`=__esm({"${module}"`)[0]?.match(/\binit_\w+$/)?.[0];
    if (start === undefined) throw new Error(`${main} has no ${module}`);
    return `${JSON.stringify(module)}:()=>(${start}(),{${names.join()}})`;
  });
  const names = ['exports', 'require', 'module', '__filename', '__dirname', '__load'];
  const run = compileFunction(`${source}\n;return {${entries.join()}};`, names, { filename: main });
  const { argv } = process;
  const { write } = process.stdout;
  process.argv = [process.execPath, main, '--version'];
  process.stdout.write = () => true;
  try {
    return run({}, createRequire(main), {}, main, dirname(main), undefined) as Parts;
  } finally {
    process.argv = argv;
    process.stdout.write = write;
  }
}

/** The module `src/…ts` in which the parts of the built file replace those of the sources. */
function standIn(module: string): string {
  const path = (file: string): string => JSON.stringify(join(root, file));
  return `
    import { builtParts } from ${path('test/support/system/built-parts.ts')};
    export * from ${path(module)};
    const parts = (globalThis.__msgTuiBuiltParts ??= builtParts(${path('dist/main.cjs')}));
    export const { ${exported[module]?.join()} } = parts[${JSON.stringify(module)}]();
  `;
}

/** Imports between the sources stay as they are; only those of the tests are led to the built file. */
function moduleFor(specifier: string, importer: string | undefined): string | undefined {
  if (importer === undefined || !importer.startsWith(join(root, 'test'))) return undefined;
  if (!specifier.startsWith('.')) return undefined;
  const path = join(dirname(importer), specifier);
  return Object.keys(exported).find((module) => join(root, module) === path);
}

const prefix = '\0built:';

export const fromBuiltFile: Plugin = {
  name: 'from-built-file',
  enforce: 'pre',
  resolveId(specifier, importer) {
    const module = moduleFor(specifier, importer);
    return module === undefined ? undefined : prefix + module;
  },
  load: (id) => (id.startsWith(prefix) ? standIn(id.slice(prefix.length)) : undefined),
};

/** For programs of the tests that run in processes of their own. */
export const bundledFromBuiltFile: EsbuildPlugin = {
  name: 'from-built-file',
  setup(bundler) {
    bundler.onResolve({ filter: /\.ts$/ }, ({ path, importer }) => {
      const module = moduleFor(path, importer);
      return module === undefined ? undefined : { path: module, namespace: 'built' };
    });
    bundler.onLoad({ filter: /.*/, namespace: 'built' }, ({ path }) => ({ contents: standIn(path), resolveDir: root }));
  },
};

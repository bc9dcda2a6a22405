/** Bundles src/ into dist/: the launcher, one file for the program, and one for each part that is loaded after the first frame. */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'dist');
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Licences of everything that esbuild put into the bundles, as those licences ask. */
function licences(inputs) {
  // src/text/emoji/emoji-table.ts is written from gemoji, so no import names it.
  const names = new Set(['gemoji']);
  for (const input of inputs) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[1]);
  }
  const parts = [...names].sort().map((name) => {
    const folder = join(root, 'node_modules', name);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licensed under ${about.license}.`;
    return `${name} ${about.version} (${about.license})\n\n${text}\n`;
  });
  // The table of characters that look alike, in src/text/safe/, comes from the data files of Unicode.
  parts.push(readFileSync(join(root, 'scripts/unicode-license.txt'), 'utf8'));
  return parts.join(`\n${'-'.repeat(78)}\n\n`);
}

/** Of undici, the few parts that are needed: half the memory and a third of the time to load. */
const undiciParts = {
  name: 'undici-parts',
  setup(bundler) {
    bundler.onResolve({ filter: /\/client-h2\.js$|\/web\/fetch\/body\.js$|^node:http$/ }, ({ importer }) =>
      importer.includes('node_modules/undici/') ? { path: join(root, 'scripts/undici-unused.cjs') } : undefined,
    );
  },
};

/**
 * What the first frame does without: Ink, the parser of formatted messages, which is loaded when a message needs it, and the
 * driver of PostgreSQL, which is loaded when a server runs on it. So is undici, with the first request.
 */
const apart = [
  { file: 'ui.cjs', filter: /ui\/mount\.tsx$/ },
  { file: 'markdown.mjs', filter: /text\/markdown\/parser\.ts$/ },
  { file: 'postgres.mjs', filter: /pg-driver\.ts$/ },
];

const partsApart = {
  name: 'parts-apart',
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: './http.cjs', external: true }));
    for (const { file, filter } of apart) bundler.onResolve({ filter }, () => ({ path: `./${file}`, external: true }));
  },
};

/** Replaces the first of each part in a package's file; fails where a new version of the package no longer has it. */
function rewrite(bundler, filter, replacements) {
  bundler.onLoad({ filter }, ({ path }) => {
    let contents = readFileSync(path, 'utf8');
    for (const [part, replacement] of replacements) {
      if (!contents.includes(part)) throw new Error(`${path} does not contain ${part}`);
      contents = contents.replace(part, replacement);
    }
    return { contents, loader: 'js' };
  });
}

/** Compiles the WebAssembly of Yoga when it is loaded; the package itself awaits it at its top level. */
const yogaAtOnce = `
const library = {
  instantiateWasm(imports, receive) {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')), imports);
    receive(instance);
    return instance.exports;
  },
};
loadYoga(library);
const Yoga = wrapAssembly(library);`;

/**
 * A CommonJS file cannot await anything at its top level, as Ink and Yoga do. Ink does so for the tools of React, which it
 * connects to wherever DEV=true is set; this program never does.
 */
const inkWithoutAwait = {
  name: 'ink-without-await',
  setup(bundler) {
    rewrite(bundler, /ink\/build\/reconciler\.js$/, [
      ["await import('./devtools.js');", ''],
      ['await loadPackageJson()', '{}'],
    ]);
    rewrite(bundler, /yoga-layout\/dist\/src\/index\.js$/, [
      ['import loadYoga from', 'import loadYoga, { wasm } from'],
      ['const Yoga = wrapAssembly(await loadYoga());', yogaAtOnce],
    ]);
    bundler.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const wasm = /(?<=data:application\/octet-stream;base64,)[\w+/=]{1000,}/.exec(code)?.[0];
      if (wasm === undefined) throw new Error(`${path} does not contain its WebAssembly`);
      return { contents: `${code.replace(wasm, '')}\nexport const wasm = '${wasm}';`, loader: 'js' };
    });
  },
};

/**
 * Ink measures and cuts text with what the program itself uses: our `width`, which test/text/unicode/width.test.ts holds
 * against string-width, and the clusters of unicode-segmenter. A first Intl.Segmenter and the regular expressions of
 * string-width take 40 ms of processor time, half of what loading Ink takes.
 */
const ownWidths = {
  name: 'own-widths',
  setup(bundler) {
    const contents = `
      import stripAnsi from 'strip-ansi';
      import { width } from ${JSON.stringify(join(root, 'src/text/unicode/width.ts'))};
      export default (text) => width(stripAnsi(text));`;
    bundler.onLoad({ filter: /node_modules\/string-width\/index\.js$/ }, () => ({ contents, loader: 'js' }));
    rewrite(bundler, /slice-ansi\/tokenize-ansi\.js$|ansi-tokenize\/build\/tokenize\.js$/, [
      ['new Intl.Segmenter(', 'new Segmenter('],
      ['import ', "import { Segmenter } from 'unicode-segmenter/intl-adapter';\nimport "],
    ]);
  },
};

/** The search for links of markdown-it is never used, and is a quarter of the time that loading it takes. */
const noLinkify = {
  name: 'no-linkify',
  setup(bundler) {
    bundler.onResolve({ filter: /^linkify-it$/ }, () => ({ path: join(root, 'scripts/no-linkify.mjs') }));
  },
};

const shared = {
  absWorkingDir: root,
  outdir: out,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: ['@photostructure/sqlite', '@napi-rs/keyring'],
  metafile: true,
  logLevel: 'warning',
};
const define = {
  'process.env.NODE_ENV': '"production"',
  __MSG_TUI_VERSION__: JSON.stringify(version),
};

const buildMain = () =>
  build({
    ...shared,
    entryPoints: { main: 'src/main.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { ...define, 'import.meta.url': '__moduleUrl' },
    banner: { js: "var __moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
    plugins: [partsApart],
  });

/** What `import 'undici'` gives the program. */
const buildHttp = () =>
  build({
    ...shared,
    entryPoints: { http: 'scripts/undici-parts.cjs' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [undiciParts],
  });

const buildInk = () =>
  build({
    ...shared,
    entryPoints: { ui: 'src/ui/mount.tsx' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { ...define, 'import.meta.url': '__moduleUrl' },
    banner: { js: "var __moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
    plugins: [inkWithoutAwait, ownWidths],
  });

const buildMarkdown = () =>
  build({
    ...shared,
    entryPoints: { markdown: 'src/text/markdown/parser.ts' },
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    minifyIdentifiers: true,
    plugins: [noLinkify],
  });

const buildPostgres = () =>
  build({
    ...shared,
    entryPoints: { postgres: 'src/server/store/postgres/pg-driver.ts' },
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    // An addon of its own that the driver can use in place of its JavaScript, and a module for another platform.
    external: ['pg-native', 'pg-cloudflare'],
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });

/** The program of the process that decodes pictures, which is started by its file. */
const buildDecoder = () =>
  build({
    ...shared,
    entryPoints: { decoder: 'src/pictures/decoder/main.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define,
  });

/** The program of the threads that own the data file of the server, which are started by its file. */
const buildDatabaseThread = () =>
  build({
    ...shared,
    entryPoints: { 'database-thread': 'src/cli/serve/database-thread.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: { ...define, 'import.meta.url': '__moduleUrl' },
    banner: { js: "var __moduleUrl=require('node:url').pathToFileURL(__filename).href;" },
  });

/** The program of the thread that colours code, which is started by its file. */
const buildHighlighter = () =>
  build({
    ...shared,
    entryPoints: { highlighter: 'src/view/highlighter-thread.ts' },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    minifyIdentifiers: true,
  });

/** Compiled code from a cache cannot call `import`: the launcher does it. */
function importThroughLauncher() {
  const file = join(out, 'main.cjs');
  let code = readFileSync(file, 'utf8');
  for (const { file: name } of apart) {
    const parts = code.split(`import("./${name}")`);
    if (parts.length !== 2) throw new Error(`expected one import of ${name}, found ${parts.length - 1}`);
    code = parts.join(`__load("./${name}")`);
  }
  writeFileSync(file, code);
}

/**
 * The launcher reads the code a byte a character, which is faster. esbuild escapes all but what is in regular
 * expressions, which would match nothing then. Returns a hash of the file.
 */
function inAscii(name) {
  const file = join(out, name);
  const code = readFileSync(file, 'utf8').replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(file, code);
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}

function writeLauncher() {
  const launcher = readFileSync(join(root, 'scripts/launcher.cjs'), 'utf8')
    .replace('__MSG_TUI_NODE__', engines.node.replace('>=', ''))
    .replace('__MSG_TUI_MAIN__', inAscii('main.cjs'))
    .replace('__MSG_TUI_HTTP__', inAscii('http.cjs'))
    .replace('__MSG_TUI_UI__', inAscii('ui.cjs'));
  const bin = join(out, 'msg-tui.cjs');
  writeFileSync(bin, launcher);
  chmodSync(bin, 0o755);
}

export async function buildProgram() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const programs = [buildDecoder(), buildDatabaseThread(), buildHighlighter()];
  const results = await Promise.all([
    buildMain(),
    buildHttp(),
    buildInk(),
    buildMarkdown(),
    buildPostgres(),
    ...programs,
  ]);
  importThroughLauncher();
  writeLauncher();
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(root, 'THIRD_PARTY_LICENSES.txt'), licences(inputs));
  return results.flatMap(({ metafile }) => Object.entries(metafile.outputs));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const outputs = await buildProgram();
  for (const [file, { bytes }] of process.argv.includes('--quiet') ? [] : outputs)
    console.log(`${String(Math.round(bytes / 1024)).padStart(6)} KB  ${file}`);
}

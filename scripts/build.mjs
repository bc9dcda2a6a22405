/** Bundles src/ into dist/: a launcher that any Node can parse, the entry, and chunks that are loaded when needed. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const launcher = `#!/usr/bin/env node
var have = process.versions.node.split('.').map(Number);
var want = ${JSON.stringify(engines.node.replace('>=', ''))}.split('.').map(Number);
if (have[0] < want[0] || (have[0] === want[0] && have[1] < want[1])) {
  console.error('msg-tui needs Node >= ' + want.slice(0, 2).join('.') + ', this is ' + process.versions.node);
  process.exit(1);
}
process.env.NODE_ENV = 'production';
import('node:module').then(function (module) {
  var enable = (module.default || module).enableCompileCache;
  if (enable) enable();
  return import('./main.mjs');
});
`;

/** Licences of everything that esbuild put into the bundle, as those licences ask. */
function licences(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
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
  return parts.join(`\n${'-'.repeat(78)}\n\n`);
}

/** Sends `import 'undici'` to the few parts of it that are needed: half the memory and a third of the time to load. */
const undiciParts = {
  name: 'undici-parts',
  setup(bundler) {
    bundler.onResolve({ filter: /^undici$/ }, () => ({ path: join(root, 'scripts/undici-parts.cjs') }));
  },
};

export async function buildProgram() {
  const out = join(root, 'dist');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const result = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts' },
    outdir: out,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
      __MSG_TUI_VERSION__: JSON.stringify(version),
    },
    external: ['@photostructure/sqlite'],
    alias: { 'react-devtools-core': join(root, 'scripts/no-devtools.mjs') },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    plugins: [undiciParts],
    metafile: true,
    logLevel: 'warning',
  });
  const bin = join(out, 'msg-tui.mjs');
  writeFileSync(bin, launcher);
  chmodSync(bin, 0o755);
  writeFileSync(join(root, 'THIRD_PARTY_LICENSES.txt'), licences(result.metafile));
  return result.metafile;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const metafile = await buildProgram();
  const isQuiet = process.argv.includes('--quiet');
  for (const [file, output] of isQuiet ? [] : Object.entries(metafile.outputs))
    console.log(`${String(Math.round(output.bytes / 1024)).padStart(6)} KB  ${file}`);
}

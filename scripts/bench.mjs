/**
 * `npm run bench`: builds the program and its measuring instruments, then measures; see docs/performance.md. With
 * `--server` it measures the server, see docs/server.md.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { prepare, root } from './prepare.mjs';

prepare();
const folder = join(root, '.bench');
const isServer = process.argv.includes('--server');
await build({
  absWorkingDir: root,
  entryPoints: isServer
    ? { 'server-main': 'test/bench/server/main.ts', hono: 'test/bench/server/hono.ts' }
    : ['main', 'serve', 'serve-long', 'warm', 'echo', 'irc-server'].map((name) => `test/bench/${name}.ts`),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@photostructure/sqlite', '@lydell/node-pty', '@xterm/*', 'pg', 'pg-native'],
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const child = spawn(
  process.execPath,
  [join(folder, isServer ? 'server-main.mjs' : 'main.mjs'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));

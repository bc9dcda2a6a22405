/** `npm run bench`: builds the program and its measuring instruments, then measures; see docs/performance.md. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { prepare, root } from './prepare.mjs';

prepare();
const folder = join(root, '.bench');
await build({
  absWorkingDir: root,
  entryPoints: ['main', 'serve', 'serve-long', 'warm', 'echo', 'irc-server'].map((name) => `test/bench/${name}.ts`),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@photostructure/sqlite', '@lydell/node-pty', '@xterm/*'],
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const child = spawn(process.execPath, [join(folder, 'main.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));

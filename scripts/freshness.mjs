/** `npm run freshness`: prints how old messages are when they are shown; see test/bench/freshness.ts. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { prepare, root } from './prepare.mjs';

prepare();
const file = join(root, '.bench/freshness.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['test/bench/freshness.ts'],
  outfile: file,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@photostructure/sqlite', '@xterm/*'],
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
spawn(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' }).on('exit', (code) =>
  process.exit(code ?? 1),
);

/** Programs of the tests as one file of JavaScript each, for processes of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundledFromBuiltFile } from './built-parts.ts';

const root = join(import.meta.dirname, '../../..');

export interface Bundled {
  readonly file: string;
  remove(): void;
}

/** `entry`: from the root of the project. Inside node_modules, where the bundle finds the packages that stay outside it. */
export async function bundled(entry: string): Promise<Bundled> {
  const folder = mkdtempSync(join(root, 'node_modules/.bundled-test-'));
  const file = join(folder, 'program.mjs');
  await build({
    entryPoints: [join(root, entry)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['@photostructure/sqlite'],
    alias: { 'react-devtools-core': join(root, 'scripts/no-devtools.mjs') },
    banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
    plugins: process.env.MSG_TUI_BUILT === '1' ? [bundledFromBuiltFile] : [],
    logLevel: 'error',
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

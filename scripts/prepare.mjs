/** Brings a checkout into a usable state: installs and builds what is missing or out of date, and says so. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

function newestIn(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) newest = Math.max(newest, modified(join(entry.parentPath ?? entry.path, entry.name)));
  return newest;
}

function run(command, args, what) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error(`msg-tui: ${what} failed (${[command, ...args].join(' ')})`);
    process.exit(1);
  }
}

/** npm keeps a copy of the lockfile it installed from; older than ours means out of date. */
function installIfNeeded() {
  const installed = modified(join(root, 'node_modules/.package-lock.json'));
  if (installed >= modified(join(root, 'package-lock.json')) && installed >= modified(join(root, 'package.json')))
    return;
  console.error('msg-tui: installing the packages (npm ci), once …');
  run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], 'the installation');
}

function buildIfNeeded() {
  const built = modified(join(root, 'dist/msg-tui.cjs'));
  const source = Math.max(
    newestIn(join(root, 'src')),
    newestIn(join(root, 'scripts')),
    modified(join(root, 'package.json')),
  );
  if (built >= source && built >= modified(join(root, 'node_modules/.package-lock.json'))) return;
  console.error('msg-tui: building …');
  run(process.execPath, [join(root, 'scripts/build.mjs'), '--quiet'], 'the build');
}

export function prepare() {
  installIfNeeded();
  buildIfNeeded();
}

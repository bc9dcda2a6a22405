/** Brings a checkout into a usable state: installs and builds what is missing or out of date, and says so. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingPackage, readJson } from './installed.mjs';
import { npm } from './npm.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

function fail(text) {
  console.error(`msg-tui: ${text}`);
  process.exit(1);
}

const stdio = ['ignore', 'inherit', 'inherit'];

function installIfNeeded() {
  if (missingPackage(root) === null) return;
  console.error('msg-tui: installing the packages (npm ci) …');
  // Development packages build the program, so they are needed whatever NODE_ENV or .npmrc say.
  const kinds = ['--include=dev', '--include=optional', '--ignore-scripts', '--prefer-offline'];
  const args = ['ci', ...kinds, '--no-fund', '--no-audit', '--loglevel=error'];
  if (npm(args, { cwd: root, stdio }).status !== 0) fail(`the installation failed (npm ${args.join(' ')})`);
  const missing = missingPackage(root);
  if (missing !== null) fail(`npm ci ended without an error, but ${missing} is missing or not in the locked version`);
}

/** One value for the names and the contents of all files that decide what the build makes. */
function digestOfSources() {
  const inFolders = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  const digest = createHash('sha256');
  for (const file of [join(root, 'package.json'), join(root, 'package-lock.json'), ...inFolders.sort()]) {
    const content = readFileSync(file);
    digest.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}

const out = join(root, 'dist');
/** What was built, and from what; the build empties the folder first, so a build that did not end leaves none. */
const record = join(out, '.sources.json');

function isBuilt(digest) {
  const built = readJson(record);
  return built?.digest === digest && built.files.every((file) => existsSync(join(out, file)));
}

function buildIfNeeded() {
  const digest = digestOfSources();
  if (isBuilt(digest)) return;
  console.error('msg-tui: building …');
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--quiet'], { cwd: root, stdio });
  if (build.status !== 0) fail('the build failed (node scripts/build.mjs)');
  writeFileSync(record, JSON.stringify({ digest, files: readdirSync(out) }));
}

export function prepare() {
  installIfNeeded();
  buildIfNeeded();
}

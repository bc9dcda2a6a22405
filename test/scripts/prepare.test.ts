/** `npm start` in a checkout that lacks something: it installs and builds what is missing, and nothing else. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

// Each test starts some thirty processes one after the other.
const timeout = 120_000;

const scripts = join(import.meta.dirname, '../../scripts');
const { missingPackage }: { missingPackage(root: string): string | null } = await import(
  join(scripts, 'installed.mjs')
);
const binary = { os: [process.platform], cpu: [process.arch], dev: true, optional: true };

/** What the fake npm installs from. */
const packages: Readonly<Record<string, object>> = {
  '': { name: 'checkout' },
  'node_modules/builder': { version: '1.2.3', dev: true },
  'node_modules/@builder/this-system': { version: '1.2.3', ...binary },
  'node_modules/@builder/another-system': { version: '1.2.3', ...binary, os: ['plan9'] },
  'node_modules/keyring': { version: '2.0.0', optional: true },
};

/** Writes what package-lock.json names, and obeys `omit` and `NODE_ENV` as npm does; FAKE_NPM=lazy leaves a package out. */
const fakeNpm = `
const fs = require('node:fs');
const path = require('node:path');
fs.appendFileSync('log', 'npm ' + process.argv.slice(2).join(' ') + '\\n');
fs.rmSync('node_modules', { recursive: true, force: true });
const omitsDev = process.env.NODE_ENV === 'production' && !process.argv.includes('--include=dev');
const installed = {};
for (const [folder, about] of Object.entries(JSON.parse(fs.readFileSync('package-lock.json', 'utf8')).packages)) {
  if (folder === '' || (omitsDev && about.dev) || (about.os && !about.os.includes(process.platform))) continue;
  if (process.env.FAKE_NPM === 'lazy' && folder.endsWith('builder')) continue;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version: about.version }));
  installed[folder] = about;
}
fs.mkdirSync('node_modules', { recursive: true });
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
`;

/** Stands in for the real build: it needs what npm installs, and empties the folder first. */
const fakeBuild = `
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
appendFileSync('log', 'build\\n');
rmSync('dist', { recursive: true, force: true });
if (!existsSync('node_modules/builder')) process.exit(1);
mkdirSync('dist');
writeFileSync('dist/part.cjs', '');
writeFileSync('dist/msg-tui.cjs', 'console.log("started with", ' + readdirSync('src').length + ', ...process.argv.slice(2))');
`;

let root: string;
let npm: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-prepare-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Both may lie in folders such as "C:\\Program Files".
  root = join(folder, 'a checkout');
  npm = join(folder, 'some npm', 'npm-cli.js');
  for (const name of ['start.mjs', 'prepare.mjs', 'installed.mjs', 'npm.mjs'])
    cpSync(join(scripts, name), join(root, 'scripts', name));
  write('scripts/build.mjs', fakeBuild);
  write('package.json', '{"name":"checkout"}');
  write('package-lock.json', JSON.stringify({ packages }));
  write('src/main.ts', 'one');
  write('src/more/part.ts', 'two');
  mkdirSync(dirname(npm));
  writeFileSync(npm, fakeNpm);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

/** Runs `npm start` and answers what it printed and which of npm and the build it ran. */
function start(env: Readonly<Record<string, string>> = {}) {
  rmSync(join(root, 'log'), { force: true });
  const { PATH } = process.env;
  const run = spawnSync(process.execPath, [join(root, 'scripts/start.mjs'), 'two words', '$x'], {
    encoding: 'utf8',
    env: { ...(PATH === undefined ? {} : { PATH }), npm_execpath: npm, ...env },
  });
  const did = existsSync(join(root, 'log')) ? readFileSync(join(root, 'log'), 'utf8').trim().split('\n') : [];
  return { ...run, did: did.map((line) => line.split(' ', 1)[0]) };
}

test('a fresh clone is installed and built, and the second start does neither', { timeout }, () => {
  expect(start()).toMatchObject({ status: 0, did: ['npm', 'build'], stdout: 'started with 2 two words $x\n' });
  expect(start()).toMatchObject({ status: 0, did: [], stdout: 'started with 2 two words $x\n' });
});

test('with NODE_ENV=production the packages that build it are installed all the same', { timeout }, () => {
  expect(start({ NODE_ENV: 'production' })).toMatchObject({ status: 0, did: ['npm', 'build'] });
  expect(start()).toMatchObject({ status: 0, did: [] });
});

const damages: readonly (readonly [string, () => void])[] = [
  ['a package that is gone', () => remove('node_modules/builder')],
  ['the binary for this system', () => remove('node_modules/@builder/this-system')],
  ['an optional package that was there', () => remove('node_modules/keyring')],
  ['the end of an installation', () => remove('node_modules/.package-lock.json')],
  ['a file that was cut off', () => write('node_modules/builder/package.json', '{"versi')],
  ['another version', () => write('node_modules/builder/package.json', '{"version":"1.2.2"}')],
  [
    'a version that was locked later',
    () => write('package-lock.json', JSON.stringify({ packages }).replaceAll('1.2.3', '1.2.4')),
  ],
];
const remove = (file: string): void => rmSync(join(root, file), { recursive: true });

test('an installation that lacks something is repaired', { timeout }, () => {
  start();
  const whole = join(root, 'whole');
  for (const name of ['node_modules', 'package-lock.json'])
    cpSync(join(root, name), join(whole, name), { recursive: true });
  for (const [name, damage] of damages) {
    damage();
    expect(missingPackage(root), name).not.toBeNull();
    cpSync(whole, root, { recursive: true });
    expect(missingPackage(root), name).toBeNull();
  }
  remove('node_modules/builder');
  expect(start()).toMatchObject({ status: 0, did: ['npm'] });
  expect(start()).toMatchObject({ status: 0, did: [] });
});

test('an optional package that npm could not install is not installed again at each start', { timeout }, () => {
  write('package-lock.json', JSON.stringify({ packages: { ...packages, 'node_modules/x': { optional: true } } }));
  start();
  const hidden = join(root, 'node_modules/.package-lock.json');
  writeFileSync(hidden, JSON.stringify({ packages: { ...packages, 'node_modules/x': undefined } }));
  remove('node_modules/x');
  expect(start().did).toEqual([]);
});

test('names a package that npm has left out without an error', { timeout }, () => {
  expect(start({ FAKE_NPM: 'lazy' })).toMatchObject({
    status: 1,
    did: ['npm'],
    stderr: expect.stringContaining('node_modules/builder is missing'),
  });
});

const changes: readonly (readonly [string, () => void])[] = [
  ['a changed file', () => write('src/main.ts', 'three')],
  ['a deleted file', () => remove('src/more/part.ts')],
  ['a new file', () => write('src/new.ts', '')],
  ['a part of the build that is gone', () => remove('dist/part.cjs')],
  ['a build by hand, which may have been of other files', () => remove('dist/.sources.json')],
  ['a record that was cut off', () => write('dist/.sources.json', '{"dig')],
];

test('what was built from other files is built again, without another installation', { timeout }, () => {
  start();
  for (const [name, change] of changes) {
    change();
    expect({ name, ...start() }).toMatchObject({ name, status: 0, did: ['build'] });
  }
  expect(start()).toMatchObject({ status: 0, did: [] });
});

/**
 * Packs the program, installs the tarball into an empty folder and runs it from there, as a user would. Without a network:
 * the optional packages are those of this checkout. `--registry` has npm fetch them instead.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { npm } from './npm.mjs';
import { root } from './prepare.mjs';

const fail = (text) => {
  console.error(`msg-tui: ${text}`);
  process.exit(1);
};

const { messages } = await publint({ pkgDir: root, pack: 'npm' });
for (const message of messages) console.log(formatMessage(message, {}));
if (messages.some((message) => message.type === 'error')) fail('publint found errors');

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** What a user gets beside the program, as paths in node_modules. */
const shipped = Object.keys(packages).filter((path) => path !== '' && packages[path].dev !== true);

/**
 * The lockfile is not part of the tarball, so npm picks versions for users by the ranges that packages name. Each of them
 * has to be one exact version: their own, or that of the package of this name in our package.json.
 */
function rangesLeftOpen() {
  const isExact = (range) => /^\d+\.\d+\.\d+$/.test(range);
  const own = packages[''].optionalDependencies;
  return ['', ...shipped].flatMap((path) => {
    const { dependencies, optionalDependencies } = packages[path];
    return Object.entries({ ...dependencies, ...optionalDependencies })
      .filter(([name, range]) => !isExact(range) && !isExact(own[name] ?? ''))
      .map(([name, range]) => `${path || 'package.json'} asks for ${name} ${range}`);
  });
}

const open = rangesLeftOpen();
if (open.length > 0) fail(`not pinned by optionalDependencies in package.json: ${open.join(', ')}`);

function run(args, cwd) {
  const result = npm(args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (result.status !== 0) fail(`npm ${args.join(' ')} failed`);
  return result.stdout;
}

const isFromRegistry = process.argv.includes('--registry');
const folder = mkdtempSync(join(tmpdir(), 'msg-tui package-'));
try {
  const packed = JSON.parse(run(['pack', '--json', '--ignore-scripts'], root));
  const [tarball] = Array.isArray(packed) ? packed : Object.values(packed);
  // npm pack cannot write into a folder with a blank in its name where it needs a shell.
  cpSync(join(root, tarball.filename), join(folder, tarball.filename));
  rmSync(join(root, tarball.filename));
  if (tarball.files.some(({ path }) => path.includes('.sources'))) fail('the record of the build is in the package');
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const how = isFromRegistry ? [] : ['--offline', '--omit=optional', '--ignore-scripts'];
  run(['install', ...how, '--no-fund', '--no-audit', '--loglevel=error', tarball.filename], folder);
  if (!isFromRegistry)
    for (const path of shipped)
      if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of shipped) {
    const about = join(folder, path, 'package.json');
    if (!existsSync(about)) continue;
    const { version } = JSON.parse(readFileSync(about, 'utf8'));
    if (version !== packages[path].version) fail(`${path} was installed in version ${version}`);
  }
  const licences = readFileSync(join(folder, 'node_modules/msg-tui/THIRD_PARTY_LICENSES.txt'), 'utf8');
  for (const name of ['gemoji ', 'Unicode data files ', 'ink ', 'undici '])
    if (!licences.split('\n').some((line) => line.startsWith(name))) fail(`the licence of ${name}is missing`);
  // What npm puts into .bin on Windows is for a shell.
  const program = join(folder, 'node_modules/msg-tui/dist/msg-tui.cjs');
  const version = execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' }).trim();
  if (version !== tarball.version)
    fail(`the installed program says version ${version}, the package ${tarball.version}`);
  if (process.platform !== 'win32') execFileSync(join(folder, 'node_modules/.bin/msg-tui'), ['--version']);
  execFileSync(process.execPath, [join(root, 'scripts/check-demo.mjs'), program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  console.log(`packed, installed, runs: ${version}, ${Math.round(tarball.size / 1024)} KB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Packs the program and installs the tarball on each version of Node that it is for, with the optional packages and without
 * them, never with install scripts. There it runs the demo in a terminal and a walk through the commands. npm fetches the
 * versions of Node and the optional packages, so this needs the network: it belongs to a release, not to `npm test`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './npm.mjs';
import { root } from './prepare.mjs';

const versions = ['20', '22', '24', '26'];
const kinds = { complete: [], 'without optional packages': ['--omit=optional'] };
const own = fileURLToPath(import.meta.url);
const [given] = process.argv.slice(2);

if (given === undefined) onEachNode();
else await onThisNode(given);

function onEachNode() {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-nodes-'));
  try {
    const packed = npm(['pack', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
    const [{ filename }] = [Object.values(JSON.parse(packed.stdout))].flat();
    cpSync(join(root, filename), join(folder, filename));
    rmSync(join(root, filename));
    const statuses = versions.map((version) => {
      const args = ['exec', '--yes', `--package=node@${version}`, '--', 'node', own, join(folder, filename)];
      return npm(args, { cwd: folder, stdio: 'inherit' }).status;
    });
    process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onThisNode(tarball) {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-node-'));
  const installed = (kind) => join(folder, kind, 'node_modules/msg-tui/dist/msg-tui.cjs');
  let server;
  try {
    for (const [kind, options] of Object.entries(kinds)) install(join(folder, kind), tarball, options);
    server = await startServer(installed('complete'), folder);
    for (const kind of Object.keys(kinds)) {
      const hasSqlite = kind === 'complete' || isBuiltin('node:sqlite');
      const problems = walk(installed(kind), join(folder, kind), server, hasSqlite);
      console.log(`Node ${process.versions.node}, ${kind}: ${problems.length === 0 ? 'works' : 'fails'}`);
      for (const problem of problems) console.log(`  ${problem}`);
      if (problems.length > 0) process.exitCode = 1;
    }
  } finally {
    server?.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function install(folder, tarball, options) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error', ...options, tarball];
  if (npm(args, { cwd: folder, stdio: 'inherit' }).status !== 0) throw new Error(`npm ${args.join(' ')} failed`);
}

/** Runs the installed program and waits for its end. `home` holds all of its files. */
function run(program, home, args, options = {}) {
  const { DISPLAY: _, ...env } = process.env;
  const at = (name) => join(home, name);
  return spawnSync(process.execPath, [program, ...args], {
    encoding: 'utf8',
    env: { ...env, HOME: home, XDG_CONFIG_HOME: at('config'), XDG_DATA_HOME: at('data'), XDG_CACHE_HOME: at('cache') },
    timeout: 60_000,
    ...options,
  });
}

async function startServer(program, folder) {
  const serve = ['serve', '--data', join(folder, 'chat.db')];
  const add = (...args) => {
    const { status, stdout, stderr } = run(program, folder, [...serve, ...args]);
    if (status !== 0) throw new Error(`serve ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  add('user', 'add', 'ann');
  const bob = add('contact', 'add', 'bob').split(/\s/)[0];
  const token = add('token', 'add', 'ann');
  const child = spawn(process.execPath, [program, ...serve, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the server ended')));
  });
  return { child, bob, token, address: String(line).replace('listening on', '').trim() };
}

/** @returns what did not go as it should. Without SQLite, messages are sent and read; commands that need the store say what is missing. */
function walk(program, home, { address, token, bob }, hasSqlite) {
  const problems = [];
  const backup = join(home, 'backup.jsonl');
  const check = (args, expected, options) => {
    const { status, stdout, stderr } = run(program, home, args, options);
    const said = `${stdout}${stderr}`.trim();
    if (status === expected.status && expected.says.test(said)) return;
    problems.push(`${args[0]}: exit code ${status}: ${said.split('\n')[0]}`);
  };
  const works = (says) => ({ status: 0, says });
  const stored = (says) => (hasSqlite ? works(says) : { status: 1, says: /^[^\n]*Node 22\.13 or later[^\n]*$/ });
  const demo = spawnSync(process.execPath, [join(root, 'scripts/check-demo.mjs'), program], { encoding: 'utf8' });
  if (demo.status !== (hasSqlite ? 0 : 1)) problems.push(`demo: ${demo.stdout}${demo.stderr}`);
  check(['--version'], works(/^\d+\.\d+\.\d+$/));
  check(['config', 'set', 'keyring', 'false'], works(/^$/));
  check(['login', '--server', address, '--token-stdin'], works(/./), { input: token });
  check(['new', bob, 'from the tarball'], works(/./));
  check(['send', bob, 'from the tarball'], works(/./));
  check(['read', bob], works(/from the tarball/));
  check(['unread'], stored(/^0$/));
  check(['export', '--all', '--output', backup], stored(/./));
  check(['import', backup], stored(/./));
  return problems;
}

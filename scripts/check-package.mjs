/** Packs the program, installs the tarball into an empty folder and runs it from there, as a user would. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from './prepare.mjs';

const fail = (text) => {
  console.error(`msg-tui: ${text}`);
  process.exit(1);
};

const about = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' }),
);
const { messages } = await publint({ pkgDir: root, pack: 'npm' });
for (const message of messages) console.log(formatMessage(message, {}));
if (messages.some((message) => message.type === 'error')) fail('publint found errors');

const folder = mkdtempSync(join(tmpdir(), 'msg-tui-package-'));
try {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
  const list = Array.isArray(packed) ? packed : Object.values(packed);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-fund', '--no-audit', '--loglevel=error', join(folder, list[0].filename)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const program = join(folder, 'node_modules/.bin/msg-tui');
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim();
  const expected = (Array.isArray(about) ? about : Object.values(about))[0].version;
  if (version !== expected) fail(`the installed program says version ${version}, the package ${expected}`);
  execFileSync(process.execPath, [join(root, 'scripts/check-demo.mjs'), program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  console.log(`packed, installed, runs: ${version}, ${Math.round(list[0].size / 1024)} KB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

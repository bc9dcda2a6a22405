import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { openOutboxWithRole } from '../../../src/storage/outbox/role.ts';
import { acquireSenderLock, isStopped, type LockAnswer } from '../../../src/storage/outbox/sender-lock.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { campaignPart, campaignSize } from '../../support/campaigns/partition.ts';
import { hasStrace, loggedCalls } from '../../support/system/strace.ts';
import { anOp, temporaryDirectory } from '../builders.ts';

const root = resolve(import.meta.dirname, '../../..');
// Inside node_modules, where the bundle finds the packages that stay outside it.
const child = join(root, 'node_modules', `.outbox-child-${process.pid}.mjs`);

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('./outbox-child.ts', import.meta.url))],
    outfile: child,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@photostructure/sqlite'],
  });
});

afterAll(() => rmSync(child, { force: true }));

function start(task: string, directory: string): ChildProcess & { readonly lines: AsyncIterable<string> } {
  const process_ = spawn(process.execPath, [child, task, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    process_.kill('SIGKILL');
  });
  return Object.assign(process_, { lines: createInterface({ input: process_.stdout }) });
}

const run = async (command: string) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  return stdout.trim().split('\n');
};

describe('kill -9', () => {
  test.each(campaignPart([1, 2, 7, 23, 60, 150], 2))(
    'after %i lines loses nothing that was acknowledged',
    async (count) => {
      const directory = temporaryDirectory();
      const writer = start('writeForEver', directory);
      const said: string[] = [];
      for await (const line of writer.lines) {
        said.push(line);
        if (said.length === count) writer.kill('SIGKILL');
      }
      const outbox = openOutbox(directory);
      const local = outbox.load();
      const found = new Set(local.outbox.map(({ uuid }) => uuid));
      expect(outbox.status).toEqual({ setAside: 0, salvaged: null });
      const leaving = new Set(said.filter((line) => line.startsWith('-')).map((line) => line.slice(1)));
      const entered = said.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
      expect(entered.length).toBeGreaterThan(0);
      for (const uuid of entered) if (!leaving.has(uuid)) expect(found).toContain(uuid);
      // One that has left has its claim: never neither.
      const claims = outbox.claims('c1');
      for (const uuid of leaving)
        expect([found.has(uuid), claims.has(uuid.replace('u', 'm'))].sort()).toEqual([false, true]);
      expect(local.outbox.every(({ action }) => 'text' in action && action.text.startsWith('words of'))).toBe(true);
      outbox.close();
      const raw = openDatabase(join(directory, 'outbox.db'));
      expect(raw.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok');
      raw.close();
    },
  );
});

describe('kill -9 while messages are taken back', () => {
  test.each(campaignPart([1, 3, 20, 77], 2))(
    'after %i of them leaves each in the outbox or in its draft',
    async (count) => {
      const directory = temporaryDirectory();
      const writer = start('takeBackForEver', directory);
      const said: string[] = [];
      for await (const uuid of writer.lines) {
        said.push(uuid);
        if (said.length === count) writer.kill('SIGKILL');
      }
      const outbox = openOutbox(directory);
      const { outbox: ops, drafts } = outbox.load();
      outbox.close();
      for (const uuid of said) {
        const isDraft = drafts.get(uuid)?.text === `words of ${uuid}`;
        expect([isDraft, ops.some((op) => op.uuid === uuid)].sort()).toEqual([false, true]);
      }
    },
  );
});

describe('two processes', () => {
  test('that write into one outbox at once lose nothing, in one sequence', async () => {
    const directory = temporaryDirectory();
    const sender = openOutbox(directory);
    const others = ['a', 'b'].map((name) => run(`'${process.execPath}' '${child}' writeSome '${directory}' ${name}`));
    for (let i = 0; i < 30; i++) sender.enqueue(anOp({ uuid: `own${i}` }), null);
    const seqs = (await Promise.all(others)).flat().map(Number);
    expect(sender.hasForeignChanges()).toBe(true);
    const { outbox } = sender.load();
    expect(outbox).toHaveLength(90);
    expect(new Set(outbox.map(({ seq }) => seq)).size).toBe(90);
    for (const seq of seqs) expect(outbox.some((op) => op.seq === seq)).toBe(true);
    sender.close();
  });

  test('or three that start at once on a new profile lose nothing, and none takes the new file for a damaged one', async () => {
    for (let round = 0; round < campaignSize(2, 5); round++) {
      const directory = temporaryDirectory();
      const names = ['a', 'b', 'c'];
      const enter = (name: string) => run(`'${process.execPath}' '${child}' enterFive '${directory}' ${name}`);
      const said = (await Promise.all(names.map(enter))).flat();
      expect(said).toHaveLength(15);
      const outbox = openOutbox(directory);
      expect(
        outbox
          .load()
          .outbox.map(({ uuid }) => uuid)
          .sort(),
      ).toEqual(said.sort());
      outbox.close();
      expect(readdirSync(directory).filter((name) => name.includes('corrupt'))).toEqual([]);
    }
  });

  test('share the sender role: the second learns which one has it, and takes it when the first is killed', async () => {
    const directory = temporaryDirectory();
    const holder = start('holdLock', directory);
    for await (const line of holder.lines) {
      expect(line).toBe('true');
      break;
    }
    expect(acquireSenderLock(directory)).toEqual({ heldBy: holder.pid });
    const ended = new Promise((done) => holder.once('exit', done));
    holder.kill('SIGKILL');
    await ended;
    const answer = acquireSenderLock(directory);
    expect(answer).toHaveProperty('release');
    expect(acquireSenderLock(directory)).toEqual({ heldBy: process.pid });
    release(answer);
    const again = acquireSenderLock(directory);
    expect(again).toHaveProperty('release');
    // Letting go twice does not take the role from its new holder.
    release(answer);
    expect(acquireSenderLock(directory)).toEqual({ heldBy: process.pid });
    release(again);
  });

  test.runIf(hasStrace)('send nothing if the file system has no locks, and name no other sender', async () => {
    const directory = temporaryDirectory();
    openOutboxWithRole(directory).close();
    const log = join(directory, '..', `locks-${process.pid}`);
    onTestFinished(() => rmSync(log, { force: true }));
    const opening = `'${process.execPath}' '${child}' openProfile '${directory}'`;
    await run(`strace -f -qq -o '${log}' -e trace=fcntl ${opening}`);
    // Node cannot do without its own calls of the same kind, at the start; nor at the end, where it aborts.
    const nth = loggedCalls(log).find(({ text }) => text.includes('F_SETLK'))?.nth;
    const inject = `-e trace=fcntl -e inject=fcntl:error=ENOLCK:when=${nth}+`;
    const [line = ''] = await run(`ulimit -c 0; strace -f -qq -o /dev/null ${inject} ${opening} 2>/dev/null; true`);
    const said = JSON.parse(line) as { troubles: readonly string[]; refusal: string };
    expect(said.troubles).toEqual([expect.stringContaining('files cannot be locked there')]);
    expect(said.refusal).toContain('files cannot be locked there');
    expect(readdirSync(directory).filter((name) => name.startsWith('sender.'))).toEqual(['sender.lock']);
  });

  test.runIf(process.platform === 'linux')(
    'keep the role with one that is stopped, which is recognised as stopped',
    async () => {
      const directory = temporaryDirectory();
      const holder = start('holdLock', directory);
      for await (const _ of holder.lines) break;
      const other = openOutboxWithRole(directory);
      expect(other.otherSender()).toEqual({ pid: holder.pid, isStopped: false });
      holder.kill('SIGSTOP');
      await expect.poll(() => isStopped(holder.pid ?? 0)).toBe(true);
      expect(other.takeSenderRole()).toBe(false);
      expect(other.otherSender()).toEqual({ pid: holder.pid, isStopped: true });
      const ended = new Promise((done) => holder.once('exit', done));
      holder.kill('SIGKILL');
      await ended;
      expect(other.takeSenderRole()).toBe(true);
      expect(other.otherSender()).toBeNull();
      other.close();
      expect(readdirSync(directory).filter((name) => name.startsWith('sender.'))).toEqual(['sender.lock']);
    },
  );
});

// A limit on the size of files makes writes fail as a full disk does.
describe.runIf(process.platform === 'linux')('a disk that accepts no more writes', () => {
  const limited = (task: string, directory: string) =>
    run(`ulimit -f 400 && exec '${process.execPath}' '${child}' ${task} '${directory}'`);

  test('makes enqueue report it and keep everything that was accepted', async () => {
    const directory = temporaryDirectory();
    const [line = ''] = await limited('fillUp', directory);
    const said = JSON.parse(line) as { readonly count: number };
    expect(said).toMatchObject({ isOurs: true, kind: 'full', kept: said.count });
    expect(said.count).toBeGreaterThan(5);
    const outbox = openOutbox(directory);
    expect(outbox.load().outbox).toHaveLength(said.count);
    expect(outbox.enqueue(anOp({ uuid: 'later' }), null).seq).toBeGreaterThan(said.count);
    outbox.close();
  });

  test('makes the cache go on in memory and report it once', async () => {
    const [line = ''] = await limited('fillCache', temporaryDirectory());
    expect(JSON.parse(line)).toEqual({ troubles: ['full'], held: 2000 });
  });
});

function release(answer: LockAnswer): void {
  if ('release' in answer) answer.release();
}

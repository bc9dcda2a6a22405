/** The built `msg-tui serve` as a process of its own, with people and a group made by its own commands. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Target } from './target.ts';

const program = join(import.meta.dirname, '../../dist/msg-tui.cjs');
const execute = promisify(execFile);

export async function openServeProcess(): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-serve-'));
  const env = { PATH: process.env.PATH, HOME: folder };
  const serve = ['serve', '--data', join(folder, 'chat.db')];
  /** The first field of the line that the command prints: an id or a token. */
  const administer = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await execute(process.execPath, [program, ...serve, ...words], { env });
    return stdout.split(/\s/)[0] ?? '';
  };
  await administer('user', 'add', 'ann');
  const contactId = await administer('user', 'add', 'bob');
  const groupId = await administer('group', 'add', 'Crew', 'ann', 'bob');
  const token = await administer('token', 'add', 'ann');

  const listening = [program, ...serve, '--listen', '127.0.0.1:0'];
  const child = spawn(process.execPath, listening, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(line.replace('listening on ', '')));
    child.once('close', (code) => reject(new Error(`msg-tui serve ended with ${code}`)));
  });
  return {
    url,
    token,
    contactId,
    groupId,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

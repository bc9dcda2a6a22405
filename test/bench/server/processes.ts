/** Servers as processes of their own, which end with the benchmark. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface Running {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Resolves when the program has written `listening on URL`. */
export async function start(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const child = spawn(process.execPath, [...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(line.replace('listening on ', '')));
    void ended.then(() => reject(new Error(`${words.join(' ')} has ended`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    children.delete(child);
  };
  return { url, pid: child.pid ?? 0, stop };
}

/** A pipe in the place of a file. */
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Nobody writes into it. Who waits for that all the same is let go after some seconds, so that the test fails. */
export function pipeIn(directory: string, name: string): string {
  const path = join(directory, name);
  execFileSync('mkfifo', [path]);
  const rescuer = spawn('sh', ['-c', 'sleep 5; : > "$1"', 'sh', path], { stdio: 'ignore', detached: true });
  onTestFinished(() => {
    if (rescuer.pid !== undefined && rescuer.exitCode === null) process.kill(-rescuer.pid, 'SIGKILL');
  });
  return path;
}

/** Kills a program at a system call, or makes the call fail, by strace (Linux); suites that need it are left out without. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const isThere = spawnSync('strace', ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', 'true']).status === 0;

/** False where strace is missing or may not trace: the suites say that they are left out. */
export const hasStrace = process.platform === 'linux' && isThere;

export function sayLeftOut(suite: string): void {
  if (!hasStrace) process.stdout.write(`${suite}: left out, there is no strace that works here\n`);
}

/** Every call that changes the contents of the disk, and every way out of the process. */
export const diskCalls = ['write', 'pwrite64', 'fsync', 'fdatasync', 'rename', 'unlink', 'ftruncate'] as const;
export type Call = (typeof diskCalls)[number] | 'openat' | 'fcntl';

export interface Injection {
  readonly call: Call;
  /** The so many-th call of a thread, from 1; with `isLasting`, all later ones too. */
  readonly nth: number;
  readonly isLasting?: boolean;
  /** SIGKILL at the entry of the call; or the error that the call answers. */
  readonly effect: 'KILL' | `E${string}`;
}

export function injecting({ call, nth, isLasting, effect }: Injection): readonly string[] {
  const what = effect === 'KILL' ? 'signal=KILL' : `error=${effect}`;
  const when = `when=${nth}${isLasting === true ? '+' : ''}`;
  const traced = ['-e', `trace=${call}`, '-e', `inject=${call}:${what}:${when}`];
  // Without --seccomp-bpf, which in strace 6.1 keeps injections from happening.
  return ['strace', '-f', '-qq', '-o', '/dev/null', ...traced];
}

export const counting = (log: string, calls: readonly Call[]): readonly string[] => [
  ...['strace', '-f', '--seccomp-bpf', '-qq', '-o', log],
  ...['-e', `trace=${calls.join(',')}`],
];

/** One call in the log of `counting`; `nth` counts within its thread. */
export interface LoggedCall {
  readonly call: Call;
  readonly nth: number;
  /** Its arguments and what it answered. */
  readonly text: string;
}

/** The calls of the first thread, which is where everything on the disk happens. */
export function loggedCalls(log: string): readonly LoggedCall[] {
  const counts = new Map<string, number>();
  const lines = [...readFileSync(log, 'utf8').matchAll(/^(\d+) +(\w+)\((.*)$/gm)];
  const first = lines[0]?.[1];
  return lines.flatMap(([, thread, call = '', text = '']) => {
    if (thread !== first) return [];
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    return [{ call: call as Call, nth, text }];
  });
}

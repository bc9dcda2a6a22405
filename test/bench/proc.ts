/** What Linux says of a running program: processor time, wake-ups, memory; null on other systems. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const isKnown = existsSync('/proc/self/schedstat');

/** The program and all its descendants. */
function family(pid: number): number[] {
  const found = [pid];
  for (const parent of found)
    for (const thread of threads(parent)) {
      const children = read(`/proc/${parent}/task/${thread}/children`);
      for (const child of children.split(' ')) if (child.trim() !== '') found.push(Number(child));
    }
  return found;
}

/** Processor time used so far by all threads, in milliseconds. */
export function cpuMs(pid: number): number | null {
  if (!isKnown) return null;
  let nanoseconds = 0;
  for (const one of family(pid))
    for (const thread of threads(one))
      nanoseconds += Number(read(`/proc/${one}/task/${thread}/schedstat`).split(' ')[0] ?? 0);
  return nanoseconds / 1e6;
}

/** What the thread that draws had of the processors so far, in milliseconds. */
export interface MainThread {
  readonly ran: number;
  /** Ready to run, while others did. */
  readonly waited: number;
  /** The same of the process that measures. */
  readonly measurerWaited: number;
  /** Taken from the whole machine by the one that it runs on; counted in steps of ten. */
  readonly stolen: number;
}

export function mainThread(pid: number): MainThread | null {
  if (!isKnown) return null;
  const [ran, waited] = shareOf(pid);
  const [, measurerWaited] = shareOf(process.pid);
  const stolen = Number(read('/proc/stat').split(/\s+/, 9)[8] ?? 0) * 10;
  return { ran, waited, measurerWaited, stolen };
}

function shareOf(pid: number): readonly [ran: number, waited: number] {
  const [ran = 0, waited = 0] = read(`/proc/${pid}/task/${pid}/schedstat`).split(' ').map(Number);
  return [ran / 1e6, waited / 1e6];
}

/** Times that a thread went to sleep by itself, which is as often as it was woken. */
export function wakeUps(pid: number): number | null {
  if (!isKnown) return null;
  let count = 0;
  for (const one of family(pid))
    for (const thread of threads(one)) count += field(`/proc/${one}/task/${thread}/status`, 'voluntary_ctxt_switches');
  return count;
}

export function residentMb(pid: number): { readonly now: number; readonly peak: number } | null {
  if (!isKnown) return null;
  const sum = (name: string): number => family(pid).reduce((all, one) => all + field(`/proc/${one}/status`, name), 0);
  return { now: sum('VmRSS') / 1024, peak: sum('VmHWM') / 1024 };
}

function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

const field = (path: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(path))?.[1] ?? 0);

/** Empty when the thread ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

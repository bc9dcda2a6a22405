/** Measures of a program that does nothing, and of its end. */
import { residentMb, wakeUps } from './proc.ts';
import type { Session } from './session.ts';
import { type Figures, measure, since } from './typing.ts';

interface Rest {
  readonly seconds: number;
  /** Without a key before them. */
  readonly afterMs: number;
  /** Put before every figure. */
  readonly label?: string;
}

/** Processor time, wake-ups and bytes while nothing is typed. */
export async function measureIdle(session: Session, { seconds, afterMs, label = 'idle' }: Rest): Promise<Figures> {
  await session.pause(afterMs);
  session.drain();
  const before = measure(session);
  const woken = wakeUps(session.pid);
  await session.pause(seconds * 1000);
  const { bytes, cpu } = since(session, before);
  const wokenNow = wakeUps(session.pid);
  const isKnown = woken !== null && wokenNow !== null;
  return {
    ...(isKnown
      ? { [`${label} CPU ms/10 s`]: (cpu * 10) / seconds, [`${label} wake-ups/s`]: (wokenNow - woken) / seconds }
      : {}),
    [`${label} bytes/10 s`]: (bytes * 10) / seconds,
  };
}

export function measureMemory(session: Session): Figures {
  const memory = residentMb(session.pid);
  return memory === null ? {} : { 'RSS MB': memory.now, 'peak RSS MB': memory.peak };
}

/** @returns also the modes that were left on, as their number; the names go to `tell` */
export async function measureQuit(session: Session, keys: string, tell: (text: string) => void): Promise<Figures> {
  const at = session.write(keys);
  const deadline = session.pause(10_000).then(() => null);
  const exit = await Promise.race([session.exited, deadline]);
  if (exit === null) throw new Error('the program did not quit within 10 s');
  session.drain();
  const left = session.picture.leftOn();
  if (left.length > 0) tell(`left on at exit: ${left.join(', ')}`);
  return { 'quit ms': exit.at - at, 'modes left on': left.length };
}

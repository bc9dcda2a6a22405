/** Puts keys and output in the order of their times and shows every visible frame, once the measuring is over. */
import { inkOf } from './picture.ts';
import type { MainThread } from './proc.ts';
import type { Session } from './session.ts';

export interface Pressed {
  readonly at: number;
  /** As it was just before. */
  readonly main?: MainThread | null;
  /** Position in the run. */
  readonly nth: number;
}

export interface Watcher {
  onKey(key: Pressed, rows: readonly string[]): void;
  /** `isChanged`: some row differs from the frame before. */
  onFrame(at: number, rows: readonly string[], isChanged: boolean, main: MainThread | null): void;
}

/** @returns frames that had lost a good part of the text, which an eye sees as a flash */
export function replay(session: Session, keys: readonly Pressed[], watcher: Watcher): { readonly blankFrames: number } {
  const chunks = session.take();
  const { picture } = session;
  let shown = picture.rows();
  const ink = inkOf(shown);
  let blankFrames = 0;
  let next = 0;
  const keysUntil = (at: number): void => {
    for (let key = keys[next]; key !== undefined && key.at <= at; key = keys[++next]) watcher.onKey(key, shown);
  };
  for (const { at, bytes, main } of chunks) {
    keysUntil(at);
    picture.feed(bytes);
    if (picture.isHidden()) continue;
    const rows = picture.rows();
    const isChanged = rows.some((row, y) => row !== shown[y]);
    shown = rows;
    if (inkOf(rows) < 0.4 * ink) blankFrames++;
    watcher.onFrame(at, rows, isChanged, main);
  }
  keysUntil(Number.POSITIVE_INFINITY);
  return { blankFrames };
}

/** Sixty a second. */
export const frameMs = 16;

/** That the program waited for a processor, or slept, is not what the frame costs. */
export function whereItWent({ at, main: before }: Pressed, shownAt: number, main: MainThread | null): string {
  const took = `${(shownAt - at).toFixed(1)} ms`;
  if (main === null || !before) return took;
  const part = (name: keyof MainThread): string => (main[name] - before[name]).toFixed(1);
  return `${took}: the program ran ${part('ran')} and waited ${part('waited')} for a processor, the measuring one waited ${part('measurerWaited')}, ${part('stolen')} were taken from the machine`;
}

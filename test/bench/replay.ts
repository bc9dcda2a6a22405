/** Puts keys and output in the order of their times and shows every visible frame, once the measuring is over. */
import { inkOf } from './picture.ts';
import type { Session } from './session.ts';

export interface Pressed {
  readonly at: number;
  /** Position in the run. */
  readonly nth: number;
}

export interface Watcher {
  onKey(key: Pressed, rows: readonly string[]): void;
  /** `isChanged`: some row differs from the frame before. */
  onFrame(at: number, rows: readonly string[], isChanged: boolean): void;
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
  for (const { at, bytes } of chunks) {
    keysUntil(at);
    picture.feed(bytes);
    if (picture.isHidden()) continue;
    const rows = picture.rows();
    const isChanged = rows.some((row, y) => row !== shown[y]);
    shown = rows;
    if (inkOf(rows) < 0.4 * ink) blankFrames++;
    watcher.onFrame(at, rows, isChanged);
  }
  keysUntil(Number.POSITIVE_INFINITY);
  return { blankFrames };
}

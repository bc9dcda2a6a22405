/** What a program's output makes of a terminal: visible frames, clears, modes; fed after the fact, so that its own speed is in no figure. */
import { createTerminal, rowText } from '../support/terminals/headless.ts';

export interface PictureCounts {
  /** Synchronized frames that were closed. */
  readonly frames: number;
  /** Times that the whole screen was cleared. */
  readonly clears: number;
}

export interface Picture {
  /** Synchronous. */
  feed(bytes: Uint8Array): void;
  /** A synchronized frame is open: its contents are not visible yet. */
  isHidden(): boolean;
  /** Rows without trailing blanks. */
  rows(): string[];
  counts(): PictureCounts;
  /** Takes out what the terminal answered to questions. */
  replies(): string;
  takesBracketedPaste(): boolean;
  /** Modes that a program must not leave on. */
  leftOn(): readonly string[];
}

export function createPicture(columns: number, rows: number): Picture {
  const terminal = createTerminal(columns, rows);
  terminal.options.logLevel = 'off';
  // The public `write` is asynchronous; replaying needs to look after every chunk.
  const core = (
    terminal as unknown as {
      _core: { writeSync(bytes: Uint8Array): void; coreService: { isCursorHidden: boolean } };
    }
  )._core;
  const counts = { frames: 0, clears: 0 };
  let isOpen = false;
  let answers = '';
  const { parser } = terminal;
  parser.registerCsiHandler({ prefix: '?', final: 'h' }, (parameters) => {
    if (parameters.includes(2026)) isOpen = true;
    return false;
  });
  parser.registerCsiHandler({ prefix: '?', final: 'l' }, (parameters) => {
    if (parameters.includes(2026) && isOpen) {
      isOpen = false;
      counts.frames++;
    }
    return false;
  });
  parser.registerCsiHandler({ final: 'J' }, ([what]) => {
    const { cursorX, cursorY } = terminal.buffer.active;
    const isHome = cursorX === 0 && cursorY === 0;
    if (what === 2 || what === 3 || ((what === 0 || what === undefined) && isHome)) counts.clears++;
    return false;
  });
  // The session has answered these when they came.
  parser.registerCsiHandler({ final: 'n' }, ([what]) => what === 5);
  terminal.onData((reply) => {
    answers += reply;
  });

  return {
    feed: (bytes) => core.writeSync(bytes),
    isHidden: () => isOpen,
    rows: () => Array.from({ length: rows }, (_, y) => rowText(terminal, y)),
    counts: () => ({ ...counts }),
    replies() {
      const taken = answers;
      answers = '';
      return taken;
    },
    takesBracketedPaste: () => terminal.modes.bracketedPasteMode,
    leftOn() {
      const { modes, buffer } = terminal;
      const all = {
        'alternate screen': buffer.active.type === 'alternate',
        'hidden cursor': core.coreService.isCursorHidden,
        mouse: modes.mouseTrackingMode !== 'none',
        'bracketed paste': modes.bracketedPasteMode,
        'focus reports': modes.sendFocusMode,
        'no autowrap': !modes.wraparoundMode,
        'application keys': modes.applicationCursorKeysMode,
        'open frame': isOpen,
      };
      return Object.entries(all).flatMap(([name, isOn]) => (isOn ? [name] : []));
    },
  };
}

/** How much text there is; a frame with far less than before was a blank one. */
export const inkOf = (rows: readonly string[]): number =>
  rows.reduce((sum, row) => sum + row.replaceAll(' ', '').length, 0);

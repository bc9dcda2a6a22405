/** The type of the options of a screen. */
import type { LinePace } from './line-pace.ts';
import type { Later } from './pictures/printed.ts';
import type { TtyPort } from './tty-port.ts';

export interface ScreenOptions {
  readonly tty: TtyPort;
  /** Whether the mouse reports from the start; `setMouse` switches. */
  readonly mouse?: boolean;
  /** When false, nothing but ASCII is written, whatever the rows hold. */
  readonly isUtf8?: boolean;
  /** When true, links are given to the terminal, which opens them itself. */
  readonly hasHyperlinks?: boolean;
  /** When false, the shape of the cursor stays as it is. */
  readonly hasCursorShapes?: boolean;
  /** Questions to the terminal, sent once after the first frame; see `capabilities.ts`. */
  readonly queries?: string;
  /** Measures a slow line; without it each frame is written as soon as the terminal takes it. */
  readonly pace?: LinePace;
  /** Decides when a frame asked for by `requestFlush` is made; by default in a microtask. */
  readonly schedule?: (flush: () => void) => void;
  /** Calls back after a delay; the result cancels that. By default a timer that does not keep the program running. */
  readonly later?: Later;
  /** Gets the new size. Rows that the listener sets are in the repaint. */
  readonly onResize?: (size: { readonly columns: number; readonly rows: number }) => void;
  readonly onHangup?: () => void;
}

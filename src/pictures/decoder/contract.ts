/** What goes to the process that decodes, and what comes back. */
import type { Size } from '../../state/pictures/shrink.ts';

export interface DecodeRequest {
  /** The largest picture that is drawn with characters. */
  readonly small: Size;
  /** The largest one that the terminal itself draws; null where it cannot. */
  readonly large: Size | null;
}

export type DecodeAnswer =
  | { readonly problem: string }
  | {
      /** Four bytes a pixel. */
      readonly small: Size;
      /** Four bytes a pixel, deflated to this many bytes. */
      readonly large: (Size & { readonly bytes: number }) | null;
    };

/** Pictures that messages have as attachments, as far as they were fetched in this run. */

/** Pixels that are drawn with characters, two in each cell. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, and how opaque it is. */
  readonly rgba: Uint8Array;
}

/** A picture that the terminal holds and draws itself, in so many cells. */
export interface TerminalPicture {
  /** The number by which the terminal knows it, of 24 bits. */
  readonly id: number;
  readonly columns: number;
  readonly rows: number;
}

export type Picture =
  | { readonly status: 'loading' }
  /** `reason`: a few words for the chip. Raw text. */
  | { readonly status: 'refused'; readonly reason: string }
  | {
      readonly status: 'shown';
      readonly bitmap: Bitmap;
      readonly inTerminal: TerminalPicture | null /** The terminal has lost it: it is decoded again. */;
      readonly isLost?: true;
    };

/** By the address. */
export type Pictures = ReadonlyMap<string, Picture>;

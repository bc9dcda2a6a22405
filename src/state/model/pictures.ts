/** Pictures that messages have as attachments, as far as they were fetched in this run. */

/** Pixels that are drawn with characters, two in each cell. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, and how opaque it is. */
  readonly rgba: Uint8Array;
}

interface Cells {
  readonly columns: number;
  readonly rows: number;
}

/** A picture that the terminal draws itself, in so many cells. */
export type TerminalPicture =
  /** The terminal holds it, and knows it by this number of 24 bits. */
  | (Cells & { readonly id: number })
  /** The terminal does not hold it: this escape sequence prints it at the cursor. */
  | (Cells & { readonly sequence: string });

export type Picture =
  | { readonly status: 'loading' }
  /** `reason`: a few words for the chip. Raw text. */
  | { readonly status: 'refused'; readonly reason: string }
  | {
      readonly status: 'shown';
      readonly bitmap: Bitmap;
      readonly inTerminal: TerminalPicture | null;
      /** The terminal has lost it, or can do more than was known: it is decoded again. */
      readonly isLost?: true;
    };

/** By the address. */
export type Pictures = ReadonlyMap<string, Picture>;

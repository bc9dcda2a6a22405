/** The request to the process that decodes, its answer, its refusals, and the largest pictures that it takes. */
import type { PixelSize } from '../../state/pictures/shrink.ts';

/** `deflated`: four bytes a pixel, deflated. `png`: a whole file. `sixel`: sixel data without the sequence around it. */
export interface LargePicture extends PixelSize {
  readonly form: 'deflated' | 'png' | 'sixel';
}

export interface DecodeRequest {
  /** The largest picture that is drawn with characters. */
  readonly small: PixelSize;
  /** The largest one that the terminal itself draws, and in what form it takes it; null where it cannot. */
  readonly large: LargePicture | null;
}

export type DecodeAnswer =
  | { readonly problem: string }
  | {
      /** Four bytes a pixel. */
      readonly small: PixelSize;
      /** Its bytes are the rest of the answer; null also where the form that was asked for would be too long. */
      readonly large: PixelSize | null;
    };

/** The error for a file that is refused. `message` says why, in a few words that follow the name of the attachment. */
export class DecodeRefusal extends Error {
  override readonly name = 'DecodeRefusal';
}

/** The most pixels that a picture may have; its header is read before anything is decoded. */
export const mostPixels = 50_000_000;
/** One row of pixels has to fit into little memory. */
const longestSide = 65_535;

/** @throws DecodeRefusal */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new DecodeRefusal('it has no pixels');
  if (width * height > mostPixels || Math.max(width, height) > longestSide)
    throw new DecodeRefusal(`it is too large (${width} × ${height} pixels)`);
}

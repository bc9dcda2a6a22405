/** The types of the request to the process that decodes, and of its answer. */
import type { Size } from '../../state/pictures/shrink.ts';

/** `deflated`: four bytes a pixel, deflated. `png`: a whole file. `sixel`: sixel data without the sequence around it. */
export interface LargePicture extends Size {
  readonly form: 'deflated' | 'png' | 'sixel';
}

export interface DecodeRequest {
  /** The largest picture that is drawn with characters. */
  readonly small: Size;
  /** The largest one that the terminal itself draws, and in what form it takes it; null where it cannot. */
  readonly large: LargePicture | null;
}

export type DecodeAnswer =
  | { readonly problem: string }
  | {
      /** Four bytes a pixel. */
      readonly small: Size;
      /** Its bytes are the rest of the answer; null also where the form that was asked for would be too long. */
      readonly large: Size | null;
    };

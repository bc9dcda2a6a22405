/** Reads the parts of a PNG file (PNG specification, third edition, §5 and §11) without inflating anything. */
import type { PixelSize } from '../../state/pictures/shrink.ts';
import { checkSize, DecodeRefusal } from './contract.ts';

export interface Png extends PixelSize {
  readonly depth: number;
  readonly kind: 'grey' | 'rgb' | 'palette' | 'grey-alpha' | 'rgba';
  /** Samples of a pixel. */
  readonly channels: number;
  readonly isInterlaced: boolean;
  /** Three bytes a colour. */
  readonly palette: Uint8Array;
  /** The chunk tRNS: how opaque each colour of the palette is, or the one colour that is transparent. */
  readonly transparency: Uint8Array;
  /** The compressed pixels. */
  readonly data: readonly Uint8Array[];
}

const kinds: Readonly<Record<number, readonly [Png['kind'], channels: number, depths: readonly number[]]>> = {
  0: ['grey', 1, [1, 2, 4, 8, 16]],
  2: ['rgb', 3, [8, 16]],
  3: ['palette', 1, [1, 2, 4, 8]],
  4: ['grey-alpha', 2, [8, 16]],
  6: ['rgba', 4, [8, 16]],
};

const damaged = (): DecodeRefusal => new DecodeRefusal('the file is damaged');
const none = new Uint8Array(0);

/** @throws DecodeRefusal */
export function readPng(bytes: Uint8Array): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(view);
  let palette: Uint8Array = none;
  let transparency: Uint8Array = none;
  const data: Uint8Array[] = [];
  for (let at = 33; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'IEND') break;
    if (name === 'PLTE') palette = body;
    if (name === 'tRNS') transparency = body;
    if (name === 'IDAT') data.push(body);
    at += 12 + length;
  }
  if (data.length === 0 || (header.kind === 'palette' && palette.length < 3)) throw damaged();
  return { ...header, palette, transparency, data };
}

function readHeader(view: DataView): Omit<Png, 'palette' | 'transparency' | 'data'> {
  if (view.byteLength < 33 || view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452) throw damaged();
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  checkSize(width, height);
  const depth = view.getUint8(24);
  const known = kinds[view.getUint8(25)];
  const interlace = view.getUint8(28);
  if (known === undefined || !known[2].includes(depth) || interlace > 1) throw damaged();
  const [kind, channels] = known;
  return { width, height, depth, kind, channels, isInterlaced: interlace === 1 };
}

/** Decodes what is no PNG with the package sharp, where the user has installed it; it is never a part of this program. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Bitmap } from '../../state/model/pictures.ts';
import type { PixelSize } from '../../state/pictures/shrink.ts';
import { checkSize, DecodeRefusal, mostPixels } from './contract.ts';
import { type Format, formatNames } from './format.ts';

/** What we use of sharp. */
interface SharpImage {
  metadata(): Promise<{ readonly width?: number; readonly height?: number }>;
  rotate(): SharpImage;
  resize(size: PixelSize & { readonly fit: 'inside'; readonly withoutEnlargement: true }): SharpImage;
  ensureAlpha(): SharpImage;
  raw(): SharpImage;
  toBuffer(options: {
    readonly resolveWithObject: true;
  }): Promise<{ readonly data: Uint8Array; readonly info: PixelSize }>;
}
type Sharp = (bytes: Uint8Array, options: { readonly limitInputPixels: number | false }) => SharpImage;

/** @throws DecodeRefusal */
export async function decodeOther(bytes: Uint8Array, format: Format, box: PixelSize): Promise<Bitmap> {
  const sharp = findSharp();
  if (sharp === null) throw new DecodeRefusal(`${formatNames[format]} needs the sharp package: npm i -g sharp`);
  // The header alone is read here; with a limit, a picture beyond it would be no different from a damaged one.
  const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false }).metadata();
  checkSize(width, height);
  const upright = sharp(bytes, { limitInputPixels: mostPixels }).rotate();
  const image = upright.resize({ ...box, fit: 'inside', withoutEnlargement: true });
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}

/** Looks beside this program and among the global packages of this Node, and never in the working directory. */
function findSharp(): Sharp | null {
  const node = dirname(process.execPath);
  const places = [join(node, '../lib/node_modules/_'), join(node, 'node_modules/_'), process.argv[1] ?? ''];
  for (const place of places) {
    try {
      return createRequire(place)('sharp') as Sharp;
    } catch {
      // The package is not installed here, or was made for another machine.
    }
  }
  return null;
}

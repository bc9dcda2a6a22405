/**
 * The program of the process that decodes one picture: a file that is broken, huge or made to do harm ends this
 * process and nothing else. It is built as dist/decoder.cjs. It reads a line of JSON (`DecodeRequest`) and the file,
 * and writes a line of JSON (`DecodeAnswer`) and the bytes of the bitmaps. Its argument is the time in milliseconds after
 * which it ends in any case.
 */
import { deflateSync } from 'node:zlib';
import type { Bitmap } from '../../state/model/pictures.ts';
import { shrink } from '../../state/pictures/shrink.ts';
import { type DecodeAnswer, DecodeRefusal, type DecodeRequest, type LargePicture } from './contract.ts';
import { decodeOther } from './decode-other.ts';
import { decodePng } from './decode-png.ts';
import { encodePng } from './encode-png.ts';
import { encodeSixel } from './encode-sixel.ts';
import { formatOf } from './format.ts';

async function answer(input: Buffer): Promise<Buffer> {
  const end = input.indexOf(0x0a);
  const { small, large } = JSON.parse(input.toString('utf8', 0, end)) as DecodeRequest;
  const file = input.subarray(end + 1);
  const format = formatOf(file);
  if (format === null) throw new DecodeRefusal('it is not a PNG, JPEG, GIF or WebP');
  const box = large ?? small;
  const bitmap = format === 'png' ? await decodePng(file, box) : await decodeOther(file, format, box);
  const cells = shrink(bitmap, small);
  const data = large === null ? null : encode(bitmap, large.form);
  return message(
    {
      small: { width: cells.width, height: cells.height },
      large: data && { width: bitmap.width, height: bitmap.height },
    },
    data === null ? [cells.rgba] : [cells.rgba, data],
  );
}

function encode(bitmap: Bitmap, form: LargePicture['form']): Uint8Array | null {
  if (form === 'png') return encodePng(bitmap);
  if (form === 'deflated') return deflateSync(bitmap.rgba);
  const sixels = encodeSixel(bitmap);
  return sixels === null ? null : Buffer.from(sixels, 'latin1');
}

const message = (head: DecodeAnswer, parts: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts]);

async function run(): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  const said = await answer(Buffer.concat(parts)).catch((error: unknown) =>
    message({ problem: error instanceof DecodeRefusal ? error.message : 'the file is damaged' }, []),
  );
  process.stdout.write(said, () => process.exit());
}

// No other process ends this one when the program that started it is gone.
setTimeout(() => process.exit(1), Number(process.argv[2])).unref();
void run();

/** Reads the body of an answer as decompressed text, up to a limit of bytes checked while it streams (R-LIMIT). */
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, type Gunzip } from 'node:zlib';
import { errorCode } from './classify.ts';
import { sliceSize, yieldToEventLoop } from './yield-to-event-loop.ts';

/** The body is larger than the limit, or its content encoding is unknown or broken. */
export class BodyProblem extends Error {
  override readonly name = 'BodyProblem';
  readonly code: 'BODY_TOO_LARGE' | 'BODY_ENCODING';
  constructor(code: 'BODY_TOO_LARGE' | 'BODY_ENCODING', message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the text of the body, invalid UTF-8 as U+FFFD, without a byte order mark. `onBytes` is called for each piece
 * that comes in, with the bytes so far as they came, compressed. Throws `BodyProblem`, or the stream's own error; the
 * stream is destroyed in every such case.
 */
export async function readBody(
  stream: Readable,
  encoding: string | null,
  maxBytes: number,
  onBytes: (received: number) => void,
): Promise<string> {
  const decoded = decode(stream, encoding);
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  let sinceTurn = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      onBytes(decoded === stream ? bytes : (decoded as Gunzip).bytesWritten);
      if (bytes > maxBytes) throw new BodyProblem('BODY_TOO_LARGE', `the answer is larger than ${maxBytes} bytes`);
      parts.push(decoder.decode(chunk, { stream: true }));
      sinceTurn += chunk.byteLength;
      if (sinceTurn < sliceSize) continue;
      await yieldToEventLoop();
      sinceTurn = 0;
    }
  } catch (error) {
    stream.on('error', () => {}).destroy();
    throw isZlibError(error) ? new BodyProblem('BODY_ENCODING', 'the answer is damaged (broken compression)') : error;
  }
  return parts.join('') + decoder.decode();
}

/** Undoes one layer of gzip, deflate or brotli; more layers count as an unknown encoding. */
function decode(stream: Readable, encoding: string | null): Readable {
  const name = (encoding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return stream;
  const transform =
    name === 'gzip' || name === 'x-gzip'
      ? createGunzip()
      : name === 'deflate'
        ? createInflate()
        : name === 'br'
          ? createBrotliDecompress()
          : null;
  if (transform === null) {
    stream.on('error', () => {}).destroy();
    throw new BodyProblem('BODY_ENCODING', 'the answer has a content encoding that was not asked for');
  }
  // Errors reach the reader through the transform, which the pipeline destroys with them.
  return pipeline(stream, transform, () => {});
}

function isZlibError(error: unknown): boolean {
  return /^(Z_|ERR_BROTLI|ERR__ERROR)/.test(errorCode(error) ?? '');
}

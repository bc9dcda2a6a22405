/** Passes over "100 Continue" that nobody asked for, as RFC 9110 §15.2 has clients do; undici breaks the connection off. */
import type { Socket } from 'node:net';

const begin = Buffer.from('HTTP/1.1 100 ');
const blankLine = Buffer.from('\r\n\r\n');
const none: Buffer = Buffer.alloc(0);
const maxHead = 16_384;

/** Of a connection that is read by `read()` alone, and on which no request leaves before the last answer is whole. */
export function skipUnaskedContinue(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...all: unknown[]) => boolean;
  let isHeadAwaited = true;
  let held: Buffer = none;
  socket.write = (...all: unknown[]) => {
    isHeadAwaited = true;
    return write(...all);
  };
  socket.read = (size) => {
    // Of a size the stream itself reads, to be told of more: it throws away what it is given.
    if (size !== undefined) return read(size);
    const chunk = read();
    if (chunk === null || !isHeadAwaited) return chunk;
    held = afterContinue(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
    if (isBeginning(held)) return null;
    isHeadAwaited = false;
    const rest = held;
    held = none;
    return rest;
  };
}

/** What is left behind every head of a "100 Continue" that is whole. */
function afterContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (rest.subarray(0, begin.length).equals(begin)) {
    const end = rest.indexOf(blankLine);
    if (end < 0) break;
    rest = rest.subarray(end + blankLine.length);
  }
  return rest;
}

/** It may become the head of a "100 Continue" yet; one without end is left to the parser. */
function isBeginning(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, begin.length);
  return bytes.length < maxHead && bytes.subarray(0, length).equals(begin.subarray(0, length));
}

/** Creates ids and tokens from random bytes, so that they reveal nothing about the data. */
import { hash, randomBytes } from 'node:crypto';

/** Returns `size` random bytes. Tests and the demo pass a repeatable source. */
export type RandomBytes = (size: number) => Uint8Array;

export const secureRandom: RandomBytes = (size) => randomBytes(size);

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 16;

/** 16 base62 characters (95 bits). */
export function newId(random: RandomBytes): string {
  let id = '';
  while (id.length < idLength) {
    for (const byte of random(idLength * 2)) {
      // 248 = 4 × 62: bytes above would make the first letters likelier than the others.
      if (byte < 248 && id.length < idLength) id += alphabet[byte % 62];
    }
  }
  return id;
}

/** 256 random bits as 43 base64url characters. */
export const newToken = (random: RandomBytes): string => Buffer.from(random(32)).toString('base64url');

export const digestOf = (text: string | Uint8Array): Uint8Array => hash('sha256', text, 'buffer');

/** Recognises the format of a file by its first bytes; what the server says about it is ignored. */

export type Format = 'png' | 'jpeg' | 'gif' | 'webp';

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

/** Null for everything that is never decoded, SVG among it. */
export function formatOf(bytes: Uint8Array): Format | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP' ? 'webp' : null;
}

export const formatNames: Readonly<Record<Format, string>> = { png: 'PNG', jpeg: 'JPEG', gif: 'GIF', webp: 'WebP' };

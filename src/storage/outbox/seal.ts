/**
 * Checksums of what the user wrote: SQLite has none for the pages of its file, so a flipped bit on the disk would change a
 * word without a sign, and the changed word would be sent.
 */
import { crc32 } from 'node:zlib';
import type { SqlValue } from '../sqlite/driver.ts';

const seal = /^\{"sum":"([0-9a-f]{8})",/;

/**
 * Puts a checksum of the JSON object and of the values that belong to it in front of the object, as its first field.
 * Versions that do not know the field pass it by.
 */
export function sealed(json: string, beside: readonly SqlValue[]): string {
  return `{"sum":"${sumOf(json, beside)}",${json.slice(1)}`;
}

export const isSealed = (text: unknown): boolean => typeof text === 'string' && seal.test(text);

/** A record of a version without checksums counts as unchanged. */
export function isSealBroken(text: unknown, beside: readonly SqlValue[]): boolean {
  const [start, sum] = typeof text === 'string' ? (seal.exec(text) ?? []) : [];
  return typeof text === 'string' && start !== undefined && sumOf(`{${text.slice(start.length)}`, beside) !== sum;
}

const sumOf = (json: string, beside: readonly SqlValue[]): string =>
  crc32(JSON.stringify([json, ...beside]))
    .toString(16)
    .padStart(8, '0');

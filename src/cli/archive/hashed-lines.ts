/**
 * Adds and checks the hash of each line: `sha256`, its last field, is the SHA-256 of all bytes of the file before the comma
 * in front of it. So the hash of the last line is that of the whole file, and a change makes all hashes from there on wrong.
 */
import { createHash, type Hash } from 'node:crypto';

const name = ',"sha256":"';
const sealing = /^,"sha256":"([0-9a-f]{64})"\}$/;
const sealBytes = `${name}"}`.length + 64;

export class RunningHash {
  readonly #hash: Hash = createHash('sha256');

  /** @param json the text of a JSON object with at least one field @returns the line, with its hash and its end */
  seal(json: string): string {
    const line = json.slice(0, -1);
    const seal = `${name}${this.#digestAfter(line)}"}\n`;
    this.#hash.update(seal);
    return line + seal;
  }

  /** Takes the next line, without its end. @returns its JSON text without the hash; null where the hash is wrong */
  check(line: Buffer): string | null {
    const end = Math.max(0, line.length - sealBytes);
    const seal = line.toString('latin1', end);
    const digest = sealing.exec(seal)?.[1];
    // The bytes of the file count: reading them as text may change them.
    if (digest === undefined || this.#digestAfter(line.subarray(0, end)) !== digest) return null;
    this.#hash.update(`${seal}\n`);
    return `${line.toString('utf8', 0, end)}}`;
  }

  #digestAfter(bytes: string | Buffer): string {
    this.#hash.update(bytes);
    return this.#hash.copy().digest('hex');
  }
}

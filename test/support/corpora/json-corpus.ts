/** The three tables of the corpus as bytes; their names in JSONTestSuite say what is expected of a JSON reader. */
import { looseJson, ownJson, soundJson } from './json-corpus-read.ts';
import { refusedJson } from './json-corpus-refused.ts';

export interface JsonCase {
  /** `n_array_just_comma`; `n` is to be refused, `y` to be read, `i` is for the reader to decide. */
  readonly name: string;
  readonly bytes: Buffer;
}

const casesOf = (kind: string, table: string): readonly JsonCase[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [, name, written = ''] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
      return { name: `${kind}_${name}`, bytes: bytesOf(written) };
    });

/** The 318 cases. */
export const jsonCorpus: readonly JsonCase[] = [
  ...casesOf('y', soundJson),
  ...casesOf('n', refusedJson),
  ...casesOf('i', looseJson),
];

export const ownCases = casesOf('own', ownJson);

function bytesOf(written: string): Buffer {
  const repeated = written.replace(/\{(\d+)\*([^}]+)\}/g, (_, count: string, part: string) =>
    part.repeat(Number(count)),
  );
  const bytes = Buffer.from(repeated);
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const isEscape = bytes[at] === 0x25;
    out.push(isEscape ? Number.parseInt(bytes.toString('latin1', at + 1, at + 3), 16) : (bytes[at] ?? 0));
    if (isEscape) at += 2;
  }
  return Buffer.from(out);
}

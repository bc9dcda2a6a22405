/** Reads a JSON Lines archive, line by line: checks its hashes and its form, and names the line where something is wrong. */
import { type Fields, field, isObject } from '../../protocol/fields.ts';
import { JsonProblem, parseJson } from '../../protocol/json.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { type Entry, keyOf } from './entry.ts';
import { parseEntry } from './entry-parse.ts';
import { RunningHash } from './hashed-lines.ts';

/** The bytes of the longest line: a message with the longest text that is kept, and the most attachments, has fewer. */
const longestLine = 64 * 1024 * 1024;

export interface ArchiveLine {
  readonly entry: Entry;
  readonly key: string;
}

/** The pieces of a file: a stream of it, or a list. */
export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * Yields the entries in the order of the file; of two with one key the later one counts. Ends with an error where the
 * file does not end with the line that closes it.
 * @param hash is left as it is after the last line, so that more lines can follow
 * @param name of the file, for errors @throws ExitError
 */
export async function* readArchive(
  chunks: Chunks,
  name: string,
  hash: RunningHash = new RunningHash(),
): AsyncGenerator<ArchiveLine> {
  let number = 0;
  let isClosed = false;
  for await (const { bytes, hasEnd } of linesOf(chunks, name)) {
    number++;
    const wrong = (problem: string): ExitError => new ExitError(exitCodes.failure, `${name}:${number}: ${problem}`);
    if (number === 1 && !bytes.subarray(0, 40).toString().startsWith('{"type":"header"')) throw notAnArchive(name);
    const json = hash.check(bytes);
    if (json === null)
      throw wrong(
        hasEnd
          ? 'the hash is wrong: this line was changed, or lines before it were added or removed'
          : 'the file ends in the middle of this line; the rest is missing',
      );
    const fields = parsed(json, wrong);
    isClosed = field(fields, 'type') === 'end';
    const entry = parseEntry(fields);
    if (entry !== null && 'problem' in entry) throw wrong(entry.problem);
    if (entry !== null) yield { entry, key: keyOf(entry) };
  }
  if (number === 0) throw notAnArchive(name);
  if (!isClosed)
    throw new ExitError(
      exitCodes.failure,
      `${name}: the file ends after line ${number}, before its last line; the rest is missing`,
    );
}

const notAnArchive = (name: string): ExitError =>
  new ExitError(exitCodes.failure, `${name}: this file was not written by msg-tui export --format jsonl`);

function parsed(json: string, wrong: (problem: string) => ExitError): Fields {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    if (error instanceof JsonProblem) throw wrong(error.message);
    throw error;
  }
  if (!isObject(value)) throw wrong('this is no JSON object');
  return value;
}

interface Line {
  readonly bytes: Buffer;
  /** False for what follows the last line break of the file. */
  readonly hasEnd: boolean;
}

async function* linesOf(chunks: Chunks, name: string): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield { bytes: Buffer.concat([...parts, chunk.subarray(from, end)]), hasEnd: true };
      parts = [];
      length = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > longestLine) throw new ExitError(exitCodes.failure, `${name}: a line is longer than 64 MB`);
  }
  if (length > 0) yield { bytes: Buffer.concat(parts), hasEnd: false };
}

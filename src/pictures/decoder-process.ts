/**
 * Decodes a picture in a process of its own, which is killed when it takes too long or writes too much. It gets the file
 * through a pipe, and no environment variables, so that no token is in its memory.
 */
import type { ChildProcess } from 'node:child_process';
import type { Bitmap } from '../state/model/pictures.ts';
import type { PixelSize } from '../state/pictures/shrink.ts';
import type { DecodeRequest } from './decoder/contract.ts';

export interface Decoded {
  readonly bitmap: Bitmap;
  /** For a terminal that draws pictures itself, in the form that was asked for. */
  readonly large: { readonly width: number; readonly height: number; readonly data: Uint8Array } | null;
}

/** Rejects with `PictureProblem` alone. */
export type Decode = (file: Uint8Array, request: DecodeRequest) => Promise<Decoded>;

/** `message`: a few words for the chip. */
class PictureProblem extends Error {
  override readonly name = 'PictureProblem';
}

const longestMs = 5_000;
const longestHead = 4_096;
const longestProblem = 200;
const undecodable = 'it could not be decoded';

/** @param program the file that the process runs: `dist/decoder.cjs` */
export function createDecoder(program: string, killAfterMs = longestMs): Decode {
  return async (file, request) => readAnswer(await run(program, file, request, killAfterMs), request);
}

/** The bytes of the largest proper answer. A process that writes more is ended. */
function mostBytes({ small, large }: DecodeRequest): number {
  const most = small.width * small.height + (large === null ? 0 : large.width * large.height);
  return longestHead + most * 4 + 65_536;
}

function run(program: string, file: Uint8Array, request: DecodeRequest, killAfterMs: number): Promise<Buffer> {
  // Loaded here: most starts decode no picture.
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-old-space-size=64', program, `${2 * killAfterMs}`], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      windowsHide: true,
    });
    const kill = (): void => void child.kill('SIGKILL');
    // A process that hangs would go on when this program ends.
    process.once('exit', kill);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      kill();
      settle();
    };
    const fail = (reason: string): void => end(() => reject(new PictureProblem(reason)));
    const timer = setTimeout(() => fail('it takes too long to decode'), killAfterMs);
    child.once('error', () => fail(undecodable));
    collect(child, mostBytes(request), (answer) => {
      if (answer === null) fail(undecodable);
      else end(() => resolve(answer));
    });
    // A process that is gone already does not read.
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    child.stdin?.end(file);
  });
}

/** Calls `done` once: with all that the process wrote, or with null as soon as it is more than the limit. */
function collect({ stdout }: ChildProcess, limit: number, done: (answer: Buffer | null) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  stdout?.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= limit) parts.push(part);
    else stdout.destroy();
  });
  stdout?.once('close', () => done(bytes <= limit ? Buffer.concat(parts) : null));
}

/**
 * Whatever the process was made to answer, it is no more than the picture that was asked for: its size is within the limits, and
 * all of its bytes are there.
 * @throws PictureProblem
 */
function readAnswer(answer: Buffer, request: DecodeRequest): Decoded {
  const end = answer.indexOf(0x0a) + 1;
  const head = parse(answer.toString('utf8', 0, end));
  if (typeof head?.problem === 'string') throw new PictureProblem(head.problem.slice(0, longestProblem));
  const small = sizeWithin(head?.small, request.small);
  const large = isAbsent(head?.large) ? null : sizeWithin(head?.large, request.large);
  if (small === null || (large === null && !isAbsent(head?.large))) throw new PictureProblem(undecodable);
  const smallEnd = end + small.width * small.height * 4;
  const largeBytes = answer.length - smallEnd;
  if (largeBytes < 0 || (large === null && largeBytes > 0)) throw new PictureProblem(undecodable);
  return {
    bitmap: { ...small, rgba: Uint8Array.from(answer.subarray(end, smallEnd)) },
    large: large && { ...large, data: answer.subarray(smallEnd) },
  };
}

const isAbsent = (value: unknown): boolean => value === null || value === undefined;

/** Null where it is no size, or larger than what was asked for. */
function sizeWithin(value: unknown, limit: PixelSize | null): PixelSize | null {
  const { width, height } = (value ?? {}) as Partial<Record<'width' | 'height', unknown>>;
  if (limit === null || typeof width !== 'number' || typeof height !== 'number') return null;
  if (!Number.isInteger(width) || !Number.isInteger(height) || width < 1 || height < 1) return null;
  return width <= limit.width && height <= limit.height ? { width, height } : null;
}

/** Null for what is no answer, as of a process that ran out of memory. */
function parse(text: string): Partial<Record<'problem' | 'small' | 'large', unknown>> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Decodes a picture in a process of its own, which is killed when it takes too long or says too much. It is given the file
 * by a pipe, and nothing of the environment, so that no token is in its memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Bitmap } from '../state/model/pictures.ts';
import type { DecodeAnswer, DecodeRequest } from './decoder/contract.ts';

export interface Decoded {
  readonly bitmap: Bitmap;
  /** For a terminal that draws pictures itself, in the form that was asked for. */
  readonly large: { readonly width: number; readonly height: number; readonly data: Uint8Array } | null;
}

/** Rejects with `PictureProblem` alone. */
export type Decode = (file: Uint8Array, request: DecodeRequest) => Promise<Decoded>;

/** `message`: a few words for the chip. */
export class PictureProblem extends Error {
  override readonly name = 'PictureProblem';
}

const longestMs = 5_000;
const longestHead = 4_096;

/** @param program the file that the process runs: `dist/decoder.cjs` */
export function createDecoder(program: string, killAfterMs = longestMs): Decode {
  return async (file, request) => readAnswer(await run(program, file, request, killAfterMs));
}

/** What the largest answer takes; a process that says more is not ours any more. */
function mostBytes({ small, large }: DecodeRequest): number {
  const most = small.width * small.height + (large === null ? 0 : large.width * large.height);
  return longestHead + most * 4 + 65_536;
}

function run(program: string, file: Uint8Array, request: DecodeRequest, killAfterMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--max-old-space-size=64', program], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      windowsHide: true,
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      settle();
    };
    const fail = (reason: string): void => end(() => reject(new PictureProblem(reason)));
    const timer = setTimeout(() => fail('it takes too long to decode'), killAfterMs);
    child.once('error', () => fail('it could not be decoded'));
    collect(child, mostBytes(request), (answer) => {
      if (answer === null) fail('it could not be decoded');
      else end(() => resolve(answer));
    });
    // A process that is gone already does not read.
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(`${JSON.stringify(request)}\n`);
    child.stdin?.end(file);
  });
}

/** Calls `done` once: with all that the process wrote, or with null when that is more than the limit. */
function collect({ stdout }: ChildProcess, limit: number, done: (answer: Buffer | null) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  stdout?.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= limit) parts.push(part);
    else done(null);
  });
  stdout?.once('close', () => done(Buffer.concat(parts)));
}

/** @throws PictureProblem */
function readAnswer(answer: Buffer): Decoded {
  const end = answer.indexOf(0x0a);
  const head = parse(answer.toString('utf8', 0, Math.max(0, end)));
  if (head === null) throw new PictureProblem('it could not be decoded');
  if ('problem' in head) throw new PictureProblem(head.problem);
  const { width, height } = head.small;
  const large = end + 1 + width * height * 4;
  return {
    bitmap: { width, height, rgba: Uint8Array.from(answer.subarray(end + 1, large)) },
    large: head.large && {
      width: head.large.width,
      height: head.large.height,
      data: answer.subarray(large, large + head.large.bytes),
    },
  };
}

/** Null for what is no answer, as of a process that ran out of memory. */
function parse(text: string): DecodeAnswer | null {
  try {
    return JSON.parse(text) as DecodeAnswer;
  } catch {
    return null;
  }
}

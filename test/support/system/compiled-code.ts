/** Makes the compiled code of the built program, damages it, plants other code in its place, and starts the program on it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { environmentIn, program } from '../terminals/program.ts';

export interface CodeFile {
  readonly home: string;
  readonly directory: string;
  readonly path: string;
  /** As the program wrote it: its checksums and what V8 compiled. */
  readonly whole: Buffer;
  remove(): void;
}

export const checksumBytes = 8;

/** The CRC-32 of the file's name and that of the code. */
export function checksumsOf(name: string, code: Buffer): Buffer {
  const sums = Buffer.alloc(checksumBytes);
  sums.writeUInt32LE(crc32(name), 0);
  sums.writeUInt32LE(crc32(code), 4);
  return sums;
}

const variables = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, ...environmentIn(home) });

export const newHome = (): string => mkdtempSync(join(tmpdir(), 'msg-tui-code-'));

export const codeDirectory = (home: string): string => join(home, 'cache/msg-tui');

export const codeFilesIn = (home: string): readonly string[] =>
  existsSync(codeDirectory(home)) ? readdirSync(codeDirectory(home)).filter((name) => name.startsWith('code-')) : [];

/** The program running on this home for as long as it takes to write its compiled code. */
export function startLongRun(home: string): ChildProcess {
  const data = join(home, 'chat.db');
  return spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', '--data', data], {
    env: variables(home),
    stdio: 'ignore',
  });
}

/** Compiled code is written four seconds after a start. */
export async function codeWrittenIn(home: string, timeoutMs = 20_000): Promise<string> {
  const isWhole = (name: string): boolean => !/\.\d+$/.test(name);
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    const name = codeFilesIn(home).find(isWhole);
    if (name !== undefined) return join(codeDirectory(home), name);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no compiled code in ${home}`);
}

export async function makeCodeFile(): Promise<CodeFile> {
  const home = newHome();
  const run = startLongRun(home);
  const ended = new Promise((resolve) => run.once('close', resolve));
  const path = await codeWrittenIn(home).finally(() => run.kill('SIGKILL'));
  await ended;
  const remove = (): void => rmSync(home, { recursive: true, force: true });
  return { home, directory: dirname(path), path, whole: readFileSync(path), remove };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
}

export function startOn(home: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: variables(home), timeout: 20_000 };
    const child = execFile(process.execPath, [program, ...args], options, (_error, out, err) =>
      // The space that is free on the disk is nothing that the program decides.
      resolve({ code: child.exitCode, signal: child.signalCode, out: (out + err).replace(/free space.*/, '') }),
    );
  });
}

/** Everything that differs from a start without compiled code after a start with what each damage leaves. */
export async function startsDamaged(file: CodeFile, all: readonly Damage[]): Promise<readonly string[]> {
  const start = (): Promise<Ended> => startOn(file.home, 'doctor', '--offline');
  const clear = (): void => rmSync(file.path, { recursive: true, force: true });
  clear();
  const usual = JSON.stringify(await start());
  const wrong: string[] = [];
  for (const { name, make, stays = false } of all) {
    make(file);
    const ended = JSON.stringify(await start());
    if (ended !== usual) wrong.push(`${name}: ${ended.slice(0, 300)}, not ${usual.slice(0, 300)}`);
    if (existsSync(file.path) !== stays) wrong.push(`${name}: the file ${stays ? 'is gone' : 'was left'}`);
    clear();
  }
  return wrong;
}

export interface Damage {
  readonly name: string;
  /** Puts something else where the compiled code was. */
  readonly make: (file: CodeFile) => void;
  /** It is not taken away: no file of ours is a directory. */
  readonly stays?: true;
}

const rewritten = (name: string, change: (whole: Buffer) => Buffer): Damage => ({
  name,
  make: ({ path, whole }) => writeFileSync(path, change(Buffer.from(whole)), { mode: 0o600 }),
});

/** `share`: where in the file, from 0 to 1. */
const flipped = (share: number): Damage =>
  rewritten(`a flipped bit at ${(share * 100).toFixed(1)} %`, (bytes) => {
    const bit = Math.floor(share * (bytes.length * 8 - 1));
    bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return bytes;
  });

const zeroed = (from: number, to: number): Damage =>
  rewritten(`zeros from ${(from * 100).toFixed(1)} to ${(to * 100).toFixed(1)} %`, (bytes) =>
    bytes.fill(0, Math.floor(from * bytes.length), Math.floor(to * bytes.length)),
  );

const cut = (share: number): Damage =>
  rewritten(`cut to ${(share * 100).toFixed(1)} %`, (bytes) => bytes.subarray(0, Math.floor(share * bytes.length)));

const spread = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => (index + 0.5) / count);

/** What a power cut, a bad disk or another program leaves; `count` of each kind that has a place in the file. */
export const damages = (count: number): readonly Damage[] => [
  { name: 'empty', make: ({ path }) => writeFileSync(path, '') },
  zeroed(0.5, 1),
  rewritten('without its checksums', (bytes) => bytes.subarray(checksumBytes)),
  { name: 'a directory', make: ({ path }) => mkdirSync(path), stays: true },
  { name: 'a link to nothing', make: ({ path }) => symlinkSync(`${path}-elsewhere`, path) },
  ...spread(count).map(cut),
  ...spread(count).map((share) => zeroed(share, share + 0.004)),
  ...spread(2 * count).map(flipped),
];

/**
 * Compiled code of another program that V8 takes for ours: the length of the source, V8's version and the flags are what V8
 * compares. It prints "planted".
 */
export function plantedCode(name: string): Buffer {
  const maker = `
    const fs = require('node:fs');
    const [launcher, main] = process.argv.slice(1);
    const text = fs.readFileSync(launcher, 'utf8');
    var have = process.versions.node.split('.').map(Number);
    for (const [line] of text.matchAll(/^.*v8\\.setFlagsFromString[^;]*;$/gm)) eval("var v8 = require('node:v8');" + line);
    const start = '(function (exports, require, module, __filename, __dirname, __load) {';
    const length = start.length + fs.readFileSync(main, 'latin1').length + 3;
    const source = start + 'process.stdout.write("planted");';
    const script = new (require('node:vm').Script)(source.padEnd(length - 2) + '})', { filename: main });
    script.runInThisContext();
    process.stdout.write(script.createCachedData());
  `;
  const code = execFileSync(process.execPath, ['-e', maker, program, join(dirname(program), 'main.cjs')]);
  return Buffer.concat([checksumsOf(name, code), code]);
}

export interface Plant {
  readonly name: string;
  readonly needsRoot?: boolean;
  /** The directories and the file, as somebody else could have left them. */
  readonly make: (file: string, code: Buffer) => void;
}

const nobody = 65_534;

/** As the program itself writes. */
export function writePrivately(file: string, code: Buffer): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, code, { mode: 0o600 });
}

/** Where compiled code must not be taken from. */
export const plants: readonly Plant[] = [
  {
    name: 'a file that others can write',
    make: (file, code) => {
      writePrivately(file, code);
      chmodSync(file, 0o666);
    },
  },
  {
    name: 'a file that the group can write',
    make: (file, code) => {
      writePrivately(file, code);
      chmodSync(file, 0o620);
    },
  },
  {
    name: 'a link to a file',
    make: (file, code) => {
      writePrivately(`${file}-elsewhere`, code);
      symlinkSync(`${file}-elsewhere`, file);
    },
  },
  {
    name: 'a directory that others can write',
    make: (file, code) => {
      writePrivately(file, code);
      chmodSync(dirname(file), 0o777);
    },
  },
  {
    name: 'a link to a directory',
    make: (file, code) => {
      const elsewhere = `${dirname(file)}-elsewhere`;
      writePrivately(join(elsewhere, basename(file)), code);
      symlinkSync(elsewhere, dirname(file));
    },
  },
  {
    name: 'a file of another user',
    needsRoot: true,
    make: (file, code) => {
      writePrivately(file, code);
      chownSync(file, nobody, nobody);
    },
  },
  {
    name: 'a directory of another user',
    needsRoot: true,
    make: (file, code) => {
      writePrivately(file, code);
      chownSync(dirname(file), nobody, nobody);
    },
  },
  {
    name: 'root in the cache of another user',
    needsRoot: true,
    make: (file, code) => {
      writePrivately(file, code);
      chownSync(dirname(dirname(file)), nobody, nobody);
    },
  },
];

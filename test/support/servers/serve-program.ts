/** `msg-tui serve` as a program of its own, bundled from the sources: its commands, and the server as a process. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { type BuildOptions, buildSync } from 'esbuild';
import { registerServe } from '../../../src/cli/serve/register.ts';

const root = resolve(import.meta.dirname, '../../..');
// The driver is loaded by name, and a bundle in a temporary folder has no node_modules above it.
const environment = { ...process.env, NODE_PATH: join(root, 'node_modules') };

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Listening {
  readonly child: ChildProcess;
  readonly url: string;
  /** The address of `--admin-listen`; empty without one. */
  readonly adminUrl: string;
  /** What the server has written to stderr so far. */
  readonly errors: () => string;
}

export interface ServeProgram {
  readonly folder: string;
  /** Runs `serve --data DATA` with these words. */
  serve(data: string, ...words: string[]): Promise<Outcome>;
  serveWith(
    more: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
    nodeOptions: readonly string[],
    data: string,
    ...words: string[]
  ): Promise<Outcome>;
  listen(data: string, ...words: string[]): Promise<Listening>;
  /** Kills the servers that are still running. */
  killAll(): void;
  remove(): void;
}

/**
 * Runs one of the commands of `serve` in this process, which takes milliseconds.
 * @param data null for a command line without a data file
 */
export async function serveHere(data: string | null, ...words: string[]): Promise<Outcome> {
  const program = new Command('msg-tui').exitOverride();
  registerServe(program);
  let out = '';
  const write = process.stdout.write;
  process.stdout.write = (text: string | Uint8Array) => {
    out += String(text);
    return true;
  };
  try {
    await program.parseAsync(['serve', ...(data === null ? [] : ['--data', data]), ...words], { from: 'user' });
    return { code: 0, out, err: '' };
  } catch (error) {
    const { code, message } = error as { readonly code: number; readonly message: string };
    return { code, out, err: `${message}\n` };
  } finally {
    process.stdout.write = write;
  }
}

export const exitOf = (child: ChildProcess): Promise<number | string | null> =>
  new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));

export function buildServeProgram(): ServeProgram {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  const program = join(folder, 'program.mjs');
  const running = new Set<ChildProcess>();
  build(program);

  const serveWith: ServeProgram['serveWith'] = (more, nodeOptions, data, ...words) => {
    const options = { encoding: 'latin1', cwd: more.cwd ?? folder, env: { ...environment, ...more.env } } as const;
    return new Promise((done) => {
      execFile(
        process.execPath,
        [...nodeOptions, program, 'serve', '--data', data, ...words],
        options,
        (error, out, err) => done({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  };

  const listen = async (data: string, ...words: string[]): Promise<Listening> => {
    const child = spawn(process.execPath, [program, 'serve', '--data', data, '--listen', '127.0.0.1:0', ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    const errors: Buffer[] = [];
    child.stderr.on('data', (data) => void errors.push(data));
    let adminUrl = '';
    const url = await new Promise<string>((done, fail) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('listening on ')) done(line.replace('listening on ', ''));
        else adminUrl = line.replace('health and metrics on ', '');
      });
      child.once('exit', (code) => fail(new Error(`ended with ${code}: ${Buffer.concat(errors)}`)));
    });
    return { child, url, adminUrl, errors: () => Buffer.concat(errors).toString() };
  };

  return {
    folder,
    serve: (data, ...words) => serveWith({}, [], data, ...words),
    serveWith,
    listen,
    killAll: () => {
      for (const child of running) child.kill('SIGKILL');
      running.clear();
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function build(program: string): void {
  buildSync({
    stdin: {
      contents: `
        import { Command } from 'commander';
        import { registerServe } from './src/cli/serve/register.ts';
        const program = new Command('msg-tui').exitOverride();
        registerServe(program);
        program.parseAsync().catch((error) => {
          if (error.name === 'ExitError') process.stderr.write(error.message + '\\n');
          process.exitCode = error.name === 'ExitError' ? error.code : error.exitCode === 0 ? 0 : 2;
        });`,
      resolveDir: root,
      loader: 'ts',
    },
    ...bundle,
    format: 'esm',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    outfile: program,
  });
  buildSync({
    entryPoints: [join(root, 'src/cli/serve/database-thread.ts')],
    ...bundle,
    format: 'cjs',
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: "const moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
    outfile: join(dirname(program), 'database-thread.cjs'),
  });
}

const bundle: BuildOptions = { bundle: true, platform: 'node', external: ['@photostructure/sqlite'] };

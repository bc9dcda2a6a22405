/** Processes of the built `msg-tui serve` on one PostgreSQL database, and a proxy that gives each request to the next one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = join(import.meta.dirname, '../../../dist/msg-tui.cjs');

export interface ServeProcesses {
  /** Of the proxy. */
  readonly url: string;
  /** Ends a process by SIGKILL and starts another one in its place. */
  kill(index: number): Promise<void>;
  /** Ends all processes by SIGTERM; resolves to their exit codes. */
  close(): Promise<readonly (number | null)[]>;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: URL;
  readonly ended: Promise<number | null>;
}

export async function openServeProcesses(databaseUrl: string, count: number): Promise<ServeProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-processes-'));
  const env = { PATH: process.env.PATH, HOME: folder, MSG_TUI_DATABASE: databaseUrl };
  const start = async (): Promise<Running> => {
    const child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', (line) => resolve(line.replace('listening on ', '')));
      child.once('close', (code) => reject(new Error(`msg-tui serve ended with ${code}`)));
    });
    return { child, url: new URL(url), ended };
  };
  const running = await Promise.all(Array.from({ length: count }, start));
  const proxy = await openProxy(() => running.map(({ url }) => url));
  return {
    url: proxy.url,
    kill: async (index) => {
      const old = running[index];
      old?.child.kill('SIGKILL');
      await old?.ended;
      running[index] = await start();
    },
    close: async () => {
      await proxy.close();
      for (const { child } of running) child.kill('SIGTERM');
      const codes = await Promise.all(running.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true });
      return codes;
    },
  };
}

/** Answers 502 when the process that was next does not. */
async function openProxy(targets: () => readonly URL[]) {
  let next = 0;
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const all = targets();
    next = (next + 1) % all.length;
    const { host, hostname, port } = all[next] ?? new URL('http://127.0.0.1:1');
    const { method = 'GET', url: path = '/', headers } = incoming;
    const onward = request({ hostname, port, method, path, headers: { ...headers, host }, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(onward);
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

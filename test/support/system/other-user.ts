/** A server on this machine that belongs to another local user; only root can start one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export const otherUid = 65534;

/** Only root can start a program for another user, and Node has to be installed where that user can run it. */
export const canBeOthers =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['--version'], { cwd: '/', uid: otherUid, gid: otherUid }).status === 0;

const script = `
const { createServer } = require('node:http');
const server = createServer((request, response) => {
  process.stdout.write('asked ' + JSON.stringify(request.headers) + '\\n');
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"has_more":false}');
});
server.listen(Number(process.argv[1]), '127.0.0.1', () => process.stdout.write('port ' + server.address().port + '\\n'));
`;

export interface OthersServer {
  readonly port: number;
  /** What it was sent. */
  heard(): string;
  stop(): Promise<void>;
}

/** @param port 0 takes a free one */
export async function othersServer(port = 0): Promise<OthersServer> {
  const child: ChildProcess = spawn(process.execPath, ['-e', script, String(port)], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
    uid: otherUid,
    gid: otherUid,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  while (!output.includes('port ')) await once(child.stdout ?? child, 'data');
  return {
    port: Number(/port (\d+)/.exec(output)?.[1]),
    heard: () => output.replace(/^port.*\n/, ''),
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

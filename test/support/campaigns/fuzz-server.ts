/** Sends fuzzed requests to our own server and judges every answer (W1, TP14). */
import { connect } from 'node:net';
import fc from 'fast-check';
import { openOwnTarget } from '../../contract/target.ts';
import type { FaultSites } from './fault-sites.ts';
import { fuzzedRequest } from './fuzzed-requests.ts';

const allowed = new Set([
  ...[100, 200, 201, 204, 304],
  ...[400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 417, 422, 429, 431, 501],
]);

/** Rejects, with the seed, at the first answer that is no answer of ours. */
export async function fuzzServer(requests: number, sites: FaultSites): Promise<void> {
  const failures: unknown[] = [];
  const target = await openOwnTarget({
    onFailure: (error) => void failures.push(error),
    headersTimeoutMs: 500,
    requestTimeoutMs: 500,
  });
  const port = Number(new URL(target.url).port);
  try {
    await fc.assert(
      fc.asyncProperty(fuzzedRequest(port, target.token), async ({ bytes }) => {
        const answer = await exchange(port, bytes);
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
        sites.hit(`status ${status}`);
        if (answer !== '' && !allowed.has(status)) throw new Error(`status ${status}: ${answer.slice(0, 500)}`);
        if (/node_modules|\bat .*\.(ts|js):\d|\/src\//.test(answer)) throw new Error(`a stack trace: ${answer}`);
        if (answer.includes(target.token)) throw new Error('the token comes back');
        if (failures.length > 0) throw new Error(`a failure inside: ${String(failures[0])}`);
      }),
      { numRuns: requests },
    );
    const alive = await fetch(`${target.url}/v1/conversations`, {
      headers: { authorization: `Bearer ${target.token}` },
    });
    if (!alive.ok) throw new Error(`afterwards: ${alive.status}`);
  } finally {
    await target.close();
  }
}

/** Everything that came until the server closed; '' when it closed without a word. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    // A request that promises more than it sends is ended by its sender.
    socket.end(bytes, 'latin1');
  });
}
